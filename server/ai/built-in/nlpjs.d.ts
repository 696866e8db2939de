// The packages of NLP.js ship no types; these are the parts that the lexicon uses.
declare module '@nlpjs/lang-es' {
  export class StemmerEs {
    stemWords(words: string[]): string[];
  }
  export const SentimentEs: { afinn: Record<string, number> };
}
declare module '@nlpjs/lang-pt' {
  export class StemmerPt {
    stemWords(words: string[]): string[];
  }
  export const SentimentPt: { afinn: Record<string, number> };
}
