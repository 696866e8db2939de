import { z } from 'zod';
import type { ContactRow } from '../contacts/columns.ts';
import { pathId } from '../../schema/common.ts';
import { findContact } from '../contacts/service.ts';
import { conversationPath } from '../conversations/action.ts';
import { conversationTargets, requireConversation } from '../conversations/record.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import type { QuickReplyRecord } from './present.ts';
import { previewQuickReply, type QuickReplyValues } from './render.ts';
import { quickReplyTargets, requireQuickReply } from './service.ts';

/** A saved text as it reads in a conversation. What has no value still stands there, for the agent to fill in. */
export const showPreview = query(
  {
    access: 'inbox.access',
    dashboardOnly: true,
    input: z.object({ quick_reply: pathId, ...conversationPath }),
    targets: { ...quickReplyTargets, ...conversationTargets },
  },
  async (ctx, { quick_reply, conversation }) => {
    const { contactId } = await requireConversation(ctx, conversation);
    const saved = await requireQuickReply(ctx, quick_reply);
    const values = await valuesFor(ctx, saved, await findContact(ctx, contactId));
    return { text: previewQuickReply(saved.text, values), media: saved.media };
  },
);

/** What the variables of a saved text stand for; the order is the contact's newest. */
export async function valuesFor(
  ctx: Context,
  { variables }: QuickReplyRecord,
  contact: ContactRow | null,
): Promise<QuickReplyValues> {
  const { user, account: company } = ctx.principal;
  const asked = contact !== null && variables.includes('order.number');
  const order = asked
    ? await ctx.db.order.findFirst({
        where: { companyId: ctx.companyId, contactId: contact.id },
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        select: { number: true },
      })
    : null;
  return { contact, agent: user, company, order };
}
