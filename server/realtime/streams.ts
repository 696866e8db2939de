/**
 * A stream made of another one: each item through `step`, undefined is left out. Leaving reaches the source at once,
 * also while it waits, which a generator around it would only do after its next item.
 */
export function mapStream<From, To>(
  source: AsyncIterableIterator<From>,
  step: (item: From) => To | undefined | Promise<To | undefined>,
  left: () => void = () => {},
): AsyncIterableIterator<To> {
  const steps = mapped(source, step, left);
  return interruptible(steps, async () => {
    left();
    await source.return?.();
  });
}

async function* mapped<From, To>(
  source: AsyncIterable<From>,
  step: (item: From) => To | undefined | Promise<To | undefined>,
  left: () => void,
): AsyncGenerator<To, undefined, undefined> {
  try {
    for await (const item of source) {
      const made: To | undefined = await step(item);
      if (made !== undefined) yield made;
    }
  } finally {
    left();
  }
  return undefined;
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
