import { describe, expect, it, vi } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { expireOldSuggestions } from '../server/ai/expire.ts';
import { newId } from '../server/platform/ids.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { insertConversations } from './support/rows.ts';
import { useSuggestions } from './support/suggestions.ts';

vi.mock(import('../server/ai/select.ts'), async (original) =>
  (await import('./support/ai.ts')).selection(await original()),
);

const { server, state, create, at, generate, pending, history, proposes, reply, count, rows, suggested } =
  useSuggestions();

describe('approving', () => {
  it('a reply returns its text and sends nothing; who and when is recorded', async () => {
    const ana = await createAgent(server().app, {
      company: state.company.id,
      email: 'ana@example.com',
      name: 'Ana',
    });
    const client = await state.company.client({ user: ana.email, scopes: ['inbox.access'] });
    const { id, suggestions } = await suggested(reply('Hello Ana'), { kind: 'tip', text: 'Be quick.' });
    const before = await timelineOf(state.api, id);
    const answer = await client.post(at(id, `/${suggestions[0].id}/approve`));
    expect([answer.status, answer.body]).toEqual([200, { data: { kind: 'reply', text: 'Hello Ana' } }]);
    expect(await timelineOf(state.api, id)).toEqual(before);
    const [row] = await rows('SELECT * FROM ai_suggestions WHERE id = $1', suggestions[0].id);
    expect(row).toMatchObject({ status: 'APPROVED', decided_by_id: ana.id, status_at: expect.any(Date) });
    const [entry] = await rows('SELECT approved_by_id FROM ai_ledger WHERE id = $1', row.ledger_id);
    expect(entry.approved_by_id).toBe(ana.id);
    expect(await count(id)).toBe(1);
  });

  it('a tag attaches it, and says no text', async () => {
    const { id, suggestions } = await suggested({ kind: 'tag', tag: state.vip });
    const answer = await state.api.post(at(id, `/${suggestions[0].id}/approve`));
    expect(answer.body).toEqual({ data: { kind: 'tag' } });
    expect((await state.api.get(`/conversations/${id}`)).body.data.tags).toEqual([
      expect.objectContaining({ id: state.vip, name: 'VIP' }),
    ]);
    expect((await eventsOf(server().app, id)).map(({ type }) => type)).toContain('conversation.tagged');
  });

  it('a tag that was deleted meanwhile is 404', async () => {
    const tag = (await state.api.post('/tags', { name: 'short-lived' })).body.data.id;
    const { id, suggestions } = await suggested({ kind: 'tag', tag });
    await state.api.delete(`/tags/${tag}`);
    expect((await state.api.post(at(id, `/${suggestions[0].id}/approve`))).status).toBe(404);
    expect(await pending(id)).toEqual(suggestions);
  });

  it('a tip only acknowledges it', async () => {
    const { id, suggestions } = await suggested({ kind: 'tip', text: 'Be quick.' });
    const before = await timelineOf(state.api, id);
    const answer = await state.api.post(at(id, `/${suggestions[0].id}/approve`));
    expect(answer.body).toEqual({ data: { kind: 'tip' } });
    expect(await timelineOf(state.api, id)).toEqual(before);
  });

  it('fifty at once: exactly one does', async () => {
    const { id, suggestions } = await suggested(reply('only once'));
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => state.api.post(at(id, `/${suggestions[0].id}/approve`))),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 49 }, () => 404)]);
    expect(
      (await eventsOf(server().app, id)).filter(({ type }) => type === 'ai_suggestion.approved'),
    ).toHaveLength(1);
    expect(await count(id)).toBe(0);
  });
});

it('dismissing answers with the kind and does nothing else', async () => {
  const { id, suggestions } = await suggested({ kind: 'tag', tag: state.vip });
  const before = await timelineOf(state.api, id);
  const answer = await state.api.post(at(id, `/${suggestions[0].id}/dismiss`));
  expect([answer.status, answer.body]).toEqual([200, { data: { kind: 'tag' } }]);
  expect((await state.api.get(`/conversations/${id}`)).body.data.tags).toEqual([]);
  expect(await timelineOf(state.api, id)).toEqual(before);
  expect((await history(id))[0].status).toBe('DISMISSED');
});

