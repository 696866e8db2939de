import { fold } from './words.ts';

/** What machines say of themselves in English, Spanish and Portuguese, without accents. */
const automatic =
  /\bout of (?:the )?office\b|\bauto(?:matic|mated)?[\s-]?(?:reply|response|message|answer)\b|\bdo not reply to this\b|\b(?:respuesta|mensaje) automatic[oa]\b|\bfuera de (?:la )?oficina\b|\b(?:resposta|mensagem) automatica\b|\bfora do escritorio\b/;

/** Whether a machine of the customer's wrote this: an absence note, another assistant. */
export function isAutomatic(text: string): boolean {
  return automatic.test(fold(text.slice(0, 400)));
}
