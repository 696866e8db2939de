import { describe, expect, it } from 'vitest';
import { textOfHtml } from '../../server/email/html.ts';
import { trimReply } from '../../server/email/reply.ts';

/** Answers as programs write them: what is to stay, and all of it. */
const answers: [program: string, kept: string, whole: string][] = [
  [
    'Gmail, English, broken line',
    'Yes please',
    'Yes please\n\nOn Fri, Nov 27, 2026 at 10:12 AM The Shop <shop@example.com>\nwrote:\n\n> Hello\n> there',
  ],
  [
    'Gmail, Portuguese',
    'Sim, pode ser.\n\nObrigada',
    'Sim, pode ser.\n\nObrigada\n\nA sexta, 27/11/2026, 10:12, Loja <loja@example.com> escreveu:\n\n> Olá',
  ],
  [
    'Gmail, Brazilian',
    'Sim.',
    'Sim.\n\nEm sex., 27 de nov. de 2026 às 10:12, Loja <loja@example.com>\nescreveu:\n\n> Olá',
  ],
  [
    'Gmail, Spanish',
    'Vale',
    'Vale\n\nEl vie, 27 nov 2026 a las 10:12, Tienda (<t@example.com>) escribió:\n\n> Hola',
  ],
  [
    'Gmail, French',
    'Oui',
    'Oui\n\nLe ven. 27 nov. 2026 à 10:12, Boutique <b@example.com> a écrit :\n\n> Bonjour',
  ],
  [
    'Gmail, German',
    'Ja',
    'Ja\n\nAm Fr., 27. Nov. 2026 um 10:12 Uhr schrieb Laden <l@example.com>:\n\n> Hallo',
  ],
  ['Gmail, Polish', 'Tak', 'Tak\n\npt., 27 lis 2026 o 10:12 Sklep <s@example.com> napisał(a):\n\n> Witam'],
  ['Gmail, Russian', 'Да', 'Да\n\nпт, 27 нояб. 2026 г. в 10:12, Магазин <m@example.com>:\n\n> Привет'],
  ['Gmail, Japanese', 'はい', 'はい\n\n2026年11月27日(金) 10:12 店 <s@example.com>:\n\n> こんにちは'],
  ['Gmail, Chinese', '好', '好\n\n店 <s@example.com> 于2026年11月27日周五 10:12写道：\n\n> 你好'],
  [
    'Apple Mail, English',
    'Great!',
    'Great!\n\nSent from my iPhone\n\n> On 27 Nov 2026, at 10:12, Shop <s@example.com> wrote:\n> \n> Hello',
  ],
  [
    'Apple Mail, German',
    'Super',
    'Super\n\nVon meinem iPhone gesendet\n\n> Am 27.11.2026 um 10:12 schrieb Laden <l@example.com>:\n> \n> Hallo',
  ],
  [
    'Apple Mail, Italian',
    'Ok',
    'Ok\n\nInviato da iPhone\n\n> Il giorno 27 nov 2026, alle ore 10:12, Negozio <n@example.com> ha scritto:\n> \n> Ciao',
  ],
  [
    'Apple Mail, Spanish',
    'Perfecto',
    'Perfecto\n\nEnviado desde mi iPhone\n\n> El 27 nov 2026, a las 10:12, Tienda <t@example.com> escribió:\n> \n> Hola',
  ],
  [
    'Outlook for iOS',
    'Thanks, works.',
    'Thanks, works.\n\nGet Outlook for iOS<https://aka.ms/o0ukef>\n________________________________\nFrom: Shop <s@example.com>\nSent: Friday, November 27, 2026 10:12 AM\nTo: Ana <a@example.org>\nSubject: Re: Order\n\nHello',
  ],
  [
    'Outlook, Portuguese',
    'Obrigada.',
    'Obrigada.\n\n________________________________\nDe: Loja <l@example.com>\nEnviado: sexta-feira, 27 de novembro de 2026 10:12\nPara: Ana <a@example.org>\nAssunto: Re: Encomenda\n\nAqui está',
  ],
  [
    'Outlook on a desk, German',
    'Danke!',
    'Danke!\n\nVon: Laden <l@example.com> \nGesendet: Freitag, 27. November 2026 10:12\nAn: Ana <a@example.org>\nBetreff: AW: Bestellung\n\nHallo',
  ],
  [
    'Outlook, old',
    'Merci',
    "Merci\n\n-----Message d'origine-----\nDe : Boutique <b@example.com>\nEnvoyé : vendredi 27 novembre 2026\nÀ : Ana\nObjet : Commande\n\nBonjour",
  ],
  ['a signature', 'Text', 'Text\n\n-- \nAna Sousa\n+351 912 345 678'],
  ['a phone', 'Até já', 'Até já\n\nEnviado do meu iPhone'],
];

/** What only looks like one of these, or would lose somebody's words. */
const whole: [what: string, text: string][] = [
  ['answers between quoted lines', '> What colour?\nBlue\n\n> Which size?\nLarge'],
  [
    'an answer below',
    'On Fri, Nov 27, 2026 at 10:12 AM Shop <s@example.com> wrote:\n> Hello\n\nHello to you',
  ],
  ['nothing but a quote', '> Hello\n> there'],
  ['a sentence', 'On Monday I wrote to you, and you wrote:\n\nnothing.\n\nAna'],
  ['a way', 'My question:\n\nFrom: Lisbon\nTo: Porto\n\nHow long does it take?'],
  ['a list', 'I want\n--\n2 mugs: blue'],
  ['an address', 'Write to me at\nana@example.org:\nthat is easier'],
  ['nothing', ''],
];

describe('of an answer', () => {
  it.each(answers)('%s leaves what was written', (_program, kept, text) => {
    expect(trimReply(text)).toBe(kept);
  });

  it.each(whole)('%s stays whole', (_what, text) => {
    expect(trimReply(text)).toBe(text);
  });

  it('in markup alone the quote is found too', () => {
    const gmail =
      '<div dir="ltr">Yes please</div><br><div class="gmail_quote"><div class="gmail_attr">On Fri, Nov 27, 2026 at 10:12 AM Shop &lt;<a href="mailto:s@example.com">s@example.com</a>&gt; wrote:<br></div><blockquote><p>Hello</p></blockquote></div>';
    expect(trimReply(textOfHtml(gmail))).toBe('Yes please');
    const outlook =
      '<p>Thanks</p><hr><div><b>From:</b> Shop &lt;s@example.com&gt;<br><b>Sent:</b> Friday<br><b>To:</b> Ana<br><b>Subject:</b> Re: Order</div><p>Hello</p>';
    expect(trimReply(textOfHtml(outlook))).toBe('Thanks');
  });
});

describe('what is made to take long', () => {
  const lines = [
    '\n',
    'On ',
    'On 2026 wrote\n',
    'From: a\n',
    'Sent from my x\n',
    '-- \n',
    ':\n',
    '>',
    '> \n',
    '_',
    ' ',
  ];
  it.each(lines)('%j over and over is read at once', (line) => {
    const text = line.repeat(65_536 / line.length);
    expect(trimReply(text).length).toBeLessThanOrEqual(text.length);
  });

  const tags = [
    '<div>',
    '<blockquote>',
    '<table><tr><td>',
    '<ul><li>',
    '<pre>',
    '<p>x',
    '<',
    '<!--',
    '</div>',
    '&amp;',
  ];
  it.each(tags)('%s over and over is read at once', (tag) => {
    expect(textOfHtml(tag.repeat(1_000_000 / tag.length))).toBeTypeOf('string');
  });
});
