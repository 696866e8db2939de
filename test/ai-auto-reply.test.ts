import { beforeEach, describe, expect, it, vi } from 'vitest';
import { updateAiSettings } from '../server/ai/settings.ts';
import { updateChannel } from '../server/channels/service.ts';
import { resumeAutoReply } from '../server/conversations/auto-reply.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { assist, assistance, ok, refusal } from './support/ai.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, deliver, receivedTexts } from './support/simulator.ts';

vi.mock(import('../server/ai/select.ts'), async (original) =>
  (await import('./support/ai.ts')).selection(await original()),
);

const server = useServer();
const phone = '+351915000001';
/** As long as a test takes, and longer. */
const long = 120;
let company: TestCompany;
let api: Client;
let channel: string;
let asked: number;

/** A company of its own for each test, in which AI answers everything with `answers`. */
beforeEach(async () => {
  company = await server().company();
  api = await company.client();
  channel = (await addSimulator(server().app, company.id, { ai_auto_reply: true })).id;
  await settings({ auto_reply: true, hold_seconds: long });
  asked = 0;
  answersWith('We are open from nine to six.');
});

const ctx = () => systemContext(server().app, company.id);
const settings = async (change: object) => execute(updateAiSettings, await ctx(), change);
const reply = (draft: { text: string | null; handoff: boolean }) =>
  assist({
    reply: async () => {
      asked++;
      return ok(draft);
    },
  });
const answersWith = (text: string | null) => reply({ text, handoff: false });
const writes = (text = 'When are you open?') =>
  deliver(server().app, company.id, channel, { from: phone, text });
const messages = async (): Promise<Record<string, any>[]> =>
  (await api.get('/messages', { limit: 100 })).body.data.reverse();
const replies = async () => (await messages()).filter(({ ai_generated: ai }) => ai);
const statuses = async () => (await replies()).map(({ status }) => status);
const thread = async () => (await api.get('/conversations')).body.data[0];
const until = (statement: () => Promise<unknown>) => expect.poll(statement, { timeout: 20_000 });
/** Until nothing is left to think about. */
const idle = () =>
  until(async () => {
    const { rows } = await server().app.pool.query(
      `SELECT count(*)::int AS n FROM jobs.job WHERE state < 'completed'
         AND name IN ('ai.reply', 'channels.received', 'messages.cancel') AND data ->> 'companyId' = $1`,
      [company.id],
    );
    return rows[0].n;
  }).toBe(0);
/** The customer has written, and AI holds its answer. */
const held = async (text?: string) => {
  await writes(text);
  await until(statuses).toEqual(['held']);
  return (await replies())[0]!;
};
const cancelReason = async (id: string) =>
  (await server().app.pool.query('SELECT cancel_reason FROM messages WHERE id = $1', [id])).rows[0]
    .cancel_reason;
/** The customer has written, and nobody answers. */
const silence = async (text?: string) => {
  await writes(text);
  await until(async () => (await messages()).some(({ direction }) => direction === 'inbound')).toBe(true);
  await idle();
  expect(await replies()).toEqual([]);
};

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
    expect(Math.abs(wait - long * 1_000)).toBeLessThan(1_000);
    const { held: batch, unread_count: unread, waiting_since: waiting, ai } = await thread();
    expect([batch.count, unread, typeof waiting, ai.auto_reply]).toEqual([1, 1, 'string', 'on']);
    const { rows } = await server().app.pool.query(
      "SELECT purpose, outcome, message_id FROM ai_ledger WHERE company_id = $1 AND purpose = 'reply'",
      [company.id],
    );
    expect(rows).toEqual([{ purpose: 'reply', outcome: 'ok', message_id: message['id'] }]);
  });

  it('is sent by itself when its time has come, and leaves the thread unread', async () => {
    await settings({ hold_seconds: 1 });
    await writes();
    await until(() => receivedTexts(server().app, company.id)).toEqual(['We are open from nine to six.']);
    await until(async () => (await thread()).waiting_since).toBeNull();
    expect((await thread()).unread_count).toBe(1);
  });

  it('is sent at once without a hold', async () => {
    await settings({ hold_seconds: 0 });
    await writes();
    await until(() => receivedTexts(server().app, company.id)).toEqual(['We are open from nine to six.']);
  });

  it('is cancelled when a person answers, or closes, transfers or blocks', async () => {
    const ends: [string, (id: string, contact: string) => Promise<unknown>, string][] = [
      [
        'answer',
        (id) => api.post('/messages', { conversation: id, text: 'From nine.' }),
        'superseded_by_agent',
      ],
      ['close', (id) => api.post(`/conversations/${id}/close`), 'closed'],
      ['transfer', (id) => api.post(`/conversations/${id}/transfer`, { assignee: 'me' }), 'transferred'],
      ['block', (_id, contact) => api.patch(`/contacts/${contact}`, { blocked: true }), 'blocked'],
    ];
    for (const [place, [, end, reason]] of ends.entries()) {
      const from = `+35191500010${place}`;
      await deliver(server().app, company.id, channel, { from, text: 'When are you open?' });
      await until(async () => (await statuses()).filter((status) => status === 'held')).toHaveLength(1);
      const message = (await replies()).find(({ status }) => status === 'held')!;
      await end(message['conversation'], message['contact']);
      await until(async () => (await api.get(`/messages/${message['id']}`)).body.data.status).toBe(
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
    await api.post(`/conversations/${id}/presence`, { action: 'claim' });
    await writes('and now?');
    await until(async () =>
      (await messages()).filter(({ direction }) => direction === 'inbound'),
    ).toHaveLength(2);
    await idle();
    expect(await replies()).toHaveLength(1);
    await api.post(`/conversations/${id}/presence`, { action: 'release' });
    await settings({ hold_seconds: 2 });
    await writes('anybody?');
    await until(async () => (await statuses()).at(-1)).toBe('held');
    await api.post(`/conversations/${id}/presence`, { action: 'claim' });
    // Its time has come, and the agent is still there.
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    expect((await statuses()).at(-1)).toBe('held');
  });
});

