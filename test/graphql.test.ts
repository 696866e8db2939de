import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { printGraphqlSchema } from '../server/graphql-schema.ts';
import type { Client } from './support/client.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let client: Client;

const fields = 'id name phone email country subscribed blocked source createdAt updatedAt';

beforeAll(async () => {
  company = await server().company();
  client = await company.client();
});

async function data(query: string, variables: Record<string, unknown> = {}, as = client) {
  const { status, body } = await as.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  expect(status).toBe(200);
  return body.data;
}

async function failure(query: string, variables: Record<string, unknown> = {}, as = client) {
  const { body, headers } = await as.graphql(query, variables);
  expect(body.errors).toHaveLength(1);
  const [{ message, extensions, path }] = body.errors;
  expect(extensions.request_id).toBe(headers.get('x-request-id'));
  return { message, path, ...extensions };
}

/** A REST record as GraphQL spells it. */
function camel(record: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll(/_(\w)/g, (_, l: string) => l.toUpperCase()),
      value,
    ]),
  );
}

describe('one record, three surfaces', () => {
  test('a contact created over REST is the same over GraphQL, and changed there it is changed over REST', async () => {
    const created = await client.post('/contacts', {
      name: 'Ana 🦜',
      phone: '+351912345678',
      email: 'Ana@example.com',
    });
    const record = created.body.data;
    const { contact } = await data(`query($id: ID!) { contact(contact: $id) { ${fields} } }`, {
      id: record.id,
    });
    expect(contact).toEqual(camel(record));

    const { updateContact } = await data(
      `mutation($id: ID!, $input: ContactUpdateInput!) { updateContact(contact: $id, input: $input) { ${fields} version } }`,
      { id: record.id, input: { name: 'Ana Sousa', country: 'pt', subscribed: false } },
    );
    expect(updateContact).toMatchObject({ name: 'Ana Sousa', country: 'PT', subscribed: false, version: 2 });
    const shown = await client.get(`/contacts/${record.id}`);
    const { version: _version, ...rest } = updateContact;
    expect(camel(shown.body.data)).toEqual(rest);
    const trpc = await client.trpc('query', 'contacts.show', { contact: record.id });
    expect(trpc.body.result.data).toEqual(shown.body);
  });

  test('absent keeps, null clears', async () => {
    const { createContact } = await data(
      'mutation { createContact(input: {name: "Rui", email: "rui@example.com"}) { id } }',
    );
    const update = (input: object) =>
      data(
        'mutation($id: ID!, $input: ContactUpdateInput!) { updateContact(contact: $id, input: $input) { name email } }',
        {
          id: createContact.id,
          input,
        },
      );
    expect((await update({})).updateContact).toEqual({ name: 'Rui', email: 'rui@example.com' });
    expect((await update({ email: null })).updateContact).toEqual({ name: 'Rui', email: null });
    expect((await client.get(`/contacts/${createContact.id}`)).body.data).toMatchObject({
      name: 'Rui',
      email: null,
    });
  });

  test('a contact is deleted and gone', async () => {
    const { createContact } = await data('mutation { createContact(input: {}) { id source } }');
    expect(createContact.source).toBe('api');
    const { deleteContact } = await data(
      'mutation($id: ID!) { deleteContact(contact: $id) { id deleted } }',
      createContact,
    );
    expect(deleteContact).toEqual({ id: createContact.id, deleted: true });
    const gone = await failure('query($id: ID!) { contact(contact: $id) { id } }', createContact);
    expect(gone).toMatchObject({ code: 'not_found', param: null, path: ['contact'] });
  });

  test('me equals GET /me', async () => {
    const { me } = await data('{ me { company { id name } scopes livemode } }');
    expect(me).toEqual((await client.get('/me')).body.data);
  });

  test('tags equal those of REST, with their counts', async () => {
    const { createTag } = await data(
      'mutation { createTag(input: {name: "vip"}) { id name color system contactsCount } }',
    );
    expect(createTag).toMatchObject({ name: 'vip', color: '#64748B', system: false, contactsCount: 0 });
    const made = await data(
      'mutation { a: createContact(input: {}) { id } b: createContact(input: {}) { id } }',
    );
    const { bulkTagContacts } = await data(
      'mutation($input: ContactBulkTagInput!) { bulkTagContacts(input: $input) { action tag requested affected } }',
      { input: { contactIds: [made.a.id, made.b.id, made.a.id], tag: createTag.id, action: 'add' } },
    );
    expect(bulkTagContacts).toEqual({ action: 'add', tag: createTag.id, requested: 3, affected: 2 });
    const { contact } = await data(
      'query($id: ID!) { contact(contact: $id) { tags { id name contactsCount conversationsCount } } }',
      made.a,
    );
    expect(contact.tags).toEqual([
      { id: createTag.id, name: 'vip', contactsCount: 2, conversationsCount: 0 },
    ]);
    const { tag, tags } = await data(
      `query($id: ID!) { tag(tag: $id) { ...all } tags(q: "vip") { items { ...all } hasMore } }
       fragment all on Tag { id name color system conversationsCount contactsCount createdAt updatedAt }`,
      createTag,
    );
    const rest = await client.get('/tags', { q: 'vip' });
    expect(tags).toEqual({ items: rest.body.data.map(camel), hasMore: false });
    expect(tag).toEqual(tags.items[0]);
    const renamed = await data(
      'mutation($id: ID!) { updateTag(tag: $id, input: {name: "VIP"}) { name version } }',
      createTag,
    );
    expect(renamed.updateTag).toEqual({ name: 'VIP', version: 2 });
    await data('mutation($id: ID!) { deleteTag(tag: $id) { deleted } }', createTag);
    expect(
      (await data('query($id: ID!) { contact(contact: $id) { tags { id } } }', made.a)).contact.tags,
    ).toEqual([]);
  });
});

