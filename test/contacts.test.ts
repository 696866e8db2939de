import { beforeAll, describe, expect, it } from 'vitest';
import { Contact } from '../schema/contacts.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
});

const create = async (body: object) => (await api.post('/contacts', body)).body.data as Contact;

describe('create', () => {
  it('makes a contact of nothing at all', async () => {
    const answer = await api.post('/contacts');
    expect(answer.status).toBe(201);
    expect(Contact.parse(answer.body.data)).toMatchObject({
      name: null,
      phone: null,
      email: null,
      country: null,
      subscribed: true,
      blocked: false,
      source: 'api',
    });
    expect(Object.keys(answer.body)).toEqual(['data']);
    expect(Object.keys(answer.body.data)).toEqual([
      'id',
      'name',
      'phone',
      'email',
      'country',
      'subscribed',
      'blocked',
      'source',
      'created_at',
      'updated_at',
    ]);
  });

  it('reads a national phone with the country as a hint, and answers E.164', async () => {
    const contact = await create({ name: 'Ana', phone: '912 345 678', country: 'PT' });
    expect(contact).toMatchObject({ phone: '+351912345678', country: 'PT' });
  });

  it.each(['a#b@example.com', "o'hara+tag@sub.example.co.uk", 'a/b=c@example.com', 'ü@example.com'])(
    'takes the e-mail %s as it is',
    async (email) => {
      expect((await create({ email })).email).toBe(email);
    },
  );

  it('ignores blocked, and unknown fields', async () => {
    const contact = await create({ blocked: true, id: 'x', company_id: 'y', created_at: 'z' });
    expect(contact.blocked).toBe(false);
    expect(contact.id).toHaveLength(26);
  });

  it.each([
    ['name', 'x'.repeat(192), 'max'],
    ['name', 5, 'type'],
    ['name', 'a\0b', 'format'],
    ['name', '\ud800', 'format'],
    ['phone', 'not a phone', 'format'],
    ['phone', '1'.repeat(33), 'max'],
    ['email', 'not an e-mail', 'format'],
    ['country', 'PRT', 'max'],
    ['country', 'P', 'min'],
    ['subscribed', 'false', 'type'],
    ['subscribed', null, 'type'],
    ['subscribed', 1, 'type'],
    ['source', 'x'.repeat(21), 'max'],
  ])('refuses %s %j with %s', async (field, value, code) => {
    const answer = await api.post('/contacts', { [field]: value });
    expect(answer.status).toBe(422);
    expect(answer.body.error).toMatchObject({
      code: 'validation_failed',
      type: 'invalid_request_error',
      param: field,
    });
    expect(answer.body.error.details[0]).toMatchObject({ param: field, code });
  });

  it('counts characters, not UTF-16 units', async () => {
    const name = '😀'.repeat(191);
    expect((await create({ name })).name).toBe(name);
    expect((await api.post('/contacts', { name: `${name}😀` })).status).toBe(422);
  });

  it('keeps hostile text byte for byte', async () => {
    for (const name of ['\u202e', '%', '_', '\\', "'; --", 'e\u0301'.repeat(95), '<script>', '']) {
      const { id } = await create({ name });
      expect((await api.get(`/contacts/${id}`)).body.data.name).toBe(name);
    }
  });

  it('refuses a phone and an e-mail that another contact has, and names it', async () => {
    const first = await create({ phone: '+5511987654321', email: 'Dup@Example.com' });
    const answer = await api.post('/contacts', { phone: '+55 11 8765-4321', email: 'dup@example.COM' });
    expect(answer.status).toBe(422);
    expect(answer.body.error.details).toEqual([
      { param: 'phone', code: 'duplicate', message: expect.any(String), existing: first.id },
      { param: 'email', code: 'duplicate', message: expect.any(String), existing: first.id },
    ]);
  });

  it('lets another company have the same phone and e-mail', async () => {
    await create({ phone: '+351912000111', email: 'same@example.com' });
    const other = await (await server().company()).client();
    const answer = await other.post('/contacts', { phone: '+351912000111', email: 'same@example.com' });
    expect(answer.status).toBe(201);
  });

  it('makes one contact of fifty simultaneous creates with one phone', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => api.post('/contacts', { phone: '+351912000222' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(49);
    for (const { body } of refused)
      expect(body.error.details[0]).toMatchObject({ param: 'phone', code: 'duplicate' });
  });
});

describe('update', () => {
  it('keeps what is absent, clears what is null, ignores source', async () => {
    const { id } = await create({ name: 'Bo', email: 'bo@example.com', source: 'fair' });
    const answer = await api.patch(`/contacts/${id}`, { name: null, blocked: true, source: 'other' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({
      name: null,
      email: 'bo@example.com',
      source: 'fair',
      blocked: true,
    });
  });

  it('leaves the record as it is without a recognised field', async () => {
    const before = await create({ name: 'Same' });
    const answer = await api.patch(`/contacts/${before.id}`, { nonsense: 1 });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual(before);
  });

  it('answers 404 for an unknown contact even when the body is wrong', async () => {
    for (const id of ['01JQZ7K3M9V5T2XH8C4B6N0DFG', 'short', '%20', 'x'.repeat(300)]) {
      const answer = await api.patch(`/contacts/${id}`, { name: 5 });
      expect(answer.status).toBe(404);
    }
  });
});

describe('delete', () => {
  it('answers id and deleted, then 404 everywhere', async () => {
    const { id } = await create({ name: 'Gone', phone: '+351912000333' });
    const answer = await api.delete(`/contacts/${id}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: { id, deleted: true } });
    expect((await api.get(`/contacts/${id}`)).status).toBe(404);
    expect((await api.delete(`/contacts/${id}`)).status).toBe(404);
    expect((await api.get('/contacts', { phone: '+351912000333' })).body.data).toEqual([]);
    expect((await api.post('/contacts', { phone: '+351912000333' })).status).toBe(201);
  });
});

describe('notes', () => {
  it('is an empty list for a contact without conversations', async () => {
    const { id } = await create({});
    const answer = await api.get(`/contacts/${id}/notes`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ data: [] });
    expect((await api.get('/contacts/01JQZ7K3M9V5T2XH8C4B6N0DFG/notes')).status).toBe(404);
  });
});
