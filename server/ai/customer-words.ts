import { fold } from './words.ts';

/** Nothing but the word: somebody who wants a person and not this machine. */
const person =
  /^\W*(?:a\s+)?(?:human|person|agent|operator|representative|humano|persona|agente|asesora?|operadora?|pessoa|atendente)\W*$/;
/** To speak with … somebody, in English, Spanish and Portuguese, without accents. */
const speaking = [
  /\b(?:speak|talk|chat|connect|transfer|put)\b[^.?!]{0,30}\b(?:human|person|agent|someone|somebody|operator|manager|representative|real\s+one)\b/,
  /\b(?:hablar|comunicar\w*|conversar|pasam?e|pase?me|atiend\w*)\b[^.?!]{0,40}\b(?:humano|persona|agente|asesora?|alguien|operadora?|encargad[oa])\b/,
  /\b(?:falar|conversar|atendid[oa]|passa\w*|transfer\w*)\b[^.?!]{0,40}\b(?:humano|pessoa|atendente|alguem|agente|operadora?|gerente)\b/,
  /\b(?:real|live)\s+(?:person|agent|human)\b|\bhuman\s+(?:agent|being|support)\b|\bpersona\s+real\b|\bpessoa\s+(?:real|de\s+verdade)\b|\b(?:agente|atendente|atencion|atendimento)\s+human[oa]\b/,
];
const automatic =
  /\bout of (?:the )?office\b|\bauto(?:matic|mated)?[\s-]?(?:reply|response|message|answer)\b|\bdo not reply to this\b|\brespuesta automatica\b|\bmensaje automatico\b|\bfuera de (?:la )?oficina\b|\bresposta automatica\b|\bmensagem automatica\b|\bfora do escritorio\b/;

/** Whether the customer asks for a person. */
export function asksForPerson(text: string): boolean {
  const folded = fold(text);
  return person.test(folded) || speaking.some((pattern) => pattern.test(folded));
}

/** Whether a machine of the customer's wrote this: an absence note, another assistant. */
export function isAutomatic(text: string): boolean {
  return automatic.test(fold(text.slice(0, 400)));
}
