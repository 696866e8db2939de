import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sendAwayMessage } from '../server/automation/away.ts';
import { examine } from '../server/doctor/examine.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { inTenant } from '../server/platform/tenancy.ts';
import { inUnitOfWork } from '../server/platform/unit-of-work.ts';
import { weekdays } from '../schema/company.ts';
import { configure, idle, saidByItself, threadOf, write } from './support/automation.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addSimulator, receivedTexts, settled } from './support/simulator.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
let phones = 0;

/** Closed today and always, or always open. */
const closed = {};
const away = 'We are closed. We answer in the morning.';
const hour = 3_600_000;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = (await addSimulator(server().app, company.id)).id;
});

beforeEach(() => configure(server(), company.id, { business_hours: closed, away_message: away }));

const newPhone = () => `+3519170${String(++phones).padStart(5, '0')}`;
const customerWrites = async (from: string, text = 'Hello?', more = {}) => {
  await write(server(), { companyId: company.id, channelId: channel }, from, text, more);
  await idle(server());
};

describe('outside of the business hours', () => {
  it('a customer is answered, once, and still waits for a person', async () => {
    const phone = newPhone();
    await customerWrites(phone);
    await customerWrites(phone, 'Anybody?');
    const thread = await threadOf(api, phone);
    expect(await saidByItself(api, thread.id)).toEqual([away]);
    expect(thread).toMatchObject({ status: 'open', unread_count: 2, read: false, first_response_at: null });
    const { data } = (await api.get('/messages', { conversation: thread.id })).body;
    const first = data.findLast(({ direction }: { direction: string }) => direction === 'inbound');
    expect(thread.waiting_since).toBe(first.created_at);
    expect(data.find(({ direction }: { direction: string }) => direction === 'outbound')).toMatchObject({
      author: { type: 'automation', name: 'Automation', email: null },
      ai_generated: false,
    });
    await settled(server().app, company.id);
    expect(await receivedTexts(server().app, company.id)).toContain(away);
    // Neither has the customer been answered when the message has arrived.
    expect(await threadOf(api, phone)).toMatchObject({ first_response_at: null, unread_count: 2 });
  });

  it('the answer of an agent is the first response', async () => {
    const phone = newPhone();
    await customerWrites(phone);
    const { id } = await threadOf(api, phone);
    const sent = (await api.post('/messages', { conversation: id, text: 'Here I am.' })).body.data;
    expect(await threadOf(api, phone)).toMatchObject({
      unread_count: 0,
      waiting_since: null,
      first_response_at: sent.created_at,
    });
  });

  it('a thread is answered again in the next closed period', async () => {
    const phone = newPhone();
    // Open for an hour in three hours, by the clock of the house.
    const soon = new Date(Math.floor(server().clock.now().getTime() / hour) * hour + 3 * hour);
    const text = (at: Date) => at.toISOString().slice(11, 16);
    const until = text(new Date(soon.getTime() + hour));
    const hours = [{ from: text(soon), to: until === '00:00' ? '24:00' : until }];
    const everyDay = Object.fromEntries(weekdays.map((day) => [day, hours]));
    await configure(server(), company.id, { business_hours: everyDay });
    await customerWrites(phone);
    const { id } = await threadOf(api, phone);
    server().clock.advance(soon.getTime() + hour / 2 - server().clock.now().getTime());
    await customerWrites(phone, 'Open now?');
    expect(await saidByItself(api, id)).toEqual([away]);
    server().clock.advance(hour);
    await customerWrites(phone, 'Closed again?');
    await customerWrites(phone, 'Still?');
    expect(await saidByItself(api, id)).toEqual([away, away]);
  });

  it('nobody is answered twice by a job that runs again, or by ten at once', async () => {
    const phone = newPhone();
    await configure(server(), company.id, { away_message: null });
    await customerWrites(phone);
    const thread = await threadOf(api, phone);
    await configure(server(), company.id, { away_message: away });
    const ctx = await systemContext(server().app, company.id);
    const job = { companyId: company.id, conversationId: thread.id, messageId: thread.last_message.id };
    await Promise.all(
      Array.from({ length: 10 }, () =>
        inTenant(company.id, () => inUnitOfWork(ctx, (work) => sendAwayMessage(work, job))),
      ),
    );
    expect(await saidByItself(api, thread.id)).toEqual([away]);
  });
});

describe('nothing is said', () => {
  const silent = async (phone: string) => {
    const thread = await threadOf(api, phone);
    expect(await saidByItself(api, thread.id)).toEqual([]);
  };

  it('while the company is open, or has no such message', async () => {
    const [open, without] = [newPhone(), newPhone()];
    await configure(server(), company.id, { business_hours: null });
    await customerWrites(open);
    await configure(server(), company.id, { business_hours: closed, away_message: null });
    await customerWrites(without);
    await silent(open);
    await silent(without);
  });

  it('to what a machine wrote', async () => {
    const phone = newPhone();
    await customerWrites(phone, 'I am on holiday.', { automatic: true });
    await silent(phone);
    expect(await threadOf(api, phone)).toMatchObject({ unread_count: 1 });
  });

  it('to whoever wants to hear no more, or is blocked', async () => {
    const [stopped, blocked] = [newPhone(), newPhone()];
    await customerWrites(stopped, 'STOP');
    await silent(stopped);
    await configure(server(), company.id, { away_message: null });
    await customerWrites(blocked);
    await configure(server(), company.id, { away_message: away });
    const { contact } = await threadOf(api, blocked);
    await api.patch(`/contacts/${contact.id}`, { blocked: true });
    await customerWrites(blocked, 'Still there?');
    await silent(blocked);
  });
});

it('leaves what it wrote in the threads that say so', async () => {
  const findings = await examine(server().databaseUrl);
  expect(findings.find(({ name }) => name === 'automatic-message-was-written')?.count).toBe(0);
});