describe('lists', () => {
  test('pages with first and after, as REST pages with limit and cursor', async () => {
    const other = await (await server().company()).client();
    for (let number = 0; number < 5; number++) await other.post('/contacts', { name: `Contact ${number}` });
    const page = (after: string | null) =>
      data(
        'query($after: String) { contacts(first: 2, after: $after, sort: name) { items { name } nextCursor hasMore } }',
        { after },
        other,
      );
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const {
        contacts,
      }: { contacts: { items: { name: string }[]; nextCursor: string | null; hasMore: boolean } } =
        await page(after);
      seen.push(...contacts.items.map(({ name }) => name));
      expect(contacts.hasMore).toBe(contacts.nextCursor !== null);
      after = contacts.nextCursor;
    } while (after !== null);
    expect(seen).toEqual(['Contact 0', 'Contact 1', 'Contact 2', 'Contact 3', 'Contact 4']);
    const rest = await other.get('/contacts', { limit: 2, sort: 'name' });
    expect((await page(rest.body.meta.next_cursor)).contacts.items[0].name).toBe('Contact 2');
  });

  test('first is 1 to 100 in every list', async () => {
    const { createContact } = await data('mutation { createContact(input: {}) { id } }');
    for (const first of [0, 101, -1]) {
      for (const query of [
        'query($first: Int) { contacts(first: $first) { hasMore } }',
        'query($first: Int) { tags(first: $first) { hasMore } }',
        `query($first: Int) { contactNotes(contact: "${createContact.id}", first: $first) { text } }`,
        `query($first: Int) { contact(contact: "${createContact.id}") { tags(first: $first) { id } } }`,
      ]) {
        expect(await failure(query, { first })).toMatchObject({ code: 'validation_failed', param: 'first' });
      }
    }
  });

  test('a page of 1, 10 and 100 contacts with tags and their counts costs the same statements', async () => {
    const other = await (await server().company()).client();
    const ids: string[] = [];
    for (let number = 0; number < 100; number++) ids.push((await other.post('/contacts', {})).body.data.id);
    for (let number = 0; number < 4; number++) {
      const tag = (await other.post('/tags', { name: `tag ${number}` })).body.data.id;
      await other.post('/contacts/bulk-tag', { contact_ids: ids.slice(number * 5), tag, action: 'add' });
    }
    const query =
      'query($first: Int) { contacts(first: $first) { items { id tags(first: 5) { name contactsCount } } } }';
    const counts: number[] = [];
    for (const first of [1, 10, 100]) {
      const [count, { contacts }] = await countingStatements(() => data(query, { first }, other));
      expect(contacts.items).toHaveLength(first);
      expect(contacts.items[0].tags).toHaveLength(4);
      counts.push(count);
    }
    expect(counts).toEqual([3, 3, 3]);
  });
});

