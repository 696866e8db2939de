import { beforeAll, describe, expect, it } from 'vitest';
import { Tag } from '../schema/tags.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

describe('tags', () => {
  it('are created with a default colour', async () => {
    const answer = await api.post('/tags', { name: 'vip' });
    expect(answer.status).toBe(201);
    expect(Tag.parse(answer.body.data)).toMatchObject({
      name: 'vip',
      color: '#64748B',
      system: false,
      conversations_count: 0,
      contacts_count: 0,
    });
  });

  it.each([
    [{}, 'name', 'required'],
    [{ name: '' }, 'name', 'required'],
    [{ name: ' \t ' }, 'name', 'required'],
    [{ name: '\u00a0\u2003' }, 'name', 'required'],
    [{ name: 'x'.repeat(51) }, 'name', 'max'],
    [{ name: null }, 'name', 'type'],
    [{ name: 'VIP' }, 'name', 'duplicate'],
    [{ name: ' vip ' }, 'name', 'duplicate'],
    [{ name: 'a', color: 'red' }, 'color', 'format'],
    [{ name: 'a', color: '#12345' }, 'color', 'format'],
  ])('refuse %j', async (body, param, code) => {
    const answer = await api.post('/tags', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });

  it('are renamed and recoloured; a duplicate name is refused, the own one is not', async () => {
    const { id } = (await api.post('/tags', { name: 'old' })).body.data;
    expect((await api.patch(`/tags/${id}`, { name: 'Old' })).body.data.name).toBe('Old');
    expect((await api.patch(`/tags/${id}`, { name: 'VIP' })).status).toBe(422);
    expect((await api.patch(`/tags/${id}`, { name: '  ' })).status).toBe(422);
    expect((await api.patch(`/tags/${id}`, { color: '#abcdef' })).body.data).toMatchObject({
      name: 'Old',
      color: '#abcdef',
    });
    const unchanged = await api.patch(`/tags/${id}`, {});
    expect(unchanged.status).toBe(200);
    expect(unchanged.body.data.name).toBe('Old');
  });

  it('have one name however its accents are composed, and are told as they were sent', async () => {
    const decomposed = 'Cafe\u0301';
    expect((await api.post('/tags', { name: decomposed })).body.data.name).toBe(decomposed);
    const answer = await api.post('/tags', { name: 'caf\u00e9' });
    expect(answer.body.error.details[0]).toMatchObject({ param: 'name', code: 'duplicate' });
  });

  it('are listed by name and searched', async () => {
    const other = await (await server().company()).client();
    for (const name of ['b', 'A', 'c%', 'Ça']) await other.post('/tags', { name });
    const names = async (query = {}) =>
      (await other.get('/tags', query)).body.data.map(({ name }: Tag) => name);
    expect(await names()).toEqual(['A', 'b', 'c%', 'Ça']);
    expect(await names({ q: '%' })).toEqual(['c%']);
    expect(await names({ q: 'ca' })).toEqual(['Ça']);
  });

  it('count their contacts, and leave them when deleted', async () => {
    const { id: tag } = (await api.post('/tags', { name: 'counted' })).body.data;
    const { id } = (await api.post('/contacts', { name: 'tagged' })).body.data;
    await api.post('/contacts/bulk-tag', { contact_ids: [id], tag, action: 'add' });
    const { data } = (await api.get('/tags', { q: 'counted' })).body;
    expect(data[0]).toMatchObject({ id: tag, contacts_count: 1 });
    expect((await api.delete(`/tags/${tag}`)).body).toEqual({ data: { id: tag, deleted: true } });
    expect((await api.get('/tags', { q: 'counted' })).body.data).toEqual([]);
    expect((await api.delete(`/tags/${tag}`)).status).toBe(404);
    expect((await api.get(`/contacts/${id}`)).status).toBe(200);
  });

  it('do not count contacts that were deleted', async () => {
    const { id: tag } = (await api.post('/tags', { name: 'left' })).body.data;
    const { id } = (await api.post('/contacts', { name: 'leaving' })).body.data;
    await api.post('/contacts/bulk-tag', { contact_ids: [id], tag, action: 'add' });
    await api.delete(`/contacts/${id}`);
    expect((await api.get('/tags', { q: 'left' })).body.data[0].contacts_count).toBe(0);
    expect((await api.patch(`/tags/${tag}`, {})).body.data.contacts_count).toBe(0);
  });

  it('of the system are read-only: 403, not 404', async () => {
    await server().app.pool.query(
      "INSERT INTO tags (company_id, id, name, system) VALUES ($1, '01JQZ7K3M9V5T2XH8C4B6N0DFG', 'system one', true)",
      [company.id],
    );
    for (const answer of [
      await api.patch('/tags/01JQZ7K3M9V5T2XH8C4B6N0DFG', { name: 'mine' }),
      await api.patch('/tags/01JQZ7K3M9V5T2XH8C4B6N0DFG', { name: 5 }),
      await api.delete('/tags/01JQZ7K3M9V5T2XH8C4B6N0DFG'),
    ]) {
      expect(answer.status).toBe(403);
      expect(answer.body.error.code).toBe('forbidden');
    }
  });

  it('are at most 500', async () => {
    const other = await server().company();
    const client = await other.client();
    await server().app.pool.query(
      `INSERT INTO tags (company_id, id, name)
       SELECT $1, '01JQZ7K3M9V5T2XH8C4B' || lpad(n::text, 6, '0'), 'tag ' || n FROM generate_series(1, 500) n`,
      [other.id],
    );
    const answer = await client.post('/tags', { name: 'one too many' });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param: 'name', code: 'max' });
  });

  it('are one of fifty simultaneous creates with one name', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => api.post('/tags', { name: 'race' })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 49 }, () => 422),
    ]);
  });
});

