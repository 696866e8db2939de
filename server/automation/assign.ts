import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Agent } from '../conversations/agents.ts';
import { assignTo } from '../conversations/assignment.ts';
import { automation } from '../conversations/authors.ts';
import type { ConversationRecord } from '../conversations/record.ts';
import { lockConversations } from '../conversations/thread.ts';
import type { Context } from '../platform/context.ts';
import { inUnitOfWork, type WorkContext } from '../platform/unit-of-work.ts';

/** Conversations given away in one transaction. */
const batch = 100;

/** An agent who takes conversations now. */
interface Candidate extends Agent {
  teams: string[];
  /** Null without limit. */
  room: number | null;
  turn: number;
}

interface Waiting {
  id: string;
  teamId: string | null;
}

/**
 * Gives conversations that wait for an agent away, those first whose customer waits longest: each to the agent with
 * room whose last turn is longest ago. Over all processes one does it at a time, so nobody is given more than they
 * can take.
 * @returns how many were given away
 */
export async function assignWaiting(ctx: Context): Promise<number> {
  let given = 0;
  // Without a lock: most of many jobs find that the first of them has done it all.
  while (await anythingToDo(ctx)) {
    const now = await inUnitOfWork(ctx, assignBatch);
    given += now;
    if (now === 0) break;
  }
  return given;
}

async function anythingToDo(ctx: Context): Promise<boolean> {
  const agents = await candidates(ctx);
  return agents.length > 0 && (await waitingFor(ctx, agents, 1)).length > 0;
}

async function assignBatch(ctx: WorkContext): Promise<number> {
  const key = `assign:${ctx.companyId}`;
  await ctx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`;
  const agents = await candidates(ctx);
  if (agents.length === 0) return 0;
  const waiting = await waitingFor(ctx, agents, batch);
  // Somebody may have taken one, or closed it, between the list and the lock.
  const locked = new Map(
    (
      await lockConversations(
        ctx,
        waiting.map(({ id }) => id),
      )
    )
      .filter(({ assigneeId, status }) => assigneeId === null && status === 'open')
      .map((record) => [record.id, record]),
  );
  const shares = new Map<Candidate, ConversationRecord[]>();
  let turn = Math.max(...agents.map((agent) => agent.turn));
  for (const { id } of waiting) {
    const record = locked.get(id);
    const agent = record && nextAgent(agents, record.teamId);
    if (!agent) continue;
    agent.turn = ++turn;
    if (agent.room !== null) agent.room--;
    shares.set(agent, [...(shares.get(agent) ?? []), record]);
  }
  for (const [{ id, name, email, turn: last }, records] of shares) {
    await assignTo({ id, name, email }, automation)(ctx, records);
    await ctx.db.user.update({
      where: { companyId_id: { companyId: ctx.companyId, id } },
      data: { assignTurn: last },
      select: { id: true },
    });
  }
  return [...shares.values()].flat().length;
}

function nextAgent(agents: readonly Candidate[], teamId: string | null): Candidate | undefined {
  return agents
    .filter(({ room, teams }) => (room === null || room > 0) && (teamId === null || teams.includes(teamId)))
    .reduce<Candidate | undefined>((best, one) => (best && best.turn <= one.turn ? best : one), undefined);
}

/** Online agents of the inbox who have room for more. */
function candidates(ctx: Context): Promise<Candidate[]> {
  const { companyId } = ctx;
  return ctx.db.$queryRaw<Candidate[]>`
    SELECT * FROM (
      SELECT users.id, users.display_name AS name, users.email, users.assign_turn::float8 AS turn,
        users.capacity - (SELECT count(*)::int FROM conversations c WHERE c.company_id = ${companyId}
          AND c.assignee_id = users.id AND c.status = 'open' AND NOT c.archived) AS room,
        ARRAY(SELECT team_id FROM team_members m WHERE m.company_id = ${companyId} AND m.user_id = users.id) AS teams
      FROM users JOIN roles ON roles.company_id = ${companyId} AND roles.id = users.role_id
      WHERE users.company_id = ${companyId} AND users.deactivated_at IS NULL AND users.availability = 'online'
        AND 'inbox.access' = ANY(roles.permissions)
        AND EXISTS (SELECT FROM companies WHERE companies.id = ${companyId} AND companies.auto_assign)
    ) agents
    WHERE room IS NULL OR room > 0
    ORDER BY turn, id`;
}

/**
 * Open conversations without an agent that one of these may take: those whose customer waits, then those that were
 * handed to a team. What AI answers is left to it until it hands over.
 */
async function waitingFor(ctx: Context, agents: readonly Candidate[], limit: number): Promise<Waiting[]> {
  const { companyId } = ctx;
  const teams = [...new Set(agents.flatMap((agent) => agent.teams))];
  const free = Prisma.sql`c.company_id = ${companyId} AND c.status = 'open' AND c.assignee_id IS NULL AND NOT c.archived
    AND NOT EXISTS (SELECT FROM contacts WHERE contacts.company_id = ${companyId} AND contacts.id = c.contact_id
      AND (contacts.blocked OR contacts.deleted_at IS NOT NULL))
    AND (c.ai_auto_reply <> 'on' OR NOT EXISTS (SELECT FROM companies
      WHERE companies.id = ${companyId} AND companies.ai_enabled))`;
  return ctx.db.$queryRaw<Waiting[]>`
    (SELECT c.id, c.team_id AS "teamId" FROM conversations c
      WHERE ${free} AND c.waiting_since IS NOT NULL AND (c.team_id IS NULL OR c.team_id = ANY(${teams}))
      ORDER BY c.waiting_since, c.id LIMIT ${limit})
    UNION ALL
    (SELECT c.id, c.team_id FROM conversations c
      WHERE ${free} AND c.waiting_since IS NULL AND c.team_id = ANY(${teams})
      ORDER BY c.last_message_at, c.id LIMIT ${limit})
    LIMIT ${limit}`;
}