it.each(['approve', 'dismiss'])(
  '%s is 404 for a foreign, decided or other thread’s suggestion',
  async (verb) => {
    const { id, suggestions } = await suggested(reply('mine'), reply('dismissed'), reply('approved'));
    const [mine, dismissed, approved] = suggestions;
    await state.api.post(at(id, `/${dismissed.id}/dismiss`));
    await state.api.post(at(id, `/${approved.id}/approve`));
    const stranger = await (await server().company()).client();
    const [foreign] = await insertConversations(server().app, (await server().company()).id, 1);
    const elsewhere = await create();
    const refused = await Promise.all([
      stranger.post(at(id, `/${mine.id}/${verb}`)),
      state.api.post(at(foreign!, `/${mine.id}/${verb}`)),
      state.api.post(at(elsewhere, `/${mine.id}/${verb}`)),
      state.api.post(at(id, `/${dismissed.id}/${verb}`)),
      state.api.post(at(id, `/${approved.id}/${verb}`)),
      state.api.post(at(id, `/${newId()}/${verb}`)),
      state.api.post(at(id, `/nonsense/${verb}`)),
    ]);
    expect(refused.map(({ status, body }) => [status, body.error.code])).toEqual(
      refused.map(() => [404, 'not_found']),
    );
    expect(await pending(id)).toEqual([mine]);
  },
);

describe('history', () => {
  it('tells of all statuses, newest first, with a label of 120 characters at most', async () => {
    expect(await history(await create())).toEqual([]);
    const { id, suggestions } = await suggested(reply('é'.repeat(130)), reply('dismissed'));
    await state.api.post(at(id, `/${suggestions[0].id}/approve`));
    await state.api.post(at(id, `/${suggestions[1].id}/dismiss`));
    proposes(reply('newer'));
    await generate(id);
    const stamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/);
    expect(await history(id)).toEqual([
      { label: 'newer', status: 'pending', at: stamp },
      { label: 'é'.repeat(120), status: 'APPROVED', at: stamp },
      { label: 'dismissed', status: 'DISMISSED', at: stamp },
    ]);
  });

  it('tells when the status changed last', async () => {
    const { id, suggestions } = await suggested(reply('x'));
    const [{ at: made }] = await history(id);
    server().clock.advance(5_000);
    await state.api.post(at(id, `/${suggestions[0].id}/dismiss`));
    const [{ at: decided }] = await history(id);
    expect(Date.parse(decided) - Date.parse(made)).toBeGreaterThanOrEqual(5_000);
  });
});

describe('a pending suggestion expires', () => {
  it('when the conversation is closed', async () => {
    const { id } = await suggested(reply('late'));
    await state.api.post(`/conversations/${id}/close`);
    expect(await pending(id)).toEqual([]);
    expect((await history(id))[0].status).toBe('EXPIRED');
    expect(await count(id)).toBe(0);
  });

  it('after 24 hours; those of the sandbox stay', async () => {
    const { id } = await suggested(reply('old'));
    const sandbox = await state.company.client({ mode: 'test' });
    server().clock.advance(23 * 3_600_000);
    const { id: young } = await suggested(reply('young'));
    await expireOldSuggestions(server().app);
    expect(await pending(id)).toHaveLength(1);
    server().clock.advance(3_600_001);
    await expireOldSuggestions(server().app);
    expect(await pending(id)).toEqual([]);
    expect((await history(id))[0].status).toBe('EXPIRED');
    expect(await count(id)).toBe(0);
    expect(await pending(young)).toHaveLength(1);
    const { body } = await sandbox.get('/conversations', { limit: 100 });
    const waiting = body.data.map(
      ({ ai }: { ai: { pending_suggestions: number } }) => ai.pending_suggestions,
    );
    expect(Math.max(...waiting)).toBeGreaterThan(0);
  });
});

it('events tell what was created, approved and dismissed', async () => {
  const { id, suggestions } = await suggested({ kind: 'tag', tag: state.vip }, reply('no'));
  await state.api.post(at(id, `/${suggestions[0].id}/approve`));
  await state.api.post(at(id, `/${suggestions[1].id}/dismiss`));
  const told = (await eventsOf(server().app, id)).filter(({ type }) => type.startsWith('ai_suggestion.'));
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['ai_suggestion.created', { object: suggestions[1], details: { conversation: id } }],
    ['ai_suggestion.created', { object: suggestions[0], details: { conversation: id } }],
    ['ai_suggestion.approved', { object: suggestions[0], details: { conversation: id } }],
    ['ai_suggestion.dismissed', { object: suggestions[1], details: { conversation: id } }],
  ]);
});
