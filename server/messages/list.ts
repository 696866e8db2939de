import { z } from 'zod';
import { Prisma } from '../../prisma/generated/client/client.ts';
import { momentOf, pathId } from '../../schema/common.ts';
import { MessageListQuery } from '../../schema/messages.ts';
import { notFound } from '../platform/errors.ts';
import { query } from '../platform/operation.ts';
import { readPage } from '../platform/pagination.ts';
import { findMessage, type MessageRecord, messageTargets, selectMessages } from './record.ts';

export const messagePath = { message: pathId };

/** Newest first. Both ids match nothing when they are unknown. */
export const listMessages = query({ access: 'inbox.access', input: MessageListQuery }, (ctx, input) =>
  readPage<MessageRecord>(ctx, {
    list: 'messages',
    select: selectMessages,
    where: filtersOf(input),
    filters: input,
    sort: { name: 'at', column: 'at', type: 'timestamptz', direction: 'desc', valueOf: (row) => row.at },
    limit: input.limit,
    cursor: input.cursor,
  }),
);

export const showMessage = query(
  { access: 'inbox.access', input: z.object(messagePath), targets: messageTargets },
  async (ctx, { message }) => {
    const record = await findMessage(ctx, message);
    if (!record) throw notFound();
    return record;
  },
);

function filtersOf({ conversation, contact, direction, type, from, to }: MessageListQuery): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  if (conversation !== undefined) filters.push(Prisma.sql`conversation_id = ${conversation}`);
  if (contact !== undefined) filters.push(Prisma.sql`contact_id = ${contact}`);
  if (direction !== undefined) filters.push(Prisma.sql`direction = ${direction}`);
  if (type !== undefined) filters.push(Prisma.sql`type = ${type}`);
  if (from !== undefined) filters.push(Prisma.sql`at >= ${new Date(momentOf(from))}`);
  if (to !== undefined) filters.push(Prisma.sql`at < ${new Date(momentOf(to))}`);
  return filters;
}
