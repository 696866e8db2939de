const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Waits before each attempt, in milliseconds: ten attempts in 75 h 35 min (decisions §8). */
export const waits: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

const jitter = 0.1;
const longestRetryAfter = 24 * hour;

/**
 * When the next attempt is due, or null after the last one.
 * @param made attempts made since the schedule began
 * @param retryAfter the receiver's header, in seconds or as a date; at most 24 hours are honoured
 * @param random 0 to 1
 */
export function nextAttempt(
  made: number,
  now: Date,
  retryAfter: string | undefined,
  random = Math.random(),
): Date | null {
  const wait = waits[made];
  if (wait === undefined) return null;
  const scheduled = wait * (1 - jitter + 2 * jitter * random);
  return new Date(now.getTime() + Math.round(Math.max(scheduled, asked(retryAfter, now))));
}

function asked(retryAfter: string | undefined, now: Date): number {
  if (retryAfter === undefined) return 0;
  const given = /^\d{1,9}$/.test(retryAfter.trim())
    ? Number(retryAfter) * second
    : Date.parse(retryAfter) - now.getTime();
  return Number.isNaN(given) ? 0 : Math.min(given, longestRetryAfter);
}

/** What an endpoint's row remembers of how it fares. */
export interface Health {
  lastSuccessAt: Date | null;
  lastFailureAt: Date | null;
  /** The second failure within 24 hours since the last success. */
  failingSince: Date | null;
  /** Failures since the last success. */
  failureCount: number;
  circuitOpenUntil: Date | null;
}

const circuit = { failures: 5, first: 5 * second, most: minute };
const giveUpAfter = 120 * hour;

/** A success clears the clock and closes the circuit. */
export function succeeded(health: Health, at: Date): Health {
  return { ...health, lastSuccessAt: at, failingSince: null, failureCount: 0, circuitOpenUntil: null };
}

/**
 * From the fifth failure in a row on, nothing is sent for some seconds, then one attempt at a time: what waits
 * meanwhile uses up none of its attempts.
 */
export function failed(health: Health, at: Date): Health {
  const failureCount = health.failureCount + 1;
  const again =
    health.failureCount > 0 &&
    health.lastFailureAt !== null &&
    at.getTime() - health.lastFailureAt.getTime() <= 24 * hour;
  const over = failureCount - circuit.failures;
  const pause = over < 0 ? 0 : Math.min(circuit.first * 2 ** Math.min(over, 10), circuit.most);
  return {
    ...health,
    lastFailureAt: at,
    failureCount,
    failingSince: health.failingSince ?? (again ? at : null),
    circuitOpenUntil: pause === 0 ? null : new Date(at.getTime() + pause),
  };
}

/** Whether nothing but failures for 120 hours is enough to switch the endpoint off. */
export function isBeyondHope({ failingSince }: Health, now: Date): boolean {
  return failingSince !== null && now.getTime() - failingSince.getTime() >= giveUpAfter;
}
