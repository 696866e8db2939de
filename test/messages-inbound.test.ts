import { beforeAll, describe, expect, it } from 'vitest';
import { receive } from '../server/messages/work.ts';
import type { Client } from './support/client.ts';
import { eventsOf, timelineOf } from './support/log.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, deliver } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
let phones = 0;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = (await addSimulator(server().app, company.id)).id;
});

const newPhone = () => `+3519140${String(++phones).padStart(5, '0')}`;
const contactOf = async (phone: string) => (await api.get('/contacts', { phone })).body.data[0];
const threadsOf = async (contact: string) => (await api.get('/conversations', { contact })).body.data;

let ids = 0;
/** The customer writes; in the inbox when it returns. */
const write = (
  from: string,
  text: string,
  more: { name?: string; providerId?: string; replyTo?: string } = {},
) =>
  receive(server().app, {
    companyId: company.id,
    channelId: channel,
    payload: { messages: [{ from, text, providerId: `test-${++ids}`, ...more }] },
  });

describe('a first message', () => {
  it('makes the contact and the conversation, and tells so', async () => {
    const phone = newPhone();
    await write(phone.replace('+351', '+351 '), 'Olá!', { name: 'Inês' });
    const contact = await contactOf(phone);
    expect(contact).toMatchObject({ name: 'Inês', phone, subscribed: true, source: 'simulator' });
    const [thread] = await threadsOf(contact.id);
    expect(thread).toMatchObject({
      channel: 'simulator',
      status: 'open',
      unread_count: 1,
      read: false,
      last_message: { direction: 'inbound', type: 'text', snippet: 'Olá!', status: 'received' },
      waiting_since: thread.last_message.at,
      last_message_at: thread.last_message.at,
    });
    const events = await eventsOf(server().app, thread.id);
    expect(events.map(({ type }) => type)).toEqual(['conversation.created', 'message.received']);
    expect(events[1]?.data.object).toMatchObject({
      text: 'Olá!',
      direction: 'inbound',
      author: { type: 'contact' },
    });
    const created = await server().app.pool.query(
      "SELECT type FROM events WHERE contact_id = $1 AND family = 'contact'",
      [contact.id],
    );
    expect(created.rows).toEqual([{ type: 'contact.created' }]);
    const entries = await timelineOf(api, thread.id);
    expect(entries.map(({ kind }) => kind)).toEqual(['message', 'event']);
  });

  it('finds a contact who is known already, by any spelling of the number', async () => {
    const { data: brazilian } = (await api.post('/contacts', { name: 'Bia', phone: '+5511987654321' })).body;
    await write('+551187654321', 'Oi');
    const [thread] = await threadsOf(brazilian.id);
    expect(thread.contact.name).toBe('Bia');
  });

  it('without a number that can be one is nobody’s', async () => {
    const before = (await api.get('/messages')).body.data[0]?.id;
    await write('not a number', 'x');
    expect((await api.get('/messages')).body.data[0]?.id).toBe(before);
  });
});

describe('the next message', () => {
  it('counts as unread, keeps the waiting time and quotes what it answers', async () => {
    const phone = newPhone();
    await write(phone, 'one', { providerId: 'quoted-1' });
    await write(phone, 'two', { replyTo: 'quoted-1' });
    const [thread] = await threadsOf((await contactOf(phone)).id);
    const [two, one] = (await api.get('/messages', { conversation: thread.id })).body.data;
    expect(thread).toMatchObject({ unread_count: 2, waiting_since: one.created_at });
    expect(two.reply_to).toMatchObject({ id: one.id, snippet: 'one' });
  });

  it('takes a thread out of the archive, and opens one that was closed lately', async () => {
    const phone = newPhone();
    await write(phone, 'one');
    const contact = await contactOf(phone);
    const [{ id }] = await threadsOf(contact.id);
    await api.post(`/conversations/${id}/archive`);
    await api.post(`/conversations/${id}/close`);
    await write(phone, 'two');
    const threads = await threadsOf(contact.id);
    expect(threads).toHaveLength(1);
    expect(threads[0]).toMatchObject({
      id,
      archived: false,
      status: 'open',
      unread_count: 1,
      closed_at: null,
    });
    const types = (await eventsOf(server().app, id)).map(({ type }) => type);
    expect(types.slice(-3)).toEqual(['conversation.reopened', 'conversation.unarchived', 'message.received']);
  });

  it.each([
    [72, 73, 2],
    [72, 71, 1],
    [0, 1, 2],
    [null, 10_000, 1],
  ])('with reopen_hours %s, closed %s hours ago, makes %s threads', async (reopenHours, hours, threads) => {
    const phone = newPhone();
    await write(phone, 'one');
    const contact = await contactOf(phone);
    const [{ id }] = await threadsOf(contact.id);
    await api.post(`/conversations/${id}/close`);
    const { pool } = server().app;
    await pool.query("UPDATE conversations SET closed_at = now() - $2 * interval '1 hour' WHERE id = $1", [
      id,
      hours,
    ]);
    await pool.query('UPDATE channels SET reopen_hours = $2 WHERE id = $1', [channel, reopenHours]);
    await write(phone, 'two');
    await pool.query('UPDATE channels SET reopen_hours = 72 WHERE id = $1', [channel]);
    expect(await threadsOf(contact.id)).toHaveLength(threads);
  });
});

