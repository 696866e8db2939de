import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { ownerPage, type Page } from './support/page.ts';
import { addContact, insertConversation, nobody } from './support/shop.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let page: Page;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  page = await ownerPage(server().url, company);
});

const record = async (contact: string) => (await page.query('contacts.record', { contact })).body.result.data;

describe('contacts in the dashboard', () => {
  it('are listed with their tags and version, and by tag', async () => {
    const [ana, bea] = [await addContact(api, { name: 'Ana Abreu' }), await addContact(api, { name: 'Bea' })];
    const { id: tag } = (await api.post('/tags', { name: 'vip', color: '#aa3300' })).body.data;
    await api.post('/contacts/bulk-tag', { contact_ids: [ana], tag, action: 'add' });
    const all = (await page.query('contacts.records', { sort: 'name', limit: 2 })).body.result.data;
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual([ana, bea]);
    expect(all.data[0]).toMatchObject({ version: 1, tags: [{ id: tag, name: 'vip', color: '#aa3300' }] });
    expect(all.data[1].tags).toEqual([]);
    const tagged = (await page.query('contacts.records', { tag })).body.result.data;
    expect(tagged.data.map(({ id }: { id: string }) => id)).toEqual([ana]);
    const none = (await page.query('contacts.records', { tag: nobody })).body.result.data;
    expect(none).toEqual({ data: [], meta: { next_cursor: null, has_more: false } });
  });

  it('keep a cursor to the tag it was made for', async () => {
    const { id: tag } = (await api.post('/tags', { name: 'many' })).body.data;
    const contact_ids = await Promise.all(['1', '2', '3'].map((name) => addContact(api, { name })));
    await api.post('/contacts/bulk-tag', { contact_ids, tag, action: 'add' });
    const first = (await page.query('contacts.records', { tag, limit: 2 })).body.result.data;
    expect(first.meta.has_more).toBe(true);
    const cursor = first.meta.next_cursor;
    const second = (await page.query('contacts.records', { tag, limit: 2, cursor })).body.result.data;
    expect(second.data).toHaveLength(1);
    expect((await page.query('contacts.records', { limit: 2, cursor })).status).toBe(422);
  });

  it('are edited at the version that was looked at, and refused at another without a change', async () => {
    const contact = await addContact(api, { name: 'Caio', email: 'caio@example.com' });
    const { version } = (await record(contact)).data;
    const edited = await page.mutate('contacts.edit', { contact, version, name: 'Caio Costa' });
    expect(edited.body.result.data.data).toMatchObject({ name: 'Caio Costa', email: 'caio@example.com' });
    const late = await page.mutate('contacts.edit', { contact, version, name: 'Caio Cruz' });
    expect(late.status).toBe(409);
    expect((await record(contact)).data).toMatchObject({ name: 'Caio Costa', version: version + 1 });
    const told = async () => {
      const { data } = (await api.get('/events', { limit: 100 })).body;
      return data.filter(
        (event: { type: string; data: { object: { id: string } } }) =>
          event.type === 'contact.updated' && event.data.object.id === contact,
      ).length;
    };
    await expect.poll(told).toBe(1);
  });

  it('are 404 when unknown or foreign, whatever else is wrong, and closed to keys', async () => {
    const other = await (await server().company()).client();
    for (const contact of [nobody, 'x', await addContact(other)]) {
      expect((await page.query('contacts.record', { contact })).status).toBe(404);
      expect((await page.mutate('contacts.edit', { contact, version: 'x' })).status).toBe(404);
      expect((await page.query('bookings.ofContact', { contact })).status).toBe(404);
    }
    const headers = { Authorization: `Bearer ${api.key}` };
    for (const name of ['contacts.records', 'contacts.record', 'contacts.activity', 'bookings.ofContact']) {
      const answer = await fetch(`${server().url}/trpc/${name}?input={"contact":"x"}`, { headers });
      expect(answer.status, name).toBe(403);
    }
  });

  it('tell the conversation that moved last', async () => {
    const contact = await addContact(api);
    expect((await record(contact)).data.last_conversation).toBeNull();
    await insertConversation(server().app, company.id, contact);
    const { conversation } = await insertConversation(server().app, company.id, contact);
    expect((await record(contact)).data.last_conversation).toEqual({
      id: conversation,
      at: expect.stringMatching(/Z$/),
    });
  });

  it('tell what was done to them and by whom, newest first', async () => {
    const contact = await addContact(api, { name: 'Dora' });
    const { version } = (await record(contact)).data;
    await page.mutate('contacts.edit', { contact, version, name: 'Dora Dias' });
    const { id: tag } = (await api.post('/tags', { name: 'friend' })).body.data;
    await api.post('/contacts/bulk-tag', { contact_ids: [contact], tag, action: 'add' });
    const { data } = (await page.query('contacts.activity', { contact })).body.result.data;
    expect(data).toMatchObject([
      { action: 'tagged', tag: 'friend', fields: [] },
      { action: 'updated', tag: null, fields: ['name'] },
      { action: 'created', tag: null, fields: [] },
    ]);
    expect(data[1].actor).toEqual(expect.any(String));
    const other = await (await server().company()).client();
    const foreign = await addContact(other);
    expect((await page.query('contacts.activity', { contact: foreign })).status).toBe(404);
  });

  it('show their bookings, latest first', async () => {
    const contact = await addContact(api);
    for (const [title, starts_at] of [
      ['First', '2031-03-04T10:00:00Z'],
      ['Second', '2031-03-05T10:00:00Z'],
    ])
      await api.post('/bookings', { title, starts_at, duration_minutes: 30, contact });
    const { data } = (await page.query('bookings.ofContact', { contact })).body.result.data;
    expect(data.map(({ title }: { title: string }) => title)).toEqual(['Second', 'First']);
  });
});
