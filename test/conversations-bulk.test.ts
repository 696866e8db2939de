import { beforeAll, describe, expect, it } from 'vitest';
import { ConversationBulkResult } from '../schema/conversations.ts';
import { createAgent } from '../server/account/agents.ts';
import type { Client } from './support/client.ts';
import { eventsOf } from './support/log.ts';
import { recordTransaction } from './support/queries.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let tag: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  tag = (await api.post('/tags', { name: 'bulk' })).body.data.id;
  await createAgent(server().app, { company: company.id, email: 'ana@example.com', name: 'Ana' });
});

const create = (count: number, row = {}) => insertConversations(server().app, company.id, count, () => row);
const bulk = (conversation_ids: unknown, action: string, more = {}) =>
  api.post('/conversations/bulk', { conversation_ids, action, ...more });

describe('bulk', () => {
  const actions: [action: string, before: object, more: () => object, type: string][] = [
    ['read', { unread_count: 2 }, () => ({}), 'conversation.read'],
    ['unread', {}, () => ({}), 'conversation.unread'],
    ['close', {}, () => ({}), 'conversation.closed'],
    ['open', { status: 'closed' }, () => ({}), 'conversation.reopened'],
    ['assign', {}, () => ({ assignee: 'ana@example.com' }), 'conversation.assigned'],
    ['unassign', {}, () => ({}), 'conversation.unassigned'],
    ['mute', {}, () => ({ until: '2999-01-01' }), 'conversation.muted'],
    ['unmute', { muted: true }, () => ({}), 'conversation.unmuted'],
    ['tag', {}, () => ({ tag }), 'conversation.tagged'],
    ['untag', {}, () => ({ tag }), 'conversation.untagged'],
  ];

  it.each(actions)(
    '%s changes what it applies to, once, with one event each',
    async (action, before, more, type) => {
      const row =
        action === 'unassign'
          ? { assignee_id: company.owner.id }
          : action === 'untag'
            ? { tag_ids: [tag] }
            : before;
      const ids = await create(3, row);
      const answer = await bulk([...ids, ids[0]], action, more());
      expect(answer.status).toBe(200);
      expect(ConversationBulkResult.parse(answer.body.data)).toEqual({
        action,
        requested: 4,
        affected: 3,
        unknown: [],
      });
      expect((await bulk(ids, action, more())).body.data.affected).toBe(0);
      for (const id of ids)
        expect((await eventsOf(server().app, id)).map((event) => event.type)).toEqual([type]);
    },
  );

  it('tells unknown and foreign ids in the order they were sent, each once, and goes on', async () => {
    const [own] = await create(1);
    const other = await server().company();
    const [foreign] = await insertConversations(server().app, other.id, 1);
    const sent = ['z', foreign, own, 'a', 'z', '01JQZ7K3M9V5T2XH8C4B6N0DFX'];
    const { data } = (await bulk(sent, 'close')).body;
    expect(data).toEqual({
      action: 'close',
      requested: 6,
      affected: 1,
      unknown: ['z', foreign, 'a', '01JQZ7K3M9V5T2XH8C4B6N0DFX'],
    });
    expect(await eventsOf(server().app, foreign!)).toEqual([]);
  });

  it('an unknown tag matches nothing', async () => {
    const ids = await create(1);
    const answer = await bulk(ids, 'tag', { tag: '01JQZ7K3M9V5T2XH8C4B6N0DFX' });
    expect([answer.status, answer.body.data.affected]).toEqual([200, 0]);
  });

  it.each([
    [{}, 'conversation_ids', 'required'],
    [{ conversation_ids: [], action: 'read' }, 'conversation_ids', 'min'],
    [{ conversation_ids: Array.from({ length: 201 }, () => 'x'), action: 'read' }, 'conversation_ids', 'max'],
    [{ conversation_ids: ['x'.repeat(27)], action: 'read' }, 'conversation_ids.0', 'max'],
    [{ conversation_ids: ['x', ''], action: 'read' }, 'conversation_ids.1', 'required'],
    [{ conversation_ids: ['x', null], action: 'read' }, 'conversation_ids.1', 'type'],
    [{ conversation_ids: ['x'], action: 'reopen' }, 'action', 'enum'],
    [{ conversation_ids: ['x'], action: 'assign' }, 'assignee', 'required'],
    [{ conversation_ids: ['x'], action: 'assign', assignee: 'nobody@example.com' }, 'assignee', 'unknown_id'],
    [{ conversation_ids: ['x'], action: 'tag' }, 'tag', 'required'],
    [{ conversation_ids: ['x'], action: 'untag' }, 'tag', 'required'],
    [{ conversation_ids: ['x'], action: 'mute', until: '2020-01-01' }, 'until', 'min'],
    [{ conversation_ids: ['x'], action: 'mute', until: 'soon' }, 'until', 'format'],
  ])('refuses case %#', async (body, param, code) => {
    const answer = await api.post('/conversations/bulk', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });

  it('ignores until where it means nothing', async () => {
    expect((await bulk(await create(1), 'close', { until: '2020-01-01' })).status).toBe(200);
  });

  it.each(['close', 'assign', 'tag', 'mute'])(
    '%s of 1 and of 200 is the same number of statements',
    async (action) => {
      const counts: number[] = [];
      for (const count of [1, 200]) {
        const ids = await create(count, { unread_count: 1 });
        const held = {
          direction: 'outbound',
          status: 'held',
          held_until: new Date(Date.now() + 60_000),
        } as const;
        if (action === 'close') {
          for (const id of ids.slice(0, 5)) {
            await insertMessages(server().app, company.id, id, [
              { text: 'a', held_origin: 'ai', ...held },
              { text: 'b', held_origin: 'undo', ...held },
            ]);
          }
        }
        const statements = await recordTransaction(server().app, async () => {
          const { data } = (await bulk(ids, action, { assignee: 'ana@example.com', tag })).body;
          expect(data.affected).toBe(count);
        });
        counts.push(statements.length);
      }
      expect(counts[1]).toBe(counts[0]);
      expect(counts[1]).toBeLessThanOrEqual(12);
    },
  );

  it('never deadlocks: overlapping batches in any order all succeed [O4]', async () => {
    const ids = await create(40);
    const shuffled = () => [...ids].sort(() => Math.random() - 0.5);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => bulk(shuffled(), n % 2 ? 'close' : 'open')),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200));
  });

  it('answers a test key with the same summary and changes nothing', async () => {
    const sandbox = await company.client({ mode: 'test' });
    const before = (await sandbox.get('/conversations')).body.data;
    const open = before.filter(({ status }: { status: string }) => status === 'open');
    const answer = await sandbox.post('/conversations/bulk', {
      conversation_ids: before.map(({ id }: { id: string }) => id),
      action: 'close',
    });
    expect(answer.body.data).toMatchObject({ requested: before.length, affected: open.length });
    expect(answer.body.meta.test.events).toHaveLength(open.length);
    expect((await sandbox.get('/conversations')).body.data).toEqual(before);
  });
});
