import { pino } from 'pino';

export type Log = pino.Logger;

/**
 * One JSON line per event on standard error, so that standard output stays free for results.
 * No bodies and no personal data belong in it; what looks like a credential is cut out all the same.
 */
export function createLog(level: string): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      redact: {
        paths: ['authorization', 'cookie', 'password', 'key', 'secret', 'token'].flatMap((name) => [
          name,
          `*.${name}`,
          `*.headers.${name}`,
        ]),
        censor: '[hidden]',
      },
    },
    pino.destination({ fd: 2, sync: true }),
  );
}
