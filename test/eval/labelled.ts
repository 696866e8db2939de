import { readFileSync } from 'node:fs';
import { intentKeys, type sentiments } from '../../schema/ai.ts';
import type { IntentKey, Language } from '../../server/ai/built-in/rules.ts';

type Sentiment = (typeof sentiments)[number];

/** One message of a customer with what a person says of it. */
export interface Labelled {
  language: Language;
  intent: IntentKey;
  sentiment: Sentiment;
  text: string;
}

const signs: Readonly<Record<string, Sentiment>> = { '+': 'positive', '0': 'neutral', '-': 'negative' };
const line = new RegExp(`^(${intentKeys.join('|')}) ([+0-]) (.+)$`);

/** Reads a part of the set; a line that is neither empty, comment, language nor label is an error. */
export function readLabelled(part: 'tuning' | 'held-out'): Labelled[] {
  const found: Labelled[] = [];
  let language: Language = 'en';
  for (const row of readFileSync(new URL(`${part}.txt`, import.meta.url), 'utf8').split('\n')) {
    if (row === '' || row.startsWith('#')) continue;
    const heading = /^== (en|es|pt)$/.exec(row)?.[1];
    if (heading) {
      language = heading as Language;
      continue;
    }
    const [, intent, sign, text] = line.exec(row) ?? [];
    const sentiment = signs[sign ?? ''];
    if (intent === undefined || text === undefined || !sentiment) throw new Error(`${part}: ${row}`);
    found.push({ language, intent: intent as IntentKey, sentiment, text });
  }
  return found;
}
