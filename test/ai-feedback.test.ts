import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../server/platform/ids.ts';
import { aiSays as say } from './support/ai-says.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let phones = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  await addSimulator(server().app, company.id);
});

/** A conversation with a new contact. */
const thread = async (): Promise<string> => {
  const phone = `+3519140${String(++phones).padStart(5, '0')}`;
  const contact = (await api.post('/contacts', { phone })).body.data.id;
  return (await api.post('/messages', { contact, text: 'Good morning' })).body.data.conversation;
};

const aiSays = (conversation: string, text: string, hold = 0): Promise<string> =>
  say(server().app, company.id, conversation, text, hold);
const humanSays = async (conversation: string, text: string): Promise<string> =>
  (await api.post('/messages', { conversation, text })).body.data.id;
const feedback = async (conversation: string) =>
  (await api.get(`/conversations/${conversation}/ai-feedback`)).body.data;
const rate = (id: string, rating: unknown, client = api) =>
  client.post(`/ai-feedback/${id}/rate`, { rating });

/** A conversation with one AI message, and the id of its feedback. */
const rateable = async () => {
  const conversation = await thread();
  await aiSays(conversation, 'Hello');
  return { conversation, id: (await feedback(conversation))[0].feedback_id };
};

describe('the list', () => {
  it('is empty in a conversation in which AI said nothing', async () => {
    expect(await feedback(await thread())).toEqual([]);
  });

  it('has a row for each AI message in send order, also for two with the same body, and none for a human', async () => {
    const conversation = await thread();
    await humanSays(conversation, 'We open at nine.');
    const first = await aiSays(conversation, 'We open at nine.');
    await humanSays(conversation, 'We open at nine.');
    const second = await aiSays(conversation, 'We open at nine.');
    const third = await aiSays(conversation, 'Anything else?');
    await humanSays(conversation, 'Anything else?');
    const listed = await feedback(conversation);
    expect(listed).toEqual(
      [first, second, third].map((message_id) => ({
        message_id,
        feedback_id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        rating: 'none',
      })),
    );
    expect(new Set(listed.map(({ feedback_id: id }: { feedback_id: string }) => id)).size).toBe(3);
    await rate(listed[1].feedback_id, 1);
    expect((await feedback(conversation)).map(({ rating }: { rating: string }) => rating)).toEqual([
      'none',
      'up',
      'none',
    ]);
  });

  it('names the row that the message names, and messages of people name none', async () => {
    const conversation = await thread();
    const ai = await aiSays(conversation, 'Hello');
    const human = await humanSays(conversation, 'Hello');
    const [row] = await feedback(conversation);
    expect((await api.get(`/messages/${ai}`)).body.data).toMatchObject({
      ai_generated: true,
      feedback_id: row.feedback_id,
      author: { type: 'ai' },
    });
    expect((await api.get(`/messages/${human}`)).body.data).toMatchObject({
      ai_generated: false,
      feedback_id: null,
    });
  });

  it('leaves out what was cancelled before it was sent', async () => {
    const conversation = await thread();
    await aiSays(conversation, 'never sent', 100);
    expect(await feedback(conversation)).toHaveLength(1);
    await humanSays(conversation, 'I am here');
    expect(await feedback(conversation)).toEqual([]);
  });

  it('is 404 for another company', async () => {
    const stranger = await (await server().company()).client();
    expect((await stranger.get(`/conversations/${await thread()}/ai-feedback`)).status).toBe(404);
  });
});

