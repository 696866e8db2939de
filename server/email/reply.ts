/**
 * What somebody wrote, without what they answer, their signature, and what their program added.
 *
 * Programs mark what is quoted in a few ways: a line that says who wrote when, a block of headers, a line of dashes,
 * `>` before each line. Only lines that say so in full are taken for such a mark, and answers written between quoted
 * lines stay as they are: too much is better than too little. Every line is looked at once and only its beginning, so
 * that no mail takes long.
 */
export function trimReply(text: string): string {
  const lines = text.split('\n');
  const end = quoteStart(lines);
  const kept = withoutSignature(lines.slice(0, end)).join('\n').trim();
  return kept === '' ? text.trim() : kept;
}

const lineMaximum = 400;
/** Lines over which the words of who wrote when may be broken. */
const attributionLines = 3;
const headerLines = 8;

const wrote =
  /(?:^|[\s>)])(?:wrote|writes|escreveu|escribió|escribio|va escriure|a écrit|schrieb|ha scritto|schreef|skrev|kirjoitti|napisał|napisał\(a\)|napisała|pisze|napsal|napsala|napsal\(a\)|írta|a scris|пишет|написал|написала|написал\(а\)|пише|έγραψε|yazdı|şunu yazdı)\s?.{0,200}[:：]\s*$|(?:写道|寫道|のメッセージ|書きました|님이 작성|작성)\s?[:：]\s*$/iu;
const whenOrWho = /\d{1,2}[:.h]\d{2}|\b(?:19|20)\d{2}\b|\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|[\w.+-]@[\w-]|年/u;
const separator =
  /^\s*[-_]{2,}\s*(?:original message|original appointment|mensagem original|mensaje original|mensaje original|ursprüngliche nachricht|originalnachricht|message d.origine|messaggio originale|oorspronkelijk bericht|oprindelig meddelelse|ursprungligt meddelande|wiadomość oryginalna|исходное сообщение|原始邮件|元のメッセージ)\s*[-_]{2,}\s*$/iu;
const rule = /^\s*[_-]{10,}\s*$/;
const from =
  /^[\s*]*(?:from|de|von|da|van|fra|från|od|от|lähettäjä|发件人|寄件者|差出人)\*?\s?[:：]\*?\s*\S/iu;
const fields = [
  /^[\s*]*(?:sent|date|enviado|enviada|enviado el|data|fecha|gesendet|datum|envoyé|inviato|verzonden|sendt|skickat|wysłano|дата|отправлено|发送时间|送信日時)\*?\s?[:：]/iu,
  /^[\s*]*(?:to|para|an|à|a|aan|til|till|do|кому|收件人|宛先)\*?\s?[:：]/iu,
  /^[\s*]*(?:subject|assunto|asunto|betreff|objet|oggetto|onderwerp|emne|ämne|temat|тема|主题|件名)\*?\s?[:：]/iu,
];
const programs =
  /^\s*(?:sent from (?:my|mail|outlook|yahoo|proton|the)|get outlook for|enviado (?:do|desde|a partir d[oe])|enviada do|obter o outlook|obtener outlook|envoyé (?:de mon|depuis|à partir)|télécharger outlook|obtenez outlook|von meinem .{1,60} gesendet|gesendet (?:von|mit)|diese nachricht wurde von meinem|outlook für .{1,20} herunterladen|holen sie sich outlook|inviato da|scarica outlook|ottieni outlook|verstuurd vanaf|verzonden (?:vanaf|vanuit)|download outlook|outlook voor|sendt fra|hent outlook|skickat från|wysłane z|отправлено с|从我的|iphoneから送信)/iu;

/** Index of the first line of what is answered; the number of lines when nothing is. */
function quoteStart(lines: readonly string[]): number {
  for (const [index, whole] of lines.entries()) {
    const line = whole.slice(0, lineMaximum);
    if (separator.test(line)) return index;
    if (isHeaderBlock(lines, index)) return ruleBefore(lines, index);
    const length = attributionAt(lines, index);
    if (length > 0) return answersBelow(lines, index + length) ? lines.length : index;
  }
  return trailingQuote(lines);
}

/** How many lines say who wrote when, from here; 0 when none do. */
function attributionAt(lines: readonly string[], index: number): number {
  let words = '';
  for (let length = 1; length <= attributionLines; length++) {
    const line = unquoted(lines[index + length - 1]?.slice(0, lineMaximum) ?? '').trim();
    if (line === '') return 0;
    words = `${words} ${line}`.trim().slice(0, lineMaximum);
    if (/[:：]$/.test(line)) return isAttribution(words) ? length : 0;
  }
  return 0;
}

/** Some languages need no verb: when, and who with their address. */
function isAttribution(words: string): boolean {
  if (wrote.test(words)) return whenOrWho.test(words);
  return /<[^<>\s]+@[^<>\s]+>\s?[:：]$/.test(words) && /\d{1,2}[:.]\d{2}/.test(words);
}

/** Whether somebody wrote below or between what they quote. */
function answersBelow(lines: readonly string[], start: number): boolean {
  const rest = lines.slice(start).filter((line) => line.trim() !== '');
  const quoted = rest.findIndex(isQuoted);
  // Nothing is marked as quoted: all of it is what is answered.
  if (quoted !== 0) return false;
  const below = withoutSignature(rest).filter((line) => !isQuoted(line));
  return below.length > 0 && !below.some((line) => rule.test(line));
}

function isHeaderBlock(lines: readonly string[], index: number): boolean {
  if (!from.test(unquoted(lines[index]?.slice(0, lineMaximum) ?? ''))) return false;
  const block = lines
    .slice(index + 1, index + 1 + headerLines)
    .map((line) => unquoted(line.slice(0, lineMaximum)));
  return fields.filter((field) => block.some((line) => field.test(line))).length >= 2;
}

/** Where the line above a block of headers begins, if there is one. */
function ruleBefore(lines: readonly string[], index: number): number {
  let above = index - 1;
  while (above >= 0 && lines[above]?.trim() === '') above--;
  return above >= 0 && rule.test(lines[above] ?? '') ? above : index;
}

function trailingQuote(lines: readonly string[]): number {
  let start = lines.length;
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? '';
    if (isQuoted(line)) start = index;
    else if (line.trim() !== '') break;
  }
  // Lines that were quoted above are answered one by one.
  return lines.slice(0, start).some(isQuoted) ? lines.length : start;
}

function withoutSignature(lines: readonly string[]): readonly string[] {
  const marked = lines.findLastIndex(
    (line, index) => line === '-- ' || (line === '--' && lines[index - 1]?.trim() === ''),
  );
  let end = marked > 0 ? marked : lines.length;
  for (let index = end - 1; index >= 0; index--) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    if (!programs.test(line.slice(0, lineMaximum)) || line.length > 120) break;
    end = index;
  }
  return lines.slice(0, end);
}

function isQuoted(line: string): boolean {
  return /^\s{0,3}>/.test(line);
}

function unquoted(line: string): string {
  return line.replace(/^(?:\s{0,3}>)+\s?/, '');
}
