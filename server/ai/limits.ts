/** How long a provider is waited for, in milliseconds. */
export const callLimitMs: number = 20_000;
/** Suggestions may be generated so often a minute in one conversation. */
export const generationsPerMinute = 10;
/** A pending suggestion expires after so many milliseconds. */
export const suggestionLifeMs = 24 * 60 * 60 * 1_000;
/** New messages of a customer that start the hold of an AI reply again. */
export const holdRestarts = 3;
/** AI replies to one conversation within an hour: two machines that answer each other come to an end. */
export const repliesPerHour = 10;