describe('AI is silent', () => {
  it('unless the company switched it on', async () => {
    await settings({ auto_reply: false });
    await silence();
    expect((await thread()).ai.auto_reply).toBe('off');
  });

  it('unless the channel has it switched on', async () => {
    await execute(updateChannel, await ctx(), { channel, ai_auto_reply: false });
    await silence();
    expect(asked).toBe(0);
  });

  it('once either is switched off again', async () => {
    await held();
    await settings({ auto_reply: false });
    await writes('And on Sundays?');
    await until(statuses).toEqual(['cancelled']);
    await idle();
    expect(await statuses()).toEqual(['cancelled']);
  });

  it('without a provider, and when it has no good answer', async () => {
    assistance.provider = null;
    await silence('one');
    assist({ reply: async () => refusal('error') });
    await silence('two');
    answersWith(null);
    await silence('three');
    answersWith('x'.repeat(4_097));
    await silence('four');
  });

  it('to a blocked contact', async () => {
    const contact = (await api.post('/contacts', { phone })).body.data.id;
    const { conversation } = (await api.post('/messages', { contact, text: 'Welcome' })).body.data;
    await api.patch(`/contacts/${contact}`, { blocked: true });
    await writes();
    await until(async () => (await timelineOf(api, conversation)).length).toBeGreaterThan(2);
    await idle();
    expect([asked, await replies()]).toEqual([0, []]);
  });

  it('to machines', async () => {
    await silence('Automatic reply: I am out of the office until Monday.');
    await silence('Respuesta automática: estoy fuera de la oficina.');
    await silence('Esta é uma mensagem automática.');
    expect(asked).toBe(0);
  });

  it('after ten answers within an hour', async () => {
    await settings({ hold_seconds: 0 });
    for (let n = 1; n <= 10; n++) {
      await writes(`ping ${n}`);
      await until(async () => (await replies()).length).toBe(n);
    }
    await writes('ping 11');
    await until(async () => (await messages()).at(-1)!['text']).toBe('ping 11');
    await idle();
    expect(await replies()).toHaveLength(10);
  });
});

describe('a hand-over', () => {
  const handedOver = async () => {
    await idle();
    expect(await replies()).toEqual([]);
    const { id, ai } = await thread();
    expect(ai.auto_reply).toBe('paused');
    const told = (await eventsOf(server().app, id)).filter(({ type }) => type === 'conversation.handoff');
    expect(told).toHaveLength(1);
    const entries = await timelineOf(api, id);
    expect(entries.filter(({ event }) => event === 'conversation.handoff')).toMatchObject([
      { kind: 'event', author: { type: 'ai' } },
    ]);
    return id as string;
  };

  it.each([
    'I want to speak to a human, please',
    'Quiero hablar con una persona',
    'Quero falar com um atendente',
  ])('happens when the customer asks for a person: %s', async (text) => {
    await writes(text);
    await until(async () => (await thread())?.ai.auto_reply).toBe('paused');
    await handedOver();
    expect(asked).toBe(0);
  });

  it('happens when the provider says so; the next message gets no answer', async () => {
    reply({ text: 'ignored', handoff: true });
    await writes();
    await until(async () => (await thread())?.ai.auto_reply).toBe('paused');
    await handedOver();
    answersWith('I am back');
    await writes('hello?');
    await until(async () => (await messages()).length).toBe(2);
    await handedOver();
    expect(asked).toBe(1);
  });

  it('is taken back by reopening, or in the dashboard, where AI is switched on', async () => {
    await held();
    const { id } = await thread();
    const state = async () => (await thread()).ai.auto_reply;
    const act = (verb: string, body?: object) => api.post(`/conversations/${id}/${verb}`, body);
    await act('transfer', { assignee: 'me' });
    expect(await state()).toBe('paused');
    await act('close');
    expect(await state()).toBe('paused');
    await act('reopen');
    expect(await state()).toBe('on');
    await act('transfer', { assignee: 'me', note: 'again' });
    expect(await state()).toBe('paused');
    const resumed = await execute(resumeAutoReply, await ctx(), { conversation: id });
    expect(resumed.aiAutoReply).toBe('on');
    await act('transfer', { assignee: 'me', note: 'again' });
    await execute(updateChannel, await ctx(), { channel, ai_auto_reply: false });
    await act('close');
    await act('reopen');
    expect(await state()).toBe('off');
    expect((await execute(resumeAutoReply, await ctx(), { conversation: id })).aiAutoReply).toBe('off');
    expect((await api.trpc('mutation', 'conversations.resumeAutoReply', { conversation: id })).status).toBe(
      403,
    );
    const { body } = await api.graphql(`mutation { resumeAutoReply(conversation: "${id}") { id } }`);
    expect(body.errors[0].extensions.code).toBe('forbidden');
  });
});
