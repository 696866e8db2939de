import { beforeEach, describe, expect, it } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { closeAll } from '../server/automation/work.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { createTeam } from '../server/teams/service.ts';
import { configure, idle, threadOf, write } from './support/automation.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { insertConversations } from './support/rows.ts';
import { full, scaled } from './support/scale.ts';
import { startServer, type TestCompany, useServer } from './support/server.ts';
import { addSimulator, deliver } from './support/simulator.ts';
import { dashboard } from './support/webhooks.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
let agents = 0;

interface Agent {
  id: string;
  email: string;
}

/** Each test has a company of its own, whose Owner takes nothing. */
beforeEach(async () => {
  company = await server().company();
  api = await company.client();
  channel = (await addSimulator(server().app, company.id)).id;
  await configure(server(), company.id, { auto_assign: true });
  await says(company.owner, 'offline');
});

async function agent(availability: Availability, capacity: number | null = null): Promise<Agent> {
  const email = `agent-${++agents}@example.com`;
  const made = await createAgent(server().app, { company: company.id, email, name: `Agent ${agents}` });
  await server().app.pool.query('UPDATE users SET availability = $2, capacity = $3 WHERE id = $1', [
    made.id,
    availability,
    capacity,
  ]);
  return made;
}

type Availability = 'online' | 'away' | 'offline';

/** An agent says whether they are there. */
async function says(who: Agent, availability: Availability): Promise<void> {
  const theirs = await dashboard(server(), { id: company.id, owner: who }, 'agent');
  await theirs.availability.setAvailability({ availability });
}

const phoneOf = (n: number) => `+3519190${String(n).padStart(5, '0')}`;
const customerWrites = (n: number, text = 'Hello') =>
  write(server(), { companyId: company.id, channelId: channel }, phoneOf(n), text);
const thread = (n: number) => threadOf(api, phoneOf(n));
const assigneeOf = async (n: number): Promise<string | undefined> => (await thread(n)).assignee?.email;

/** How many conversations each has, by e-mail; those of nobody under `null`. */
async function shares(companyId = company.id): Promise<Record<string, number>> {
  const { rows } = await server().app.pool.query<{ email: string | null; n: number }>(
    `SELECT users.email, count(*)::int AS n FROM conversations c LEFT JOIN users ON users.id = c.assignee_id
     WHERE c.company_id = $1 GROUP BY 1`,
    [companyId],
  );
  return Object.fromEntries(rows.map(({ email, n }) => [String(email), n]));
}

describe('a customer who writes', () => {
  it('is given to an agent who is there, told as by automation', async () => {
    const ana = await agent('online');
    await agent('away');
    await customerWrites(1);
    await idle(server());
    const { id, assignee, waiting_since, unread_count } = await thread(1);
    expect({ assignee, waiting: waiting_since !== null, unread_count }).toEqual({
      assignee: { name: expect.any(String), email: ana.email },
      waiting: true,
      unread_count: 1,
    });
    const event = (await eventsOf(server().app, id)).find(({ type }) => type === 'conversation.assigned');
    expect(event).toMatchObject({ actor: { type: 'system' } });
    expect(event?.data.details).toMatchObject({ from: null, to: { email: ana.email } });
    const [entry] = await timelineOf(api, id);
    expect(entry).toMatchObject({ event: 'conversation.assigned', author: { type: 'automation' } });
    const { rows } = await server().app.pool.query(
      'SELECT user_id, kind FROM notifications WHERE conversation_id = $1',
      [id],
    );
    expect(rows).toEqual([{ user_id: ana.id, kind: 'assigned' }]);
  });

  it('comes to each in turn, and back to whom they know', async () => {
    const team = [await agent('online'), await agent('online'), await agent('online')];
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await customerWrites(n);
      await idle(server());
    }
    const order = await Promise.all([1, 2, 3, 4, 5, 6].map(assigneeOf));
    expect(new Set(order.slice(0, 3))).toEqual(new Set(team.map(({ email }) => email)));
    expect(order.slice(3)).toEqual(order.slice(0, 3));
    const { id } = await thread(1);
    await api.post(`/conversations/${id}/close`);
    await customerWrites(1, 'One more thing');
    await idle(server());
    expect(await thread(1)).toMatchObject({ status: 'open', assignee: { email: order[0] } });
  });

  it('waits where nobody assigns by itself, where AI answers, and where all are away', async () => {
    await configure(server(), company.id, { auto_assign: false });
    await agent('online');
    await customerWrites(1);
    await idle(server());
    expect(await assigneeOf(1)).toBeUndefined();
    await server().app.pool.query("UPDATE conversations SET ai_auto_reply = 'on' WHERE company_id = $1", [
      company.id,
    ]);
    await configure(server(), company.id, { auto_assign: true });
    await idle(server());
    expect(await assigneeOf(1)).toBeUndefined();
    // Switched on, it looks at who waits already.
    await server().app.pool.query("UPDATE conversations SET ai_auto_reply = 'paused' WHERE company_id = $1", [
      company.id,
    ]);
    await customerWrites(1, 'A person, please');
    await idle(server());
    expect(await assigneeOf(1)).toBeDefined();
  });
});

