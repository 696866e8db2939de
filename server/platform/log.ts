import { type DestinationStream, pino, stdTimeFunctions } from 'pino';

export type Log = pino.Logger;

/** What looks like a credential is cut out, wherever an object with one is logged by mistake. */
const secrets = ['authorization', 'cookie', 'password', 'key', 'secret', 'token', 'databaseUrl'];

/**
 * One JSON line per event on standard error, so that standard output stays free for results.
 * Ids, but no bodies and no personal data.
 * @param level pino level name, or `silent`
 * @param destination where the lines go; tests give one of their own
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  return pino(
    {
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), censor: '[hidden]' },
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  );
}
