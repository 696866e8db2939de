import { describe, expect, it, vi } from 'vitest';
import { updateChannel } from '../server/channels/service.ts';
import { resumeAutoReply } from '../server/conversations/auto-reply.ts';
import { execute } from '../server/platform/operation.ts';
import { assist, assistance, refusal } from './support/ai.ts';
import { customerPhone, useAutoReply } from './support/auto-reply.ts';
import { eventsOf, timelineOf } from './support/log.ts';

vi.mock(import('../server/ai/select.ts'), async (original) =>
  (await import('./support/ai.ts')).selection(await original()),
);

const {
  server,
  state,
  ctx,
  settings,
  drafts,
  answersWith,
  writes,
  messages,
  replies,
  statuses,
  thread,
  until,
  idle,
  held,
  silence,
} = useAutoReply();

describe('AI is silent', () => {
  it('unless the company switched it on', async () => {
    await settings({ auto_reply: false });
    await silence();
    expect((await thread()).ai.auto_reply).toBe('off');
  });

  it('unless the channel has it switched on', async () => {
    await execute(updateChannel, await ctx(), { channel: state.channel, ai_auto_reply: false });
    await silence();
    expect(state.asked).toBe(0);
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
    const contact = (await state.api.post('/contacts', { phone: customerPhone })).body.data.id;
    const { conversation } = (await state.api.post('/messages', { contact, text: 'Welcome' })).body.data;
    await state.api.patch(`/contacts/${contact}`, { blocked: true });
    await writes();
    await until(async () => (await timelineOf(state.api, conversation)).length).toBeGreaterThan(2);
    await idle();
    expect([state.asked, await replies()]).toEqual([0, []]);
    await state.api.patch(`/contacts/${contact}`, { blocked: false });
    await state.api.post('/messages', { conversation, text: 'Welcome back' });
  });

  it('to machines', async () => {
    await silence('Automatic reply: I am out of the office until Monday.');
    await silence('Respuesta automática: estoy fuera de la oficina.');
    await silence('Esta é uma mensagem automática.');
    expect(state.asked).toBe(0);
  });

  it('where a message of an agent would be refused: the window is closed', async () => {
    await writes('When are you open?', '+15005550002');
    await until(async () => (await messages()).length).toBe(1);
    await idle();
    expect([state.asked, await replies()]).toEqual([1, []]);
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
    const entries = await timelineOf(state.api, id);
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
    expect(state.asked).toBe(0);
  });

  it('happens when the provider says so; the next message gets no answer', async () => {
    drafts({ text: 'ignored', handoff: true });
    await writes();
    await until(async () => (await thread())?.ai.auto_reply).toBe('paused');
    await handedOver();
    answersWith('I am back');
    await writes('hello?');
    await until(async () => (await messages()).length).toBe(2);
    await handedOver();
    expect(state.asked).toBe(1);
  });

  it('is taken back by reopening, or in the dashboard, where AI is switched on', async () => {
    await held();
    const { id } = await thread();
    const autoReply = async () => (await thread())['ai'].auto_reply;
    const act = (verb: string, body?: object) => state.api.post(`/conversations/${id}/${verb}`, body);
    await act('transfer', { assignee: 'me' });
    expect(await autoReply()).toBe('paused');
    await act('close');
    expect(await autoReply()).toBe('paused');
    await act('reopen');
    expect(await autoReply()).toBe('on');
    await act('transfer', { assignee: 'me', note: 'again' });
    expect(await autoReply()).toBe('paused');
    const resumed = await execute(resumeAutoReply, await ctx(), { conversation: id });
    expect(resumed.aiAutoReply).toBe('on');
    await act('transfer', { assignee: 'me', note: 'again' });
    await execute(updateChannel, await ctx(), { channel: state.channel, ai_auto_reply: false });
    await act('close');
    await act('reopen');
    expect(await autoReply()).toBe('off');
    expect((await execute(resumeAutoReply, await ctx(), { conversation: id })).aiAutoReply).toBe('off');
    expect(
      (await state.api.trpc('mutation', 'conversations.resumeAutoReply', { conversation: id })).status,
    ).toBe(403);
    const { body } = await state.api.graphql(`mutation { resumeAutoReply(conversation: "${id}") { id } }`);
    expect(body.errors[0].extensions.code).toBe('forbidden');
  });
});
