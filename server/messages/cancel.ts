import { z } from 'zod';
import { cancelHeld } from '../conversations/held.ts';
import { changeConversation, lockConversation } from '../conversations/thread.ts';
import { conflict, notFound } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import { messagePath } from './list.ts';
import { findMessage, messageTargets } from './record.ts';

/** Cancels a held message: it is never sent. Told to nobody, since nothing was sent. */
export const cancelMessage = mutation(
  { access: 'inbox.access', input: z.object(messagePath), targets: messageTargets },
  async (ctx, { message: id }) => {
    const found = await findMessage(ctx, id);
    if (!found) throw notFound();
    const record = await lockConversation(ctx, found.conversationId);
    const changes = (await cancelHeld(ctx, [record], 'request', { id: found.id })).get(record.id);
    if (!changes) throw conflict('Only a held message can be cancelled.');
    await changeConversation(ctx, record, changes);
    const message = await findMessage(ctx, id);
    if (!message) throw notFound();
    return message;
  },
);
