import { beforeAll, describe, expect, it } from 'vitest';
import { updateChannel } from '../server/channels/service.ts';
import { askForRating } from '../server/automation/rating-request.ts';
import { closeConversation } from '../server/conversations/lifecycle.ts';
import { execute } from '../server/platform/operation.ts';
import { examine } from '../server/doctor/examine.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { inTenant } from '../server/platform/tenancy.ts';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import { configure, idle, saidByItself, threadOf, write } from './support/automation.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, settled } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
let phones = 0;

const question = 'From 1 to 5?';
const hour = 3_600_000;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = (await addSimulator(server().app, company.id)).id;
  await configure(server(), company.id, { rating_request: true, rating_message: question });
});

const newPhone = () => `+3519180${String(++phones).padStart(5, '0')}`;
const says = (from: string, text: string, more = {}) =>
  write(server(), { companyId: company.id, channelId: channel }, from, text, more);
const system = () => systemContext(server().app, company.id);

async function close(id: string): Promise<void> {
  expect((await api.post(`/conversations/${id}/close`)).status).toBe(200);
  await idle(server());
}

/** A customer who wrote, was closed and asked. */
async function asked(): Promise<{ phone: string; id: string }> {
  const phone = newPhone();
  await says(phone, 'Hello');
  const { id } = await threadOf(api, phone);
  await close(id);
  return { phone, id };
}

const ratedEvents = async (id: string) =>
  (await eventsOf(server().app, id)).filter(({ type }) => type === 'conversation.rated');

describe('a rating request', () => {
  it('follows closing, and leaves the thread closed and read', async () => {
    const { phone, id } = await asked();
    expect(await saidByItself(api, id)).toEqual([question]);
    expect(await threadOf(api, phone)).toMatchObject({
      status: 'closed',
      unread_count: 0,
      waiting_since: null,
      first_response_at: null,
      rating: null,
      last_message: { direction: 'outbound', snippet: question },
    });
  });

  it('comes once for each closing, however often its job runs', async () => {
    const { phone, id } = await asked();
    const { closed_at: closedAt } = await threadOf(api, phone);
    const ctx = await system();
    const job = { companyId: company.id, conversationId: id, closedAt };
    await Promise.all(
      Array.from({ length: 5 }, () =>
        inTenant(company.id, () => inUnitOfWork(ctx, (work) => askForRating(work, job))),
      ),
    );
    await api.post(`/conversations/${id}/close`);
    await idle(server());
    expect(await saidByItself(api, id)).toEqual([question]);
    await says(phone, 'One more thing');
    await close(id);
    expect(await saidByItself(api, id)).toEqual([question, question]);
  });

  it('has words of its own', async () => {
    await configure(server(), company.id, { rating_message: null });
    const { id } = await asked();
    await configure(server(), company.id, { rating_message: question });
    expect(await saidByItself(api, id)).toEqual([
      'How did we do? Please answer with a number from 1 (poor) to 5 (great).',
    ]);
  });

  it('comes to nobody who never wrote, nor to those who hear no more, nor when the house has closed', async () => {
    const contact = (await api.post('/contacts', { phone: newPhone() })).body.data.id;
    const sent = (await api.post('/messages', { contact, text: 'Hello' })).body.data;
    await close(sent.conversation);
    expect(await saidByItself(api, sent.conversation)).toEqual([]);

    const stopped = newPhone();
    await says(stopped, 'STOP');
    const { id } = await threadOf(api, stopped);
    await close(id);
    expect(await saidByItself(api, id)).toEqual([]);

    const phone = newPhone();
    await says(phone, 'Hello');
    const left = await threadOf(api, phone);
    await execute(closeConversation, await system(), { conversation: left.id });
    await idle(server());
    expect(await saidByItself(api, left.id)).toEqual([]);
  });

  it('comes only where company and channel ask', async () => {
    await configure(server(), company.id, { rating_request: false });
    const off = await asked();
    await configure(server(), company.id, { rating_request: true });
    await execute(updateChannel, await system(), { channel, rating_request: false });
    const out = await asked();
    await execute(updateChannel, await system(), { channel, rating_request: true });
    for (const { id } of [off, out]) expect(await saidByItself(api, id)).toEqual([]);
    // Nor is a number a rating then.
    await says(off.phone, '5');
    expect(await threadOf(api, off.phone)).toMatchObject({ status: 'open', unread_count: 1, rating: null });
  });
});