describe('room', () => {
  it('goes to whoever waits longest, when an agent comes and when a conversation is closed', async () => {
    const ana = await agent('offline', 2);
    for (const n of [1, 2, 3, 4]) await customerWrites(n);
    await idle(server());
    expect(await shares()).toEqual({ null: 4 });
    await says(ana, 'online');
    await idle(server());
    expect(await Promise.all([1, 2, 3, 4].map(assigneeOf))).toEqual([
      ana.email,
      ana.email,
      undefined,
      undefined,
    ]);
    await api.post('/conversations/bulk', { action: 'close', conversation_ids: [(await thread(2)).id] });
    await idle(server());
    expect(await Promise.all([3, 4].map(assigneeOf))).toEqual([ana.email, undefined]);
    const admin = await dashboard(server(), company, 'admin');
    await admin.availability.setCapacity({ agent: ana.id, capacity: null });
    await idle(server());
    expect(await assigneeOf(4)).toBe(ana.email);
  });

  it('is not made by leaving: who goes offline or is deactivated keeps theirs, and is given no more', async () => {
    const [ana, bo] = [await agent('online'), await agent('online')];
    await customerWrites(1);
    await customerWrites(2);
    await idle(server());
    await says(ana, 'offline');
    await server().app.pool.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [bo.id]);
    for (const n of [1, 2, 3]) await customerWrites(n, 'Still there?');
    await idle(server());
    expect(await shares()).toEqual({ [ana.email]: 1, [bo.email]: 1, null: 1 });
  });
});

describe('a transfer to a team', () => {
  it('goes to its members alone, also when nobody waits for an answer', async () => {
    const [ana, bo, other] = [await agent('offline'), await agent('offline'), await agent('online')];
    const ctx = await systemContext(server().app, company.id);
    const team = await execute(createTeam, ctx, { name: 'Sales', members: [ana.email, bo.email] });
    await customerWrites(1);
    await idle(server());
    expect(await assigneeOf(1)).toBe(other.email);
    const { id } = await thread(1);
    await api.post('/messages', { conversation: id, text: 'My colleagues will help you.' });
    await api.post(`/conversations/${id}/transfer`, { team: team.slug });
    await idle(server());
    expect(await thread(1)).toMatchObject({ assignee: null, team: { id: team.id }, waiting_since: null });
    await says(bo, 'online');
    await idle(server());
    expect(await thread(1)).toMatchObject({ assignee: { email: bo.email }, team: { id: team.id } });
  });
});

