import { beforeAll, describe, expect, test } from 'vitest';
import { readFileSync } from 'node:fs';
import { printGraphqlSchema } from '../server/graphql-schema.ts';
import type { Client } from './support/client.ts';
import { graphqlData, graphqlFailure } from './support/graphql.ts';
import { recordQueries } from './support/queries.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let client: Client;

const fields = 'id name phone email country subscribed blocked source createdAt updatedAt';

beforeAll(async () => {
  company = await server().company();
  client = await company.client();
});

const data = (query: string, variables?: Record<string, unknown>, as = client) =>
  graphqlData(as, query, variables);
const failure = (query: string, variables?: Record<string, unknown>, as = client) =>
  graphqlFailure(as, query, variables);

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

  test('first is 1 to 100 in every list [G3]', async () => {
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

  test('a page of 1, 10 and 100 contacts with tags and their counts costs the same statements [G7]', async () => {
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
      const statements = await recordQueries(server().app, async () => {
        const { contacts } = await data(query, { first }, other);
        expect(contacts.items).toHaveLength(first);
        expect(contacts.items[0].tags).toHaveLength(4);
      });
      counts.push(statements.length);
    }
    expect(counts).toEqual([3, 3, 3]);
  });
});

test('schema/schema.graphql is the schema', () => {
  expect(readFileSync(new URL('../schema/schema.graphql', import.meta.url), 'utf8')).toBe(
    printGraphqlSchema(),
  );
});
