import type { Event } from '../../schema/events.ts';
import { withSequence } from '../platform/events.ts';

/** Longest body, in bytes (decisions §8). */
const limit = 256 * 1024;

/**
 * The bytes of an event as every attempt sends them, made from the stored row alone.
 * Of a record that does not fit only the id is told: `{id, truncated: true}`; it is to be fetched.
 */
export function eventBody(stored: Omit<Event, 'sequence'>, sequence: bigint): Buffer {
  const event = withSequence(stored, sequence);
  const body = Buffer.from(JSON.stringify(event));
  if (body.length <= limit) return body;
  const { id } = event.data.object;
  return Buffer.from(JSON.stringify({ ...event, data: { object: { id, truncated: true } } }));
}
