import { z } from 'zod';
import { pathId } from '../../schema/common.ts';
import { forbidden } from '../platform/errors.ts';
import { mutation } from '../platform/operation.ts';
import type { Context, UserRef } from '../platform/context.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { type ConversationRecord, conversationTargets } from './record.ts';
import { lockConversation } from './thread.ts';

export const conversationPath = { conversation: pathId };

/**
 * Does something to locked conversations, those where it is not so already, and returns them as they are now.
 * One conversation and a bulk of 200 go through the same function.
 */
export type Act = (ctx: WorkContext, records: readonly ConversationRecord[]) => Promise<ConversationRecord[]>;

/** An action on one conversation that needs nothing but its id. Already so: 200 without entry and event. */
export function plainAction(act: Act) {
  return mutation(
    { access: 'inbox.access', input: z.object(conversationPath), targets: conversationTargets },
    (ctx, { conversation }) => actOnOne(ctx, conversation, act),
  );
}

/** @returns the conversation afterwards, changed or not */
export async function actOnOne(ctx: WorkContext, id: string, act: Act): Promise<ConversationRecord> {
  const record = await lockConversation(ctx, id);
  const [after] = await act(ctx, [record]);
  return after ?? record;
}

/** The agent who acts; pins, follows and locks are theirs. @throws AppError `forbidden` when the system acts */
export function actingUser({ principal }: Pick<Context, 'principal'>): UserRef {
  if (!principal.user) throw forbidden('Only an agent can do that.');
  return principal.user;
}
