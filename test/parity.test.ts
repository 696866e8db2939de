import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './support/client.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let api: Client;

beforeAll(async () => {
  api = await (await server().company()).client();
});

const fields = 'id name phone email country subscribed blocked source createdAt updatedAt';

const snakeCase = (record: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );

async function overGraphql(id: string): Promise<Record<string, unknown>> {
  const { body } = await api.graphql(`query ($id: ID!) { contact(contact: $id) { ${fields} } }`, { id });
  return snakeCase(body.data.contact);
}

async function overTrpc(id: string): Promise<Record<string, unknown>> {
  const { body } = await api.trpc('query', 'contacts.show', { contact: id });
  return body.result.data.data;
}

describe('one contact', () => {
  it('created over REST is the same over tRPC and GraphQL; changed over GraphQL and tRPC it is seen over REST', async () => {
    const given = { name: 'Parity', phone: '+351912111222', email: 'parity@example.com', country: 'PT' };
    const created = (await api.post('/contacts', given)).body.data;
    expect(await overGraphql(created.id)).toEqual(created);
    expect(await overTrpc(created.id)).toEqual(created);

    const mutation = `mutation ($id: ID!) { updateContact(contact: $id, input: { name: null, blocked: true }) { ${fields} } }`;
    const { body } = await api.graphql(mutation, { id: created.id });
    const changed = (await api.get(`/contacts/${created.id}`)).body.data;
    expect(changed).toMatchObject({ name: null, blocked: true, phone: given.phone });
    expect(snakeCase(body.data.updateContact)).toEqual(changed);

    await api.trpc('mutation', 'contacts.update', { contact: created.id, name: 'tRPC' });
    expect((await api.get(`/contacts/${created.id}`)).body.data.name).toBe('tRPC');
  });

  it('is refused alike: the same code and field on every transport', async () => {
    const rest = (await api.post('/contacts', { email: 'nonsense' })).body.error;
    const trpc = (await api.trpc('mutation', 'contacts.create', { email: 'nonsense' })).body.error.data.error;
    const graphql = (await api.graphql('mutation { createContact(input: { email: "nonsense" }) { id } }'))
      .body.errors[0];
    const { request_id: _rest, ...restError } = rest;
    const { request_id: _trpc, ...trpcError } = trpc;
    expect(trpcError).toEqual(restError);
    expect(graphql.extensions).toMatchObject({ code: rest.code, details: rest.details });
    expect(graphql.message).toBe(rest.message);
  });

  it('a tRPC query needs no input where REST needs none', async () => {
    const response = await fetch(`${server().url}/trpc/contacts.list`, {
      headers: { Authorization: `Bearer ${api.key}` },
    });
    expect(response.status).toBe(200);
  });

  it('unknown is not_found on every transport', async () => {
    const id = '01JQZ7K3M9V5T2XH8C4B6N0DFG';
    expect((await api.get(`/contacts/${id}`)).status).toBe(404);
    const trpc = await api.trpc('query', 'contacts.show', { contact: id });
    expect([trpc.status, trpc.body.error.data.error.code]).toEqual([404, 'not_found']);
    const { body } = await api.graphql(`{ contact(contact: "${id}") { id } }`);
    expect(body.errors[0].extensions.code).toBe('not_found');
  });

  it('created with a test key is written on no transport, and each tells of the events', async () => {
    const sandbox = await (await server().company()).client({ mode: 'test' });
    const rest = await sandbox.post('/contacts', { name: 'unwritten' });
    const trpc = await sandbox.trpc('mutation', 'contacts.create', { name: 'unwritten' });
    const graphql = await sandbox.graphql(
      'mutation { createContact(input: { name: "unwritten" }) { id tags(first: 5) { name } } }',
    );
    const events = [
      rest.body.meta.test.events,
      trpc.body.result.data.meta.test.events,
      graphql.body.extensions.test.events,
    ];
    for (const [event] of events) {
      expect(event).toMatchObject({
        type: 'contact.created',
        livemode: false,
        data: { object: { name: 'unwritten' } },
      });
    }
    expect((await sandbox.get('/contacts', { q: 'unwritten' })).body.data).toEqual([]);
  });
});
