/**
 * A stream made of another one: each item through `step`, undefined is left out. Leaving reaches the source at once,
 * also while it waits.
 * @param left called once, when it is over
 */
export function mapStream<From, To>(
  source: AsyncIterator<From>,
  step: (item: From) => To | undefined | Promise<To | undefined>,
  left: () => void = () => {},
): AsyncIterableIterator<To> {
  let over = false;
  const end = () => {
    if (!over) left();
    over = true;
  };
  const leave = async () => {
    end();
    await source.return?.();
  };
  // No generator: thousands of these wait for one event, and each of its turns would cost several more.
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      try {
        // A source that was left has no more items.
        for (let item = await source.next(); !item.done; item = await source.next()) {
          const made = await step(item.value);
          if (made !== undefined) return { done: false, value: made };
        }
      } catch (error) {
        await leave();
        throw error;
      }
      end();
      return { done: true, value: undefined };
    },
    async return() {
      await leave();
      return { done: true, value: undefined };
    },
  };
}

/** A generator that can be left while it waits: `wake` makes what it waits for come to an end. */
export function interruptible<T>(
  steps: AsyncGenerator<T, undefined, undefined>,
  wake: () => void | Promise<void>,
): AsyncIterableIterator<T> {
  return {
    [Symbol.asyncIterator]() {
      return this;
    },
    next: () => steps.next(),
    async return() {
      await wake();
      return steps.return(undefined);
    },
  };
}
