import type { ConversationViewQuery } from '../../../schema/views.ts';
import type { Mode } from '../app/mode.ts';
import { type InboxItem, inboxSubscription, itemOf } from './inbox-item.ts';
import { socket } from './socket.ts';

/** What the list is filtered and ordered by; all of it is in the address. */
export type InboxFilters = Omit<ConversationViewQuery, 'limit' | 'cursor'>;

/** The last place of the log that this tab has heard of, in each mode. */
const heard: Partial<Record<Mode, string>> = {};

/** An id that no event has: the server answers with `resync` and the place where the stream starts. */
const nowhere = '0'.repeat(26);

/** After the server has ended or refused a subscription, in milliseconds. */
const pause = 5_000;

/**
 * Hears of every change of conversations, with whether a list with these filters has them. It resumes where this tab
 * has stopped hearing, whatever the filters were. @returns what ends it
 */
export function followInbox(
  mode: Mode,
  { sort: _order, ...filters }: InboxFilters,
  hear: (item: InboxItem) => void,
): () => void {
  const variables: Record<string, unknown> = { ...filters, after: heard[mode] ?? nowhere };
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave = () => {};
  const again = () => {
    if (!over) timer = setTimeout(start, pause);
  };
  const start = () => {
    // The client sends the same object after each break, so it resumes at what stands in it then.
    leave = socket(mode).subscribe<{ inbox: unknown }>(
      { query: inboxSubscription, variables },
      {
        next: ({ data }) => {
          if (over || !data) return;
          const item = itemOf(data.inbox);
          if (item.sequence !== null) {
            heard[mode] = String(item.sequence);
            variables['after'] = heard[mode];
          }
          hear(item);
        },
        error: again,
        complete: again,
      },
    );
  };
  start();
  return () => {
    over = true;
    clearTimeout(timer);
    leave();
  };
}