describe('bulk tag', () => {
  it('tags what it knows, once, and says how many really changed', async () => {
    const { id: tag } = (await api.post('/tags', { name: 'bulk' })).body.data;
    const ids = [];
    for (let n = 0; n < 3; n++) ids.push((await api.post('/contacts', {})).body.data.id);
    const foreign = (await (await (await server().company()).client()).post('/contacts', {})).body.data.id;
    const contact_ids = [...ids, ids[0], foreign, 'unknown'];
    const add = await api.post('/contacts/bulk-tag', { contact_ids, tag, action: 'add' });
    expect(add.status).toBe(200);
    expect(add.body.data).toEqual({ action: 'add', tag, requested: 6, affected: 3 });
    const again = await api.post('/contacts/bulk-tag', { contact_ids, tag, action: 'add' });
    expect(again.body.data.affected).toBe(0);
    const remove = await api.post('/contacts/bulk-tag', {
      contact_ids: ids.slice(0, 2),
      tag,
      action: 'remove',
    });
    expect(remove.body.data).toEqual({ action: 'remove', tag, requested: 2, affected: 2 });
  });

  it('matches nothing with an unknown or foreign tag', async () => {
    const { id } = (await api.post('/contacts', {})).body.data;
    const foreign = (await (await (await server().company()).client()).post('/tags', { name: 'foreign' }))
      .body.data.id;
    for (const tag of ['unknown', foreign, '01JQZ7K3M9V5T2XH8C4B6N0DFX']) {
      const answer = await api.post('/contacts/bulk-tag', { contact_ids: [id], tag, action: 'add' });
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({ action: 'add', tag, requested: 1, affected: 0 });
    }
  });

  it.each([
    [{}, 'contact_ids', 'required'],
    [{ contact_ids: [], tag: 't', action: 'add' }, 'contact_ids', 'min'],
    [{ contact_ids: Array.from({ length: 501 }, () => 'x'), tag: 't', action: 'add' }, 'contact_ids', 'max'],
    [{ contact_ids: ['x'.repeat(27)], tag: 't', action: 'add' }, 'contact_ids.0', 'max'],
    [{ contact_ids: [''], tag: 't', action: 'add' }, 'contact_ids.0', 'required'],
    [{ contact_ids: [null], tag: 't', action: 'add' }, 'contact_ids.0', 'type'],
    [{ contact_ids: 'x', tag: 't', action: 'add' }, 'contact_ids', 'type'],
    [{ contact_ids: ['x'], action: 'add' }, 'tag', 'required'],
    [{ contact_ids: ['x'], tag: 'x'.repeat(27), action: 'add' }, 'tag', 'max'],
    [{ contact_ids: ['x'], tag: 't', action: 'toggle' }, 'action', 'enum'],
    [{ contact_ids: ['x'], tag: 't' }, 'action', 'required'],
  ])('refuses case %#', async (body, param, code) => {
    const answer = await api.post('/contacts/bulk-tag', body);
    expect(answer.status).toBe(422);
    expect(answer.body.error.details[0]).toMatchObject({ param, code });
  });
});
