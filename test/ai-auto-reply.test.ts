import { describe, expect, it, vi } from 'vitest';
import { listAiCalls } from '../server/ai/calls.ts';
import { presentCall } from '../server/ai/present.ts';
import { execute } from '../server/platform/operation.ts';
import { assist, ok } from './support/ai.ts';
import { longHold, useAutoReply } from './support/auto-reply.ts';
import { receivedTexts } from './support/simulator.ts';

vi.mock(import('../server/ai/select.ts'), async (original) =>
  (await import('./support/ai.ts')).selection(await original()),
);

const {
  server,
  state,
  ctx,
  settings,
  answersWith,
  writes,
  messages,
  inbound,
  replies,
  statuses,
  thread,
  until,
  idle,
  held,
} = useAutoReply();
const cancelReason = async (id: string) =>
  (await server().app.pool.query('SELECT cancel_reason FROM messages WHERE id = $1', [id])).rows[0]
    .cancel_reason;

describe('an AI reply', () => {
  it('is held as the company set it, says whose it is, and can be rated from the start', async () => {
    const message = await held();
    expect(message).toMatchObject({
      text: 'We are open from nine to six.',
      author: { type: 'ai', id: null, name: 'Assistant', email: null },
      ai_generated: true,
      feedback_id: expect.any(String),
    });
    const wait = Date.parse(message['held_until']) - Date.parse(message['created_at']);
    expect(Math.abs(wait - longHold * 1_000)).toBeLessThan(5_000);
    const { held: batch, unread_count: unread, waiting_since: waiting, ai } = await thread();
    expect([batch.count, unread, typeof waiting, ai.auto_reply]).toEqual([1, 1, 'string', 'on']);
    const { rows } = await server().app.pool.query(
      "SELECT purpose, outcome, message_id FROM ai_ledger WHERE company_id = $1 AND purpose = 'reply'",
      [state.company.id],
    );
    expect(rows).toEqual([{ purpose: 'reply', outcome: 'ok', message_id: message['id'] }]);
  });

  it('is sent by itself when its time has come, and leaves the thread unread', async () => {
    await settings({ hold_seconds: 1 });
    await writes();
    await until(() => receivedTexts(server().app, state.company.id)).toEqual([
      'We are open from nine to six.',
    ]);
    await until(async () => (await thread()).waiting_since).toBeNull();
    expect((await thread()).unread_count).toBe(1);
  });

  it('is sent at once without a hold', async () => {
    await settings({ hold_seconds: 0 });
    await writes();
    await until(() => receivedTexts(server().app, state.company.id)).toEqual([
      'We are open from nine to six.',
    ]);
  });

  it('is cancelled when a person answers, or closes, transfers or blocks', async () => {
    const ends: [string, (id: string, contact: string) => Promise<unknown>, string][] = [
      [
        'answer',
        (id) => state.api.post('/messages', { conversation: id, text: 'From nine.' }),
        'superseded_by_agent',
      ],
      ['close', (id) => state.api.post(`/conversations/${id}/close`), 'closed'],
      [
        'transfer',
        (id) => state.api.post(`/conversations/${id}/transfer`, { assignee: 'me' }),
        'transferred',
      ],
      ['block', (_id, contact) => state.api.patch(`/contacts/${contact}`, { blocked: true }), 'blocked'],
    ];
    for (const [place, [, end, reason]] of ends.entries()) {
      const from = `+35191500010${place}`;
      await writes('When are you open?', from);
      await until(async () => (await statuses()).filter((status) => status === 'held')).toHaveLength(1);
      const message = (await replies()).find(({ status }) => status === 'held')!;
      await end(message['conversation'], message['contact']);
      await until(async () => (await state.api.get(`/messages/${message['id']}`)).body.data.status).toBe(
        'cancelled',
      );
      expect(await cancelReason(message['id'])).toBe(reason);
    }
  });

  it('is cancelled when the customer writes again, and made anew for all that was said', async () => {
    const first = await held();
    answersWith('On Sundays we are closed.');
    await writes('And on Sundays?');
    await until(statuses).toEqual(['cancelled', 'held']);
    expect(await cancelReason(first['id'])).toBe('superseded_by_inbound');
    const second = (await replies())[1]!;
    expect(second['text']).toBe('On Sundays we are closed.');
    expect(Date.parse(second['held_until'])).toBeGreaterThan(Date.parse(first['held_until']));
  });

  it('waits anew three times; then the moment stays', async () => {
    const ends: number[] = [];
    for (let n = 0; n < 6; n++) {
      await writes(`message ${n}`);
      await until(async () => (await statuses()).at(-1)).toBe('held');
      await until(async () => (await replies()).length).toBe(n + 1);
      ends.push(Date.parse((await replies()).at(-1)!['held_until']));
      server().clock.advance(10_000);
    }
    const restarts = ends.map((end, n) => Math.round((end - (ends[n - 1] ?? end)) / 10_000));
    expect(restarts.slice(0, 4)).toEqual([0, 1, 1, 1]);
    expect(Math.abs(ends[4]! - ends[3]!)).toBeLessThan(5_000);
    expect(Math.abs(ends[5]! - ends[4]!)).toBeLessThan(5_000);
    server().clock.advance(-60_000);
  });

  it('never leaves once AI is switched off, unless a person sends it', async () => {
    await settings({ hold_seconds: 3 });
    const { id } = await held();
    await settings({ auto_reply: false });
    await until(async () => (await state.api.get(`/messages/${id}`)).body.data.status).toBe('cancelled');
    expect(await cancelReason(id)).toBe('switched_off');
    await settings({ auto_reply: true, hold_seconds: longHold });
    await writes('Anybody?');
    await until(statuses).toEqual(['cancelled', 'held']);
    await settings({ auto_reply: false });
    await state.api.post(`/conversations/${(await thread())['id']}/flush-held`);
    await until(async () => (await statuses())[1]).toBe('read');
  });

  it('that a person sends at once is theirs in the ledger, as is its rating', async () => {
    const { id, conversation, feedback_id: feedback } = await held();
    await state.api.post(`/conversations/${conversation}/flush-held`);
    await state.api.post(`/ai-feedback/${feedback}/rate`, { rating: -1 });
    const { rows } = await execute(listAiCalls, await ctx(), { purpose: 'reply' });
    expect(rows.map(presentCall)).toEqual([
      expect.objectContaining({
        message: id,
        conversation,
        provider: 'stand-in',
        outcome: 'ok',
        approved_by: { name: expect.any(String), email: state.company.owner.email },
        rating: 'down',
        input_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        cost: 1_500,
      }),
    ]);
  });

  it('is not written when anything else happens while the provider thinks', async () => {
    const happenings: ((id: string, contact: string) => Promise<unknown>)[] = [
      (id) => state.api.post('/messages', { conversation: id, text: 'A person is faster.' }),
      (id) => state.api.post(`/conversations/${id}/close`),
      (id) => state.api.post(`/conversations/${id}/transfer`, { assignee: 'me' }),
      (id) => state.api.post(`/conversations/${id}/presence`, { action: 'claim' }),
      (_id, contact) => state.api.patch(`/contacts/${contact}`, { blocked: true }),
      () => settings({ auto_reply: false }),
    ];
    for (const [n, happens] of happenings.entries()) {
      assist({
        reply: async ({ conversationId }) => {
          const { contact } = (await state.api.get(`/conversations/${conversationId}`)).body.data;
          await happens(conversationId, contact.id);
          return ok({ text: 'too late', handoff: false });
        },
      });
      await writes('Anybody?', `+35191500020${n}`);
      await until(async () => (await inbound()).length).toBe(n + 1);
      await idle();
      expect(await replies()).toEqual([]);
    }
  });

  it('of what is older than the customer’s last message is dropped', async () => {
    let slow: () => void = () => {};
    const first = new Promise<void>((resolve) => (slow = resolve));
    assist({
      reply: async ({ messages: said }) => {
        const text = said.at(-1)!.text;
        if (text === 'first') await first;
        return ok({ text: `to: ${text}`, handoff: false });
      },
    });
    await writes('first');
    await until(async () => (await messages()).length).toBe(1);
    await writes('second');
    await until(statuses).toEqual(['held']);
    slow();
    await idle();
    expect((await replies()).map(({ text }) => text)).toEqual(['to: second']);
  });

  it('is not said while an agent writes', async () => {
    await settings({ hold_seconds: 0 });
    await writes('hello');
    await until(async () => (await replies()).length).toBe(1);
    const { id } = await thread();
    await state.api.post(`/conversations/${id}/presence`, { action: 'claim' });
    await writes('and now?');
    await until(inbound).toHaveLength(2);
    await idle();
    expect(await replies()).toHaveLength(1);
    await state.api.post(`/conversations/${id}/presence`, { action: 'release' });
    await settings({ hold_seconds: 2 });
    await writes('anybody?');
    await until(async () => (await statuses()).at(-1)).toBe('held');
    await state.api.post(`/conversations/${id}/presence`, { action: 'claim' });
    // Its time comes, and the agent is still there.
    await idle('messages.release');
    expect((await statuses()).at(-1)).toBe('held');
  });
});