describe('the answer', () => {
  it('is the rating: told, in the timeline, and the thread stays closed and read', async () => {
    const { phone, id } = await asked();
    await says(phone, '5 - great service');
    const thread = await threadOf(api, phone);
    expect(thread).toMatchObject({
      status: 'closed',
      unread_count: 0,
      read: true,
      waiting_since: null,
      rating: 5,
      rating_comment: 'great service',
      last_message: { direction: 'inbound', snippet: '5 - great service' },
    });
    const [event, none] = await ratedEvents(id);
    expect(none).toBeUndefined();
    expect(event?.data).toMatchObject({
      object: { id, rating: 5, rating_comment: 'great service' },
      previous: { rating: null, rating_comment: null },
      details: { rating: 5, comment: 'great service' },
    });
    const [entry, message] = await timelineOf(api, id);
    expect(entry).toMatchObject({
      kind: 'event',
      event: 'conversation.rated',
      label: 'Rated 5 of 5',
      author: { type: 'contact' },
    });
    expect(message).toMatchObject({ kind: 'message', text: '5 - great service', direction: 'inbound' });
    const types = (await eventsOf(server().app, id)).map(({ type }) => type);
    const heard = types.filter((type) => ['message.received', 'conversation.rated'].includes(type));
    expect(heard).toEqual(['message.received', 'message.received', 'conversation.rated']);
    const found = (await api.get('/conversations', { rating: 5, limit: 100 })).body.data;
    expect(found.map((one: { id: string }) => one.id)).toContain(id);
  });

  it('may be stars, be given anew, and be followed by a comment', async () => {
    const { phone, id } = await asked();
    await says(phone, '⭐️⭐️⭐️');
    expect(await threadOf(api, phone)).toMatchObject({ rating: 3, rating_comment: null, status: 'closed' });
    await says(phone, '4');
    await says(phone, '4');
    expect(await threadOf(api, phone)).toMatchObject({ rating: 4, status: 'closed' });
    expect(await ratedEvents(id)).toHaveLength(2);
    server().clock.advance(9 * 60_000);
    await says(phone, 'You were quick.');
    expect(await threadOf(api, phone)).toMatchObject({
      rating: 4,
      rating_comment: 'You were quick.',
      status: 'closed',
      unread_count: 0,
    });
    expect(await ratedEvents(id)).toHaveLength(3);
    // The comment stands in the thread as what it is.
    const entries = (await timelineOf(api, id)).filter(({ kind }) => kind === 'event');
    expect(entries.map(({ event }) => event).filter((event) => event === 'conversation.rated')).toHaveLength(
      2,
    );
    server().clock.advance(60 * hour);
    await says(phone, '1');
    expect(await threadOf(api, phone)).toMatchObject({ rating: 1, rating_comment: 'You were quick.' });
  });

  it.each([
    ['something else', 'I have another question'],
    ['a number among words', '5 pieces please'],
    ['stop', 'STOP'],
  ])('that is %s opens the thread as ever, and what follows is no rating', async (_what, text) => {
    const { phone, id } = await asked();
    await says(phone, text);
    expect(await threadOf(api, phone)).toMatchObject({ status: 'open', unread_count: 1, rating: null });
    await says(phone, '5');
    expect(await threadOf(api, phone)).toMatchObject({ status: 'open', unread_count: 2, rating: null });
    expect(await ratedEvents(id)).toEqual([]);
  });

  it('of a machine is none', async () => {
    const { phone } = await asked();
    await says(phone, '5', { automatic: true });
    expect(await threadOf(api, phone)).toMatchObject({ status: 'open', rating: null });
  });

  it('after a rating is a message again when it asks something, comes late or is the second', async () => {
    const asking = await asked();
    await says(asking.phone, '5');
    await says(asking.phone, 'When do you open?');
    expect(await threadOf(api, asking.phone)).toMatchObject({ status: 'open', unread_count: 1, rating: 5 });

    const second = await asked();
    await says(second.phone, '5: good');
    await says(second.phone, 'And another thing.');
    expect(await threadOf(api, second.phone)).toMatchObject({ status: 'open', rating_comment: 'good' });

    const late = await asked();
    await says(late.phone, '5');
    server().clock.advance(11 * 60_000);
    await says(late.phone, 'Thank you.');
    expect(await threadOf(api, late.phone)).toMatchObject({ status: 'open', rating_comment: null });
  });

  it('counts for 72 hours', async () => {
    const { phone, id } = await asked();
    server().clock.advance(73 * hour);
    await says(phone, '5');
    const contact = (await api.get('/contacts', { phone })).body.data[0].id;
    const threads = (await api.get('/conversations', { contact })).body.data;
    expect(threads.map(({ rating }: { rating: number | null }) => rating)).toEqual([null, null]);
    expect(await ratedEvents(id)).toEqual([]);
  });

  it('to a second request replaces rating and comment', async () => {
    const { phone, id } = await asked();
    await says(phone, '2: slow');
    server().clock.advance(11 * 60_000);
    await says(phone, 'It broke again');
    await close(id);
    await says(phone, '5');
    expect(await threadOf(api, phone)).toMatchObject({ status: 'closed', rating: 5, rating_comment: null });
  });
});

it('leaves every invariant intact', async () => {
  await settled(server().app, company.id);
  const findings = await examine(server().databaseUrl);
  expect(findings.filter(({ count }) => count > 0)).toEqual([]);
});
