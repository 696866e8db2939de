import { z } from 'zod';
import { conversationPath } from '../conversations/action.ts';
import { presenceOf, type PresenceState } from '../conversations/presence.ts';
import { conversationExists, conversationTargets } from '../conversations/record.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import type { FeedReader } from '../platform/feed-readers.ts';
import { authorize, query } from '../platform/operation.ts';
import { interruptible } from '../platform/streams.ts';

const inbox = { access: 'inbox.access' } as const;
/** A lock or typing flag that is not renewed ends without anybody telling: looked at again after these, in ms. */
const lookAgain = { typing: 6_100, held: 30_100 } as const;

/** Who edits a conversation: now, and whenever it changes. Nothing to resume, for only the present state counts. */
export const followPresence = query(
  { ...inbox, input: z.object(conversationPath), targets: conversationTargets },
  async (ctx, { conversation }) => {
    if (!(await conversationExists(ctx, conversation))) throw notFound();
    const reader = await ctx.app.feed.join(
      ctx.companyId,
      (told) => ('announcement' in told ? told.announcement.type === 'presence.updated' : 'missed' in told),
      conversation,
    );
    return interruptible(states(ctx, conversation, reader), () => reader.close());
  },
);

async function* states(
  ctx: Context,
  conversation: string,
  reader: FeedReader,
): AsyncGenerator<PresenceState, undefined, undefined> {
  let last = '';
  try {
    for (let open = true; open;) {
      authorize(inbox, ctx);
      const state = (await presenceOf(ctx, [conversation])).get(conversation);
      if (!state) return undefined;
      const text = JSON.stringify(state);
      if (text !== last) yield state;
      last = text;
      open = await changed(reader, state);
    }
  } finally {
    reader.close();
  }
  return undefined;
}

/** Waits for a change or for the end of a flag. @returns false once the reader is closed */
async function changed(reader: FeedReader, { typing, holderId }: PresenceState): Promise<boolean> {
  const patience = typing ? lookAgain.typing : holderId === null ? undefined : lookAgain.held;
  return (await reader.next(patience)) !== null;
}
