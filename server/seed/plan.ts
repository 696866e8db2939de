import { createHash } from 'node:crypto';
import type { Agent, TagRef } from '../sandbox/thread.ts';
import { SeedIds } from './ids.ts';
import { type Person, person } from './people.ts';
import { Random } from './random.ts';

/** How much to make, and from which seed. */
export interface SeedOptions {
  companyId: string;
  seed: string;
  contacts: number;
  conversations: number;
  messages: number;
  products: number;
  orders: number;
  /** The newest conversation ends here; a fixed date unless given, so that the same seed gives the same rows. */
  until?: Date;
  /** How far apart things are, in milliseconds; close together unless given, since a seed may be large. */
  pace?: Pace;
  /** Called with how many more records are in. */
  onProgress?(count: number): void;
}

export interface Pace {
  /** Between the beginnings of two conversations. */
  talk: number;
  /** Between two orders. */
  order: number;
  /** Between two new contacts. */
  contact: number;
  /** From the first contact to the end. */
  all: number;
}

/** What a run really inserted; what was there already is not counted. */
export interface SeedCounts {
  contacts: number;
  conversations: number;
  messages: number;
  products: number;
  orders: number;
}

/** What the seed finds in, or adds to, the company before it begins. */
export interface SeedStage {
  currency: string;
  agents: readonly Agent[];
  channel: { id: string; kind: string };
  tags: readonly TagRef[];
}

const defaultUntil = new Date('2026-06-30T18:00:00.000Z');
const minute = 60_000;
const defaultPace: Pace = {
  talk: 4 * minute,
  order: 60 * minute,
  contact: 0.25 * minute,
  all: 6 * 365 * 1_440 * minute,
};

/** Everything that follows from the options alone: who number 17 is, when conversation 17 began. */
export class SeedPlan {
  readonly options: SeedOptions;
  readonly ids: SeedIds;
  readonly until: Date;
  readonly pace: Pace;
  /** Four letters that keep the SKUs and e-mails of two seeds apart. */
  readonly mark: string;
  readonly #phoneStart: number;

  constructor(options: SeedOptions) {
    const hash = createHash('sha256').update(`${options.companyId}\n${options.seed}`).digest();
    this.options = options;
    this.ids = new SeedIds(options.companyId, options.seed);
    this.until = options.until ?? defaultUntil;
    this.pace = options.pace ?? defaultPace;
    this.mark = [...hash.subarray(0, 4)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('');
    this.#phoneStart = hash.readUInt32LE(4) % 100_000_000;
  }

  random(kind: string, index: number): Random {
    return new Random(`${this.options.seed}/${kind}/${index}`);
  }

  person(index: number): Person {
    return person(this.random('person', index), index, this.#phoneStart, this.mark);
  }

  /** Long before what they talk about. */
  contactCreatedAt(index: number): Date {
    return new Date(this.until.getTime() - this.pace.all + index * this.pace.contact);
  }

  contactId(index: number): string {
    return this.ids.id('contact', index, this.contactCreatedAt(index));
  }

  productId(index: number): string {
    return this.ids.id('product', index, this.contactCreatedAt(0));
  }

  /** Number 0 is the newest; a larger run only adds older ones. */
  startOf(index: number): Date {
    return new Date(this.until.getTime() - (index + 1) * this.pace.talk);
  }

  placedAt(index: number): Date {
    return new Date(this.until.getTime() - (index + 1) * this.pace.order);
  }

  conversationId(index: number): string {
    return this.ids.id('conversation', index, this.startOf(index));
  }

  /** How many messages conversation `index` has. They add up to the number asked for. */
  lengthOf(index: number): number {
    const { messages, conversations } = this.options;
    const share = (n: number) =>
      Math.floor(((n + 1) * messages) / conversations) - Math.floor((n * messages) / conversations);
    // Neighbours share unevenly, so that some threads are short and some long.
    const first = index - (index % 2);
    if (first + 1 >= conversations) return share(index);
    const moved = Math.floor(share(first) * this.random('length', first).below(80) * 0.01);
    return index === first ? share(index) - moved : share(index) + moved;
  }
}
