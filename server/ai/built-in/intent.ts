import {
  type IntentKey,
  isNegated,
  expression,
  type Language,
  languages,
  type Matter,
  rulesOf,
} from './rules.ts';
import { valenceOf } from './sentiment.ts';
import { plain } from './text.ts';

/** Where a text speaks of several matters alike, the one that weighs most on the customer. */
const order: readonly Matter[] = [
  'return',
  'complaint',
  'order_status',
  'booking',
  'price',
  'product_question',
  'other',
];
/** "I don't want to return it" is no return. Elsewhere negations belong to the matter itself: "it does not work". */
const negatable: ReadonlySet<Matter> = new Set(['return', 'booking']);
/** Below this no matter is spoken of. */
const least = 1.5;
/** How much the other signs of a matter add to its clearest one. */
const seconding = 0.4;
/** So displeased about nothing that the rules know is a complaint. */
const displeased = -2.5;

/**
 * What a message is about. Where no rule speaks, what displeases is a complaint, what asks is about the goods, and the
 * rest is a greeting or something else.
 * @param language null tries the rules of all languages, and answers only where one speaks
 */
export function intentOf(text: string, language: Language | null): IntentKey | null {
  const said = plain(text);
  if (!/[\p{L}\d]/u.test(said)) return null;
  const tried = language ? [language] : languages;
  if (tried.some((one) => greets(said, one))) return 'greeting';
  const scores = order.map((matter) => ({
    matter,
    score: Math.max(...tried.map((one) => score(said, one, matter))),
  }));
  const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.score >= least) return best.matter;
  if (!language) return null;
  if (valenceOf(text, language) <= displeased) return 'complaint';
  const otherwise = scores.some(({ matter, score }) => matter === 'other' && score > 0);
  return said.includes('?') && !otherwise ? 'product_question' : 'other';
}

function score(said: string, language: Language, matter: Matter): number {
  const { matters, negations } = rulesOf[language];
  const weights: number[] = [];
  for (const rule of matters[matter]) {
    const [pattern, weight] = typeof rule === 'string' ? [rule, 2] : rule;
    const found = [...said.matchAll(expression(pattern))];
    const meant = negatable.has(matter)
      ? found.some(({ index }) => !isNegated(said, index, negations))
      : found.length > 0;
    if (meant) weights.push(weight);
  }
  // What speaks loudest decides; the rest adds to it, or many vague words would outvote a clear one.
  const sum = weights.reduce((a, b) => a + b, 0);
  const loudest = Math.max(0, ...weights);
  return loudest + (sum - loudest) * seconding;
}

/** Nothing is left of it once all greetings are taken out. */
function greets(said: string, language: Language): boolean {
  // The longest first: "good morning" before "morning".
  const patterns = rulesOf[language].greeting.toSorted((a, b) => b.length - a.length);
  const rest = patterns.reduce((left, pattern) => left.replaceAll(expression(pattern), ' '), said);
  return rest !== said && !/[\p{L}\d]/u.test(rest);
}
