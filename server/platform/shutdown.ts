/** In-flight requests get this long, in milliseconds (reliability D9). */
export const DRAIN_LIMIT_MS = 25_000;

/* Ctrl-C reaches us from the terminal, from npm and from the boot script: within this it is one wish. */
const SAME_WISH_MS = 1_000;

export type StopReason = { signal: NodeJS.Signals | undefined; error: unknown };

/**
 * Calls `stop` once: on SIGTERM, SIGINT or SIGHUP, when the process that started us is gone, or on an
 * unhandled error (the caller logs it and ends with another code than 0). A second signal ends the
 * process at once.
 */
export function onStop(stop: (reason: StopReason) => void): void {
  let first: number | undefined;
  const wish = (signal: NodeJS.Signals | undefined, error?: unknown): void => {
    if (first === undefined) {
      first = Date.now();
      stop({ signal, error });
    } else if (signal && Date.now() - first > SAME_WISH_MS) {
      process.exit(130);
    }
  };
  const onSignal = (signal: NodeJS.Signals): void => wish(signal);
  const onError = (error: unknown): void => wish(undefined, error ?? new Error('Unhandled rejection'));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', onError);
  process.on('unhandledRejection', onError);
  process.on('disconnect', () => wish('SIGTERM'));
}
