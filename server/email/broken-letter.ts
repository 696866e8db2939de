import type { LetterHead } from './letter.ts';

/** A mail that can't be read to its end; its head may be known. */
export class BrokenLetter extends Error {
  readonly head: LetterHead | null;

  constructor(head: LetterHead | null, cause: unknown) {
    super('The mail can’t be read.', { cause });
    this.name = 'BrokenLetter';
    this.head = head;
  }
}
