import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Client } from './support/client.ts';
import { graphqlData, graphqlFailure } from './support/graphql.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let client: Client;

beforeAll(async () => {
  company = await server().company();
  client = await company.client();
});

const data = (query: string, variables?: Record<string, unknown>, as = client) =>
  graphqlData(as, query, variables);
const failure = (query: string, variables?: Record<string, unknown>, as = client) =>
  graphqlFailure(as, query, variables);

describe('errors', () => {
  test('carry the code, param and details of REST, spelt as GraphQL spells fields [G6]', async () => {
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

  test.each([
    ['{ contacts(q: "a", sort: newest) { hasMore } }', 'sort'],
    ['{ contacts(first: "x") { hasMore } }', 'first'],
    ['mutation { createContact(input: {name: "a", subscribed: 1}) { id } }', 'subscribed'],
    [
      'mutation { bulkTagContacts(input: {contactIds: ["a", null], tag: "x", action: add}) { affected } }',
      'contactIds',
    ],
  ])('name the argument of a wrong literal: %s', async (query, param) => {
    expect(await failure(query)).toMatchObject({ code: 'validation_failed', param, details: [{ param }] });
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

  test('what nobody threw on purpose is server_error with a fixed text [G6]', async () => {
    const { app } = server();
    const broken = vi.spyOn(app.cursors, 'encode').mockImplementation(() => {
      throw new Error('secret detail');
    });
    await data('mutation { a: createContact(input: {}) { id } b: createContact(input: {}) { id } }');
    const { text, body } = await client.graphql('{ contacts(first: 1) { nextCursor } }');
    broken.mockRestore();
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
    const nobody = await company.client({ scopes: ['tags.manage'] });
    expect(await failure('{ contact(contact: "x") { id } }', {}, nobody)).toMatchObject({
      code: 'forbidden',
    });
    expect((await data('{ me { scopes } }', {}, nobody)).me.scopes).toEqual(['tags.manage']);
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
