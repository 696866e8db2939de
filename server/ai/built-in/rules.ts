import type { intentKeys } from '../../../schema/ai.ts';
import { englishMatters } from './matters-en.ts';
import { spanishMatters } from './matters-es.ts';
import { portugueseMatters } from './matters-pt.ts';
import { englishSignals } from './signals-en.ts';
import { englishTone } from './tone-en.ts';
import { spanishSignals } from './signals-es.ts';
import { spanishTone } from './tone-es.ts';
import { portugueseSignals } from './signals-pt.ts';
import { portugueseTone } from './tone-pt.ts';

export type IntentKey = (typeof intentKeys)[number];
/** What the rules are about; a greeting is a message that is nothing else. */
export type Matter = Exclude<IntentKey, 'greeting'>;

/** Languages the engine has rules and a lexicon for. */
export const languages = ['en', 'es', 'pt'] as const;
export type Language = (typeof languages)[number];

/** Pattern of folded text, and how much it says (2 unless given). */
export type Pattern = string | readonly [pattern: string, weight: number];

/** What speaks for each matter, in one language. Patterns are regular expressions on folded text, between word borders. */
export type Matters = Readonly<Record<Matter, readonly Pattern[]>>;

/** Those of them that are about goods: a file of their own, since there are many. */
export type Goods = Pick<Matters, 'product_question' | 'price' | 'order_status' | 'return'>;

/** What else a message may say, in one language. */
export interface Signals {
  /** All that a mere greeting is made of. */
  greeting: readonly string[];
  /** Somebody says that they buy; asks in a way that buyers do; says that they don't. */
  buying: readonly string[];
  interested: readonly string[];
  declining: readonly string[];
  /** A human is asked for. */
  handoff: readonly string[];
}

/** How it is said, in one language. */
export interface Tone {
  /** Words that turn around what follows within three words. */
  negations: readonly string[];
  /** Folded words that the lexicon does not know or gets wrong in a shop, after their valence, −5 to 5. */
  valence: readonly (readonly [valence: number, words: string])[];
  /** Patterns with a valence of their own. */
  phrases: readonly (readonly [pattern: string, valence: number])[];
}

export interface Rules extends Signals, Tone {
  matters: Matters;
}

export const rulesOf: Readonly<Record<Language, Rules>> = {
  en: { matters: englishMatters, ...englishSignals, ...englishTone },
  es: { matters: spanishMatters, ...spanishSignals, ...spanishTone },
  pt: { matters: portugueseMatters, ...portugueseSignals, ...portugueseTone },
};

const compiled = new Map<string, RegExp>();

/** A rule's expression, between word borders. */
export function expression(pattern: string): RegExp {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = new RegExp(`(?<![\\p{L}\\d])(?:${pattern})(?![\\p{L}\\d])`, 'gu');
  compiled.set(pattern, made);
  return made;
}

export function says(text: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => text.search(expression(pattern)) >= 0);
}

/** Whether something that the text says three words or less after a negation is meant. */
export function affirms(text: string, patterns: readonly string[], negations: readonly string[]): boolean {
  return patterns.some((pattern) =>
    [...text.matchAll(expression(pattern))].some(({ index }) => !isNegated(text, index, negations)),
  );
}

/** Within a clause: a comma or a full stop ends what a negation reaches. */
export function isNegated(text: string, index: number, negations: readonly string[]): boolean {
  const clause =
    text
      .slice(0, index)
      .split(/[,.;!?\n]/)
      .at(-1) ?? '';
  const before = clause.match(/[\p{L}']+/gu)?.slice(-3) ?? [];
  return before.some((word) => negations.includes(word));
}
