import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

export type { Logger };

/** Paths that never reach a log line, wherever an object is logged by mistake. */
const secrets = ['authorization', 'cookie', 'password', 'secret', 'key', 'token', 'databaseUrl'];
const redact = secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/**
 * Structured log: one JSON line an event, ids but no bodies and no personal data.
 * @param level pino level name, or `silent`
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    redact: { paths: redact, censor: '[redacted]' },
    timestamp: stdTimeFunctions.isoTime,
    base: { pid: process.pid },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}

export type Log = Logger;

/** The log of a process: standard error, so that standard output stays free for results. */
export function createLog(level: string): Logger {
  return createLogger(level, destination({ fd: 2, sync: true }));
}
