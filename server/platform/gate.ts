/** Lets so many in at a time; the others wait in the order in which they came. */
export class Gate {
  readonly #places: number;
  readonly #waiting: (() => void)[] = [];
  #taken = 0;

  constructor(places: number) {
    this.#places = places;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken < this.#places) this.#taken++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The place goes to the next in the queue, if there is one.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken--;
    }
  }
}
