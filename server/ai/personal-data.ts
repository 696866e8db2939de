import { fold } from './words.ts';

/** An address, a link, or five digits in a row or parted by what phones, cards and order numbers are parted by. */
const tellTale = [/[^\s@]+@[^\s@]+\.[^\s@]+/, /https?:\/\/|www\./i, /\d(?:[\s()./-]?\d){3,}/];
/** A number that names something of one customer: an order, a booking, a house. */
const numbered =
  /(?:\b(?:order|booking|invoice|ticket|tracking|pedido|reserva|factura|fatura|encomenda|compra|ticket)\s*(?:n[.ºo°]*|num(?:ero)?|number|#)?\s*#?\d)|#\s?\d|n[º°]\s?\d/i;
/** Somebody is spoken to by name: "Hola Ana,", "you are welcome, Tom!". The word after it decides, by its capital. */
const greetings =
  /(?<!\p{L})(?:hi|hello|hey|dear|thanks|thank you|welcome|morning|afternoon|evening|hola|gracias|estimad[oa]|querid[oa]|d[ií]as|tardes|noches|a ti|ol[aá]|obrigad[oa]|car[oa]|dia|tarde|noite|ordens),?\s+(?:(?:mrs?|ms|sra?|d[oñ]a?|don)\.?\s+)?(\p{L}+)/giu;
const signedName = /,\s\p{Lu}\p{Ll}+\s?[!.]?\s*$/u;

function speaksToSomebody(text: string): boolean {
  if (signedName.test(text)) return true;
  return [...text.matchAll(greetings)].some(([, word]) => word !== undefined && /^\p{Lu}/u.test(word));
}

/**
 * Whether an answer that was given to one customer tells something of them, so that nobody else may get it: a phone,
 * an e-mail, a link, a number of an order, a form of address by name, or their own name. Errs on the side of yes.
 */
export function holdsPersonalData(text: string, name: string | null): boolean {
  if (tellTale.some((pattern) => pattern.test(text)) || numbered.test(text)) return true;
  if (speaksToSomebody(text)) return true;
  if (name === null) return false;
  const words = new Set(fold(text).match(/\p{L}+/gu) ?? []);
  return (fold(name).match(/\p{L}{2,}/gu) ?? []).some((part) => words.has(part));
}

const calendar = new Set(
  `monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
   october november december i`.split(/\s+/),
);

/**
 * Whether a text has a word with a capital inside a sentence that none of the known texts has: a name, a town. Days and
 * months of English are none.
 */
export function namesSomething(text: string, known: readonly string[]): boolean {
  const allowed = new Set(known.flatMap((one) => fold(one).match(/\p{L}+/gu) ?? []));
  return [...text.matchAll(/(?<![.!?…:]\s*|^\s*|[\p{L}'’])\p{Lu}\p{L}*/gmu)].some(([word]) => {
    const folded = fold(word);
    return !allowed.has(folded) && !calendar.has(folded);
  });
}
