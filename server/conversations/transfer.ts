import { ConversationTransfer } from '../../schema/conversations.ts';
import { askForAssignment } from '../account/auto-assign.ts';
import { invalidField } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { conversationPath } from './action.ts';
import { type Agent, requireAssignee } from './agents.ts';
import { assignedTo, assigneeOf } from './assignment.ts';
import { cancelHeld } from './held.ts';
import { reopened } from './lifecycle.ts';
import { writeNote } from './notes.ts';
import { notifyAgents } from './notifications.ts';
import { addFollowers } from './personal.ts';
import { isMuted } from './present.ts';
import { releasePresence } from './presence.ts';
import { type ConversationRecord, conversationTargets } from './record.ts';
import { type Changes, changeConversation, type Entry, lockConversation } from './thread.ts';

interface Team {
  id: string;
  name: string;
}

/** Who a thread is handed to, or was held by, as entries and events tell it. */
type Holder = ({ type: 'agent' } & Agent) | ({ type: 'team' } & Team);

/**
 * Hands a conversation over to an agent or a team: unread again, open again, AI out of the way. One entry,
 * `transferred`, and beside its event those of the assignment and the reopening with the same `cause`.
 */
export const transferConversation = mutation(
  {
    access: 'inbox.access',
    input: ConversationTransfer.safeExtend(conversationPath),
    targets: conversationTargets,
  },
  async (ctx, { conversation, assignee, team, note, follow = true }) => {
    const record = await lockConversation(ctx, conversation);
    const target = await requireTarget(ctx, assignee, team);
    const from = holderOf(record);
    const holdsAlready = from?.type === target.type && from.id === target.id;
    if (holdsAlready && !note) return record;

    const cause = ctx.requestId;
    const mentions = target.type === 'agent' ? [agentIn(target)] : [];
    const noted = note ? await writeNote(ctx, record, { text: note, mentions, cause }) : undefined;
    const previous = assigneeOf(record);
    const leaves = previous !== null && previous.id !== target.id ? previous : null;
    if (leaves && follow) await addFollowers(ctx, record.id, [leaves.id]);
    const cancelled = await cancelHeld(ctx, [record], 'transferred', { origin: 'ai' });
    releasePresence(ctx, [record], ctx.principal.user?.id ?? '');
    await tell(ctx, record, target, holdsAlready);
    if (target.type === 'team') await askForAssignment(ctx);

    const at = noted?.record ?? record;
    const changes: Changes = {
      ...cancelled.get(record.id),
      ...holding(target, record),
      ...(record.status === 'closed' ? reopened : {}),
      unreadCount: Math.max(1, record.unreadCount),
      aiAutoReply: 'paused',
      followed: at.followed || (follow && leaves?.id === ctx.principal.user?.id),
    };
    const data = { from, to: target, note_id: noted?.note.id ?? null };
    const details = { from, to: target, note: noted?.note.text ?? null };
    return changeConversation(ctx, at, changes, [
      { type: 'conversation.transferred', data, details, cause },
      ...aside(record, target, cause),
    ]);
  },
);

/** Events beside `transferred`, so that a consumer of assignments or of reopenings never misses one. */
function aside(record: ConversationRecord, target: Holder, cause: string): Entry[] {
  const from = assigneeOf(record);
  const to = target.type === 'agent' ? agentIn(target) : null;
  const events: Entry[] = [];
  const common = { cause, inTimeline: false };
  if (from?.id !== to?.id) {
    const type = to ? 'conversation.assigned' : 'conversation.unassigned';
    events.push({ type, details: { from, to }, ...common });
  }
  if (record.status === 'closed') {
    events.push({ type: 'conversation.reopened', details: { from: 'closed', to: 'open' }, ...common });
  }
  return events;
}

/** A thread that goes to an agent stays in its team; one that goes to a team has no assignee. */
function holding(target: Holder, record: ConversationRecord): Changes {
  if (target.type === 'agent') return assignedTo(agentIn(target));
  return {
    ...assignedTo(null),
    teamId: target.id,
    teamName: target.id === record.teamId ? record.teamName : target.name,
  };
}

function holderOf(record: ConversationRecord): Holder | null {
  const agent = assigneeOf(record);
  if (agent) return { type: 'agent', ...agent };
  return record.teamId === null ? null : { type: 'team', id: record.teamId, name: record.teamName ?? '' };
}

function agentIn({ id, name, email }: Agent): Agent {
  return { id, name, email };
}

async function requireTarget(
  ctx: WorkContext,
  assignee: string | undefined,
  team: string | undefined,
): Promise<Holder> {
  if (assignee !== undefined) return { type: 'agent', ...(await requireAssignee(ctx, assignee)) };
  const found = await findTeam(ctx, team ?? '');
  if (!found) throw invalidField('team', 'unknown_id', 'Must be the id or slug of a team.');
  return { type: 'team', ...found };
}

/** By id or slug; a slug is lower case, so the two are never confused. */
function findTeam(ctx: WorkContext, team: string): Promise<Team | null> {
  const { companyId } = ctx;
  return ctx.db.team.findUnique({
    where: isId(team)
      ? { companyId_id: { companyId, id: team } }
      : { companyId_slug: { companyId, slug: team } },
    select: { id: true, name: true },
  });
}

/** The new holder learns of it, unless the thread is muted; a team's members all do. */
async function tell(
  ctx: WorkContext,
  record: ConversationRecord,
  target: Holder,
  holdsAlready: boolean,
): Promise<void> {
  if (holdsAlready || isMuted(record, ctx.now())) return;
  const members =
    target.type === 'agent'
      ? [target.id]
      : (
          await ctx.db.teamMember.findMany({
            where: { companyId: ctx.companyId, teamId: target.id },
            select: { userId: true },
          })
        ).map(({ userId }) => userId);
  await notifyAgents(
    ctx,
    members.map((userId) => ({ userId, kind: 'transferred', conversationId: record.id })),
  );
}
