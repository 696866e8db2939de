import { ConversationNote } from '../../schema/conversations.ts';
import type { NoteEntry } from '../../schema/timeline.ts';
import { type Detail, invalid } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { conversationPath } from './action.ts';
import { type Agent, agentsByEmail } from './agents.ts';
import { authorOf, presentAuthor } from './authors.ts';
import { notifyAgents } from './notifications.ts';
import { addFollowers } from './personal.ts';
import { type ConversationRecord, conversationTargets } from './record.ts';
import { entryTime, lockConversation, recordEntry } from './thread.ts';

/** Adds a private note. Agents it mentions are told, muted or not, and follow the conversation from now on. */
export const addNote = mutation(
  {
    access: 'inbox.access',
    input: ConversationNote.extend(conversationPath),
    targets: conversationTargets,
  },
  async (ctx, { conversation, body, mentions }) => {
    const record = await lockConversation(ctx, conversation);
    const agents = await requireMentions(ctx, mentions ?? []);
    const { note } = await writeNote(ctx, record, { text: body, mentions: agents });
    return note;
  },
);

interface Draft {
  text: string;
  mentions: readonly Agent[];
  cause?: string;
}

/** Writes a note into a locked conversation. @returns the note as an entry, and the conversation after it */
export async function writeNote(
  ctx: WorkContext,
  record: ConversationRecord,
  { text, mentions, cause }: Draft,
): Promise<{ note: NoteEntry; record: ConversationRecord }> {
  const { companyId } = ctx;
  const author = authorOf(ctx);
  const at = entryTime(record, ctx.now());
  const id = newId();
  await ctx.db.note.create({
    data: {
      companyId,
      id,
      conversationId: record.id,
      contactId: record.contactId,
      text,
      authorType: author.type,
      authorId: author.id,
      authorName: author.name,
      authorEmail: author.email,
      at,
      createdAt: ctx.now(),
    },
  });
  if (mentions.length > 0) await tellMentioned(ctx, record, id, mentions);
  const note: NoteEntry = {
    id,
    kind: 'note',
    at: at.toISOString(),
    author: presentAuthor(author),
    text,
    mentions: mentions.map(({ name, email }) => ({ name, email })),
  };
  const me = ctx.principal.user?.id;
  const after = await recordEntry(ctx, record, 'conversation.noted', {
    changes: { lastEntryAt: at, followed: record.followed || mentions.some((agent) => agent.id === me) },
    details: note,
    // The note itself is the entry in the timeline.
    inTimeline: false,
    ...(cause === undefined ? {} : { cause }),
  });
  return { note, record: after };
}

async function tellMentioned(
  ctx: WorkContext,
  { id: conversationId }: ConversationRecord,
  noteId: string,
  agents: readonly Agent[],
): Promise<void> {
  const { companyId } = ctx;
  await ctx.db.noteMention.createMany({
    data: agents.map((agent, position) => ({ companyId, noteId, userId: agent.id, position })),
  });
  await addFollowers(
    ctx,
    conversationId,
    agents.map((agent) => agent.id),
  );
  await notifyAgents(
    ctx,
    agents.map((agent) => ({ userId: agent.id, kind: 'mention', conversationId, data: { note: noteId } })),
  );
}

/** @throws AppError `validation_failed` with a detail `mentions.N` for everyone who is no active agent */
async function requireMentions(ctx: WorkContext, emails: readonly string[]): Promise<Agent[]> {
  const agents = await agentsByEmail(ctx, emails);
  const [first, ...rest] = emails.flatMap((email, index): Detail[] =>
    agents.has(email.toLowerCase())
      ? []
      : [{ param: `mentions.${index}`, code: 'unknown_id', message: 'Must be the e-mail of an agent.' }],
  );
  if (first) throw invalid(first, ...rest);
  const named = new Map(emails.map((email) => [email.toLowerCase(), agents.get(email.toLowerCase())]));
  return [...named.values()].filter((agent): agent is Agent => agent !== undefined);
}
