/** What is told of a piece of work. Never a value of a statement, a body, a person or a secret. */
export type Facts = Record<string, string | number>;

interface Work {
  name: string;
  /** In the words of OpenTelemetry: what takes from a queue, and what asks another server. */
  kind: 'consumer' | 'client';
  facts: Facts;
}

/** Says how the work ended, where no error does. */
type Tell = (facts: Facts, failed: boolean) => void;

/** Does work as a span: statements that it runs are spans within it, and an error fails it. */
export type InSpan = <T>(work: Work, run: (tell: Tell) => Promise<T>) => Promise<T>;

/** Where nothing is traced the work is just done. */
export const untraced: InSpan = (_work, run) => run(() => {});