describe('many customers at once', () => {
  const count = scaled(250, 1_000);
  const patience = full ? 300_000 : 120_000;

  it(`${count} over two processes: shared out evenly`, async () => {
    const team = await Promise.all([1, 2, 3, 4, 5].map(() => agent('online')));
    const second = await startServer({}, server().databaseUrl);
    try {
      const messages = Array.from({ length: count }, (_, n) => ({ from: phoneOf(n) }));
      await deliver(server().app, company.id, channel, ...messages);
      const expected = Object.fromEntries(team.map(({ email }) => [email, count / 5]));
      await expect.poll(() => shares(), { timeout: patience, interval: 250 }).toEqual(expected);
    } finally {
      await second.close();
    }
  }, 400_000);

  it(`${count} over two processes: nobody is given more than they can take, at any time`, async () => {
    const capacities = [1, 7, 20, 40, 60].map((capacity) => (capacity * count) / 250);
    const team = await Promise.all(capacities.map((capacity) => agent('online', Math.floor(capacity))));
    const limits = Object.fromEntries(team.map(({ email }, n) => [email, Math.floor(capacities[n] ?? 0)]));
    const second = await startServer({}, server().databaseUrl);
    try {
      const messages = Array.from({ length: count }, (_, n) => ({ from: phoneOf(n) }));
      await deliver(server().app, company.id, channel, ...messages);
      const taken = Object.values(limits).reduce((sum, limit) => sum + limit, 0);
      const expected = { ...limits, null: count - taken };
      const most: Record<string, number> = {};
      const look = async () => {
        const now = await shares();
        for (const [email, n] of Object.entries(now)) most[email] = Math.max(most[email] ?? 0, n);
        return now;
      };
      await expect.poll(look, { timeout: patience, interval: 100 }).toEqual(expected);
      await idle(server());
      // Room is made and taken again, ten times at once.
      const open = (await api.get('/conversations', { unassigned: false, limit: 100 })).body.data;
      const some = open.slice(0, 10).map(({ id }: { id: string }) => id);
      await Promise.all(some.map((id: string) => api.post(`/conversations/${id}/close`)));
      const working = async () => {
        const { rows } = await server().app.pool.query<{ email: string; n: number }>(
          `SELECT users.email, count(*)::int AS n FROM conversations c JOIN users ON users.id = c.assignee_id
           WHERE c.company_id = $1 AND c.status = 'open' GROUP BY 1`,
          [company.id],
        );
        return Object.fromEntries(rows.map(({ email, n }) => [email, n]));
      };
      await expect.poll(working, { timeout: patience, interval: 100 }).toEqual(limits);
      for (const [email, limit] of Object.entries(limits)) expect(most[email]).toBeLessThanOrEqual(limit);
    } finally {
      await second.close();
    }
  }, 400_000);
});

describe('what the customer left unanswered', () => {
  it('is closed after so many days, and nothing else is', async () => {
    const days = (n: number) => new Date(Date.now() - n * 86_400_000);
    const [answered, lately, waiting] = await insertConversations(server().app, company.id, 3, (n) => ({
      last_message_at: days(n === 1 ? 2 : 9),
      last_inbound_at: days(10),
      waiting_since: n === 2 ? days(9) : null,
    }));
    await server().app.pool.query(
      `UPDATE conversations SET last_message = jsonb_build_object('id', id, 'direction', 'outbound', 'type', 'text',
         'snippet', 'x', 'status', 'read', 'at', '2026-01-01T00:00:00.000Z') WHERE company_id = $1`,
      [company.id],
    );
    const statusOf = async (id = '') => (await api.get(`/conversations/${id}`)).body.data.status;
    await closeAll(server().app);
    expect(await statusOf(answered)).toBe('open');
    await configure(server(), company.id, { auto_close_days: 7, rating_request: true });
    await closeAll(server().app);
    await idle(server());
    expect(await Promise.all([answered, lately, waiting].map(statusOf))).toEqual(['closed', 'open', 'open']);
    const { data } = (await api.get(`/conversations/${answered}`)).body;
    expect(data).toMatchObject({ closed_by: { type: 'system' }, last_message: { snippet: 'x' } });
  });
});