describe('a blocked contact', () => {
  it('is kept in an existing thread, and nobody is told', async () => {
    const phone = newPhone();
    await write(phone, 'one');
    const contact = await contactOf(phone);
    const [{ id }] = await threadsOf(contact.id);
    await api.post(`/conversations/${id}/close`);
    await api.patch(`/contacts/${contact.id}`, { blocked: true });
    const [before, events] = [(await threadsOf(contact.id))[0], (await eventsOf(server().app, id)).length];
    await write(phone, 'two');
    const [after] = await threadsOf(contact.id);
    expect({ ...after, version: 0, updated_at: '' }).toEqual({ ...before, version: 0, updated_at: '' });
    expect(await eventsOf(server().app, id)).toHaveLength(events);
    expect((await timelineOf(api, id))[0]).toMatchObject({ kind: 'message', text: 'two' });
  });

  it('makes nothing where there is no thread', async () => {
    const phone = newPhone();
    const { id } = (await api.post('/contacts', { phone })).body.data;
    await api.patch(`/contacts/${id}`, { blocked: true });
    await write(phone, 'x');
    expect(await threadsOf(id)).toEqual([]);
  });
});

describe('stop words', () => {
  it.each([
    ['STOP', false],
    [' stop ', false],
    ['Unsubscribe', false],
    ['BAJA', false],
    ['parar', false],
    ['please stop', true],
    ['STOP!', true],
  ])('%j leaves subscribed at %s', async (text, subscribed) => {
    const phone = newPhone();
    await write(phone, text);
    const contact = await contactOf(phone);
    expect(contact.subscribed).toBe(subscribed);
    const { rows } = await server().app.pool.query(
      "SELECT type FROM events WHERE contact_id = $1 AND type = 'contact.unsubscribed'",
      [contact.id],
    );
    expect(rows).toHaveLength(subscribed ? 0 : 1);
  });
});

describe('the same message again', () => {
  it('is one message, also at the same time, and two first messages make one contact and one thread: 500 pairs [M4]', async () => {
    const pairs = Array.from({ length: 500 }, () => newPhone());
    const queue = [...pairs.entries()];
    const work = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const [n, phone] = next;
        const same = n % 2 === 0 ? { providerId: `pair-${n}` } : {};
        await Promise.all([write(phone, 'a', same), write(phone, 'b', same)]);
      }
    };
    await Promise.all([work(), work(), work(), work()]);
    const { rows } = await server().app.pool.query(
      `SELECT count(DISTINCT c.id)::int AS contacts, count(DISTINCT v.id)::int AS threads, count(*)::int AS messages
       FROM contacts c JOIN conversations v ON v.contact_id = c.id JOIN messages m ON m.conversation_id = v.id
       WHERE c.phone = ANY($1)`,
      [pairs],
    );
    expect(rows).toEqual([{ contacts: 500, threads: 500, messages: 750 }]);
  }, 300_000);
});

describe('a thousand messages at once', () => {
  it('of 200 new customers make 200 contacts, 200 threads and 1,000 entries in strict order', async () => {
    const other = await server().company();
    const { id } = await addSimulator(server().app, other.id);
    const people = Array.from({ length: 200 }, (_, n) => `+3519150${String(n).padStart(5, '0')}`);
    const started = performance.now();
    await deliver(
      server().app,
      other.id,
      id,
      ...Array.from({ length: 1_000 }, (_, n) => ({ from: people[n % 200] ?? '', text: `${n}` })),
    );
    const count = async (table: string) =>
      (
        await server().app.pool.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM ${table} WHERE company_id = $1 ${table === 'messages' ? '' : 'AND created_at IS NOT NULL'}`,
          [other.id],
        )
      ).rows[0]?.n;
    await expect.poll(() => count('messages'), { timeout: 90_000, interval: 200 }).toBe(1_000);
    console.log(`1,000 inbound messages in ${Math.round(performance.now() - started)} ms`);
    expect(await count('contacts')).toBe(200);
    expect(await count('conversations')).toBe(200);
    const { rows } = await server().app.pool.query(
      `SELECT count(*)::int AS n, sum(unread_count)::int AS unread FROM conversations v WHERE company_id = $1
         AND unread_count = 5 AND last_inbound_at = (SELECT max(at) FROM messages m WHERE m.conversation_id = v.id)
         AND (SELECT count(DISTINCT at) FROM messages m WHERE m.conversation_id = v.id) = 5`,
      [other.id],
    );
    expect(rows).toEqual([{ n: 200, unread: 1_000 }]);
    // The log has them in the order of the thread.
    const disorder = await server().app.pool.query(
      `SELECT count(*)::int AS n FROM (
         SELECT (payload->'data'->'object'->>'created_at') AS at,
           lag(payload->'data'->'object'->>'created_at') OVER (PARTITION BY conversation_id ORDER BY sequence) AS before
         FROM events WHERE company_id = $1 AND type = 'message.received') t WHERE before >= at`,
      [other.id],
    );
    expect(disorder.rows).toEqual([{ n: 0 }]);
  }, 300_000);
});
