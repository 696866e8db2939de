import type { EventFamily } from '../../../schema/events.ts';
import { follow } from '../conversation/follow.ts';

/** What happened to a record, with the record after it. */
export interface RecordEvent {
  type: string;
  family: string;
  /** The record as REST returns it, or `{id, deleted}`. */
  object: { id: string } & Record<string, unknown>;
  version: number | null;
  details: Record<string, unknown> | null;
}

interface Item {
  resync: boolean;
  sequence: number | null;
  event: RecordEvent | null;
}

const subscription = `subscription ($after: ID) {
  events(after: $after) { resync sequence event { type family object version details } }
}`;

/** An id that no event has: the server answers with `resync` and the place where the stream starts. */
const nowhere = '0'.repeat(26);

/**
 * Hears what happens to the records of one family while a page shows them. @param lost called when events are no
 * longer kept @returns what ends it
 */
export function followEvents(
  family: EventFamily,
  hear: (event: RecordEvent) => void,
  lost: () => void,
): () => void {
  // Sent again after each break as it stands then, so nothing is missed.
  const variables: Record<string, unknown> = { after: nowhere };
  return follow<Item>(subscription, variables, ({ resync, sequence, event }) => {
    if (resync && variables['after'] !== nowhere) lost();
    if (sequence !== null) variables['after'] = String(sequence);
    if (event?.family === family) hear(event);
  });
}