describe('errors', () => {
  test('carry the code, param and details of REST, spelt as GraphQL spells fields', async () => {
    await client.post('/contacts', { email: 'taken@example.com' });
    expect(
      await failure('mutation { createContact(input: {email: "TAKEN@example.com"}) { id } }'),
    ).toMatchObject({
      code: 'validation_failed',
      param: 'email',
      details: [{ param: 'email', code: 'duplicate', existing: expect.any(String) }],
    });
    expect(
      await failure(
        'mutation { bulkTagContacts(input: {contactIds: [""], tag: "x", action: add}) { affected } }',
      ),
    ).toMatchObject({ code: 'validation_failed', param: 'contactIds.0' });
    expect(await failure('{ contacts(after: "nonsense") { hasMore } }')).toMatchObject({ param: 'after' });
  });

  test('a value of the wrong type is validation_failed, a faulty document bad_request', async () => {
    const values: [string, Record<string, unknown>, string][] = [
      ['mutation { createContact(input: {subscribed: "false"}) { id } }', {}, 'type'],
      [
        'mutation($input: ContactCreateInput!) { createContact(input: $input) { id } }',
        { input: { name: 5 } },
        'type',
      ],
      ['mutation($input: ContactCreateInput!) { createContact(input: $input) { id } }', {}, 'required'],
      ['{ contacts(sort: newest) { hasMore } }', {}, 'enum'],
      ['query($sort: ContactsSort) { contacts(sort: $sort) { hasMore } }', { sort: 'newest' }, 'enum'],
      ['{ contact { id } }', {}, 'required'],
    ];
    for (const [query, variables, code] of values) {
      const error = await failure(query, variables);
      expect([query, error.code, error.details[0].code]).toEqual([query, 'validation_failed', code]);
    }
    const nested = await failure(
      'mutation($input: ContactBulkTagInput!) { bulkTagContacts(input: $input) { affected } }',
      {
        input: { contactIds: ['x', {}], tag: 'x', action: 'add' },
      },
    );
    expect(nested).toMatchObject({ code: 'validation_failed', param: 'contactIds.1' });
    for (const query of ['{', '{ nothing }', 'query A { me { livemode } } query B { me { livemode } }', '']) {
      expect(await failure(query)).toMatchObject({ code: 'bad_request', param: null });
    }
  });

  test('one root field that fails leaves the others their answer', async () => {
    const { body } = await client.graphql(
      'mutation { a: createContact(input: {name: "kept"}) { id } b: createContact(input: {email: "no"}) { id } }',
    );
    expect(body.data).toEqual({ a: { id: expect.any(String) }, b: null });
    expect(body.errors).toMatchObject([{ path: ['b'], extensions: { code: 'validation_failed' } }]);
    expect((await client.get(`/contacts/${body.data.a.id}`)).status).toBe(200);
  });

  test('what nobody threw on purpose is server_error with a fixed text', async () => {
    const { app } = server();
    const original = app.cursors.encode;
    app.cursors.encode = () => {
      throw new Error('secret detail');
    };
    await data('mutation { a: createContact(input: {}) { id } b: createContact(input: {}) { id } }');
    const { text, body } = await client.graphql('{ contacts(first: 1) { nextCursor } }');
    app.cursors.encode = original;
    expect(body.errors[0].extensions.code).toBe('server_error');
    expect(text).not.toContain('secret');
  });
});

