import type { Context } from '../platform/context.ts';
import { presentPage } from '../platform/present.ts';
import type { Inbox } from './list.ts';
import { presentConversation } from './present.ts';
import type { ConversationRecord } from './record.ts';

/** A page of the inbox as the public list body, with the number on its badge. */
export function presentInbox({ totalUnread, ...page }: Inbox, ctx: Context) {
  const now = ctx.now();
  const present = presentPage((record: ConversationRecord) => presentConversation(record, now));
  const { data, meta } = present(page, ctx);
  return { data, meta: { ...meta, total_unread: totalUnread } };
}
