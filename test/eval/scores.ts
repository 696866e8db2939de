import { intentOf } from '../../server/ai/built-in/intent.ts';
import { languageOf } from '../../server/ai/built-in/language.ts';
import { sentimentOf, valenceOf } from '../../server/ai/built-in/sentiment.ts';
import { type Labelled, readLabelled } from './labelled.ts';

/** Of all that were given a label, how many deserve it; of all that deserve it, how many were given it. */
export interface Score {
  label: string;
  precision: number | null;
  recall: number | null;
  /** Messages with this label in the set. */
  count: number;
}

interface Judged extends Labelled {
  foundLanguage: string | null;
  foundIntent: string | null;
  foundSentiment: string | null;
}

export interface Scores {
  messages: number;
  /** Share of messages whose language, intent and sentiment were found. */
  accuracy: { language: number; intent: number; sentiment: number };
  intents: Score[];
  sentiments: Score[];
  wrong: Judged[];
}

/** How well the built-in engine reads one part of the labelled set, each message on its own. */
export function scoresOf(part: 'tuning' | 'held-out'): Scores {
  const judged = readLabelled(part).map(judge);
  const right = (is: (one: Judged) => boolean) => judged.filter(is).length / judged.length;
  const rightIntent = (one: Judged) => one.foundIntent === one.intent;
  const rightSentiment = (one: Judged) => one.foundSentiment === one.sentiment;
  return {
    messages: judged.length,
    accuracy: {
      language: right((one) => one.foundLanguage === one.language),
      intent: right(rightIntent),
      sentiment: right(rightSentiment),
    },
    intents: scores(judged.map(({ intent, foundIntent }) => [intent, foundIntent])),
    sentiments: scores(judged.map(({ sentiment, foundSentiment }) => [sentiment, foundSentiment])),
    wrong: judged.filter((one) => !rightIntent(one) || !rightSentiment(one)),
  };
}

function judge(labelled: Labelled): Judged {
  const language = languageOf(labelled.text);
  return {
    ...labelled,
    foundLanguage: language,
    foundIntent: intentOf(labelled.text, language),
    foundSentiment: language && sentimentOf(valenceOf(labelled.text, language)),
  };
}

function scores(pairs: readonly (readonly [wanted: string, found: string | null])[]): Score[] {
  const labels = [...new Set(pairs.map(([wanted]) => wanted))].sort();
  return labels.map((label) => {
    const count = pairs.filter(([wanted]) => wanted === label).length;
    const given = pairs.filter(([, found]) => found === label).length;
    const right = pairs.filter(([wanted, found]) => wanted === label && found === label).length;
    return { label, precision: given ? right / given : null, recall: count ? right / count : null, count };
  });
}