describe('access', () => {
  test('scopes are those of the operations, on relations too', async () => {
    const viewer = await company.client({ scopes: ['contacts.view'] });
    const { body: created } = await client.graphql(
      'mutation { createContact(input: {name: "seen"}) { id } }',
    );
    const { body } = await viewer.graphql(
      'query($id: ID!) { contact(contact: $id) { name tags { id } } }',
      created.data.createContact,
    );
    expect(body.data.contact).toEqual({ name: 'seen', tags: null });
    expect(body.errors).toMatchObject([
      { path: ['contact', 'tags'], extensions: { code: 'forbidden', param: null } },
    ]);
    expect(await failure('mutation { createContact(input: {}) { id } }', {}, viewer)).toMatchObject({
      code: 'forbidden',
    });
    expect(await failure('{ tags { hasMore } }', {}, viewer)).toMatchObject({ code: 'forbidden' });
    const nobody = await company.client({ scopes: [] });
    expect(await failure('{ contact(contact: "x") { id } }', {}, nobody)).toMatchObject({
      code: 'forbidden',
    });
    expect((await data('{ me { scopes } }', {}, nobody)).me.scopes).toEqual([]);
  });

  test('another company sees nothing, with the same words as for an unknown id', async () => {
    const stranger = await (await server().company()).client();
    const { createContact } = await data('mutation { createContact(input: {}) { id } }');
    const strip = ({ message, code, param, path }: Record<string, unknown>) => ({
      message,
      code,
      param,
      path,
    });
    const foreign = await failure(
      'query($id: ID!) { contact(contact: $id) { id } }',
      createContact,
      stranger,
    );
    const unknown = await failure('query($id: ID!) { contact(contact: $id) { id } }', {
      id: '01JQZ7K3M9V5T2XH8C4B6N0DFG',
    });
    expect(strip(foreign)).toEqual(strip(unknown));
    expect(foreign.code).toBe('not_found');
  });
});

describe('test keys', () => {
  test('writes run, are read back in the same request, report their events, and leave nothing', async () => {
    const rehearsal = await company.client({ mode: 'test' });
    const before = await data('{ contacts { items { id } } tags { items { id name } } }', {}, rehearsal);
    const { body, headers } = await rehearsal.graphql(
      `mutation($tag: ID!, $contact: ID!) {
        createContact(input: {name: "rehearsed"}) { id name tags { name } }
        bulkTagContacts(input: {contactIds: [$contact], tag: $tag, action: add}) { affected }
        updateContact(contact: $contact, input: {name: "changed"}) { id name tags { id contactsCount } }
        failing: createContact(input: {email: "no"}) { id }
      }`,
      { tag: before.tags.items.at(-1).id, contact: before.contacts.items[0].id },
    );
    expect(headers.get('x-service-mode')).toBe('test');
    expect(body.data.createContact).toMatchObject({ name: 'rehearsed', tags: [] });
    expect(body.data.updateContact.name).toBe('changed');
    expect(body.data.updateContact.tags.map(({ id }: { id: string }) => id)).toContain(
      before.tags.items.at(-1).id,
    );
    expect(body.data.failing).toBeNull();
    const events = body.extensions.test.events;
    expect(events.map(({ type }: { type: string }) => type)).toEqual([
      'contact.created',
      ...(body.data.bulkTagContacts.affected === 1 ? ['contact.tagged'] : []),
      'contact.updated',
    ]);
    expect(events[0]).toMatchObject({ livemode: false, data: { object: { name: 'rehearsed' } } });
    const after = await data('{ contacts { items { id } } tags { items { id name } } }', {}, rehearsal);
    expect(after).toEqual(before);
  });

  test('live answers carry no extensions', async () => {
    expect((await client.graphql('mutation { createContact(input: {}) { id } }')).body).not.toHaveProperty(
      'extensions',
    );
  });
});

test('schema/schema.graphql is the schema', () => {
  expect(readFileSync(new URL('../schema/schema.graphql', import.meta.url), 'utf8')).toBe(
    printGraphqlSchema(),
  );
});

/** Counts what is sent to PostgreSQL while `work` runs. */
async function countingStatements<T>(work: () => Promise<T>): Promise<[number, T]> {
  const original = pg.Client.prototype.query;
  let count = 0;
  pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
    count++;
    return Reflect.apply(original, this, args);
  } as typeof original;
  try {
    const value = await work();
    return [count, value];
  } finally {
    pg.Client.prototype.query = original;
  }
}