describe('rating', () => {
  it('is 1 for up, −1 for down; the active one again clears it', async () => {
    const { conversation, id } = await rateable();
    const steps: [unknown, number | null, string][] = [
      [1, 1, 'up'],
      [1, null, 'none'],
      [-1, -1, 'down'],
      [1, 1, 'up'],
      [-1, -1, 'down'],
      [-1, null, 'none'],
      ['1', 1, 'up'],
      [1, null, 'none'],
      ['-1', -1, 'down'],
    ];
    for (const [given, rating, word] of steps) {
      const answer = await rate(id, given);
      expect([answer.status, answer.body]).toEqual([200, { data: { rating } }]);
      expect((await feedback(conversation))[0].rating).toBe(word);
    }
  });

  it.each([
    [[1]],
    [[]],
    [0],
    [2],
    [-2],
    [1.5],
    ['up'],
    ['01'],
    ['+1'],
    [' 1'],
    [''],
    [null],
    [true],
    [{}],
    [undefined],
  ])('%j is 422 with nothing but an error text', async (given) => {
    const { conversation, id } = await rateable();
    await rate(id, 1);
    const answer = await rate(id, given);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ error: expect.any(String) });
    expect(answer.body.error).not.toBe('');
    expect((await feedback(conversation))[0].rating).toBe('up');
  });

  it('belongs to the company: the last one who rates wins, and is remembered', async () => {
    const { conversation, id } = await rateable();
    await rate(id, 1);
    const other = await company.client({ scopes: ['inbox.access'] });
    expect((await rate(id, -1, other)).body.data).toEqual({ rating: -1 });
    expect((await feedback(conversation))[0].rating).toBe('down');
    const { rows } = await server().app.pool.query(
      'SELECT rated_by_id, rated_at FROM ai_feedback WHERE id = $1',
      [id],
    );
    expect(rows).toEqual([{ rated_by_id: company.owner.id, rated_at: expect.any(Date) }]);
  });

  it('twice at once ends where it began', async () => {
    const { conversation, id } = await rateable();
    const answers = await Promise.all(Array.from({ length: 10 }, () => rate(id, 1)));
    const ratings = answers.map(({ body }) => body.data.rating);
    expect(ratings.filter((rating) => rating === 1)).toHaveLength(5);
    expect((await feedback(conversation))[0].rating).toBe('none');
  });

  it('of an unknown or foreign message is 404, also with a bad rating', async () => {
    const { id } = await rateable();
    const stranger = await (await server().company()).client();
    for (const answer of [await rate(newId(), 1), await rate(newId(), 0), await rate(id, 1, stranger)])
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
  });

  it('is the same over tRPC and GraphQL', async () => {
    const { conversation, id } = await rateable();
    const trpc = await api.trpc('mutation', 'ai.rateFeedback', { feedback: id, rating: 1 });
    expect(trpc.body.result.data.data).toEqual({ rating: 1 });
    const mutation =
      'mutation ($id: ID!, $r: JSON!) { rateAiFeedback(feedback: $id, input: { rating: $r }) { rating } }';
    const cleared = await api.graphql(mutation, { id, r: 1 });
    expect(cleared.body.data.rateAiFeedback).toEqual({ rating: null });
    const refused = await api.graphql(mutation, { id, r: [1] });
    expect(refused.body.errors[0].extensions.code).toBe('validation_failed');
    const list = 'query ($id: ID!) { aiFeedback(conversation: $id) { messageId feedbackId rating } }';
    const [row] = await feedback(conversation);
    expect((await api.graphql(list, { id: conversation })).body.data.aiFeedback).toEqual([
      { messageId: row.message_id, feedbackId: row.feedback_id, rating: row.rating },
    ]);
  });

  it('with a test key answers and changes nothing', async () => {
    const sandbox = await company.client({ mode: 'test' });
    const { body } = await sandbox.get('/messages', { direction: 'outbound', limit: 100 });
    const message = body.data.find(({ ai_generated: ai }: { ai_generated: boolean }) => ai);
    const list = `/conversations/${message.conversation}/ai-feedback`;
    const before = (await sandbox.get(list)).body.data;
    expect(before.length).toBeGreaterThan(0);
    const one = before.find(({ feedback_id: id }: { feedback_id: string }) => id === message.feedback_id);
    const expected = one.rating === 'down' ? null : -1;
    for (let n = 0; n < 2; n++)
      expect((await rate(message.feedback_id, -1, sandbox)).body.data).toEqual({ rating: expected });
    expect((await sandbox.get(list)).body.data).toEqual(before);
  });
});
