import { graphql } from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { weekdays } from '../schema/company.ts';
import { createAgent } from '../server/account/agents.ts';
import { graphqlSchema } from '../server/graphql-schema.ts';
import { newId } from '../server/platform/ids.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { type Dashboard, dashboard } from './support/webhooks.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let admin: Dashboard;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  admin = await dashboard(server(), company, 'admin');
});

/** Code and field of a refusal. */
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'accepted',
    ({ cause }: { cause: { code: string; param: string | null } }) => [cause.code, cause.param],
  );

describe('the settings of a company', () => {
  it('are shown and changed in the dashboard; a field that is absent stays', async () => {
    const { data: before } = await admin.company.show({});
    expect(before).toMatchObject({
      id: company.id,
      timezone: 'UTC',
      currency: 'USD',
      locale: 'en',
      undo_send_seconds: 5,
      business_hours: null,
      opening: { open: true, opens_at: null, closes_at: null },
      away_message: null,
      auto_assign: false,
      rating_request: false,
      rating_message: null,
      auto_close_days: null,
      version: 1,
    });
    const hours = { mon: [{ from: '09:00', to: '18:00' }], holidays: [{ date: '2031-01-06' }] };
    const { data: after } = await admin.company.update({
      version: 1,
      name: 'Renamed',
      timezone: 'europe/lisbon',
      currency: 'eur',
      locale: 'PT-br',
      undo_send_seconds: 0,
      business_hours: hours,
      away_message: 'We are back at nine.',
      rating_message: 'De 1 a 5?',
      auto_close_days: 14,
    });
    expect(after).toMatchObject({
      name: 'Renamed',
      timezone: 'Europe/Lisbon',
      currency: 'EUR',
      locale: 'pt-BR',
      undo_send_seconds: 0,
      business_hours: hours,
      away_message: 'We are back at nine.',
      rating_message: 'De 1 a 5?',
      auto_close_days: 14,
      auto_assign: false,
      version: 2,
    });
    // Keys learn of it at once, those of the sandbox too.
    const name = async (client: Client) => (await client.get('/me')).body.data.company.name;
    await expect.poll(() => name(api), { timeout: 10_000 }).toBe('Renamed');
    const { rows } = await server().app.pool.query(
      'SELECT name, timezone, currency, away_message FROM companies WHERE sandbox_of = $1',
      [company.id],
    );
    expect(rows).toEqual([
      { name: 'Renamed', timezone: 'Europe/Lisbon', currency: 'EUR', away_message: null },
    ]);
    const product = (await api.post('/products', { name: 'In euros', price: 100 })).body.data;
    expect(product.currency).toBe('EUR');
  });

  it('tell when the company opens and closes', async () => {
    const { data } = await admin.company.update({ timezone: 'UTC', business_hours: {} });
    expect(data.opening).toEqual({ open: false, opens_at: null, closes_at: null });
    const morning = [{ from: '00:00', to: '12:00' }];
    const hours = Object.fromEntries(weekdays.map((day) => [day, morning]));
    const { opening } = (await admin.company.update({ business_hours: hours })).data;
    expect(opening.open ? opening.closes_at : opening.opens_at).toMatch(
      opening.open ? /T12:00:00.000Z$/ : /T00:00:00.000Z$/,
    );
    expect(opening.open ? opening.opens_at : opening.closes_at).toBeNull();
    expect((await admin.company.update({ business_hours: null })).data.business_hours).toBeNull();
  });

  it('that are the same make no new version; a stale one is 409', async () => {
    const { version } = (await admin.company.show({})).data;
    const hours = { tue: [{ to: '12:00', from: '09:00' }], mon: [] };
    const { data } = await admin.company.update({ version, business_hours: hours });
    expect(data.version).toBe(version + 1);
    expect((await admin.company.update({ business_hours: hours, name: data.name })).data.version).toBe(
      version + 1,
    );
    expect(await refusal(admin.company.update({ version, name: 'x' }))).toEqual(['conflict', null]);
    const attempts = await Promise.all(
      ['a', 'b', 'c'].map((name) => refusal(admin.company.update({ version: version + 1, name }))),
    );
    expect(attempts.filter((one) => one === 'accepted')).toHaveLength(1);
  });

  it.each([
    ['name', { name: '' }],
    ['timezone', { timezone: '+02:00' }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['currency', { currency: 'XXY' }],
    ['locale', { locale: 'not a locale' }],
    ['undo_send_seconds', { undo_send_seconds: 31 }],
    ['away_message', { away_message: '   ' }],
    ['away_message', { away_message: '' }],
    ['rating_message', { rating_message: 'x'.repeat(1025) }],
    ['auto_close_days', { auto_close_days: 0 }],
    ['business_hours.mon.0.to', { business_hours: { mon: [{ from: '10:00', to: '09:00' }] } }],
  ])('refuse %s as %o', async (param, input) => {
    const before = (await admin.company.show({})).data.version;
    expect(await refusal(admin.company.update(input))).toEqual(['validation_failed', param]);
    expect((await admin.company.show({})).data.version).toBe(before);
  });

  it('are changed by admins only, and neither shown to keys nor changed with one', async () => {
    const agent = await dashboard(server(), company, 'agent');
    expect((await agent.company.show({})).data.id).toBe(company.id);
    expect(await refusal(agent.company.update({ name: 'x' }))).toEqual(['forbidden', null]);
    expect((await api.trpc('query', 'company.show', {})).status).toBe(403);
    expect((await api.trpc('mutation', 'company.update', { name: 'x' })).status).toBe(403);
    for (const query of ['{ company { id } }', 'mutation { updateCompany(input: { name: "x" }) { id } }'])
      expect((await api.graphql(query)).body.errors[0].extensions.code).toBe('forbidden');
  });

  it('are the same over GraphQL', async () => {
    const contextValue = await systemContext(server().app, company.id);
    const source = `mutation { updateCompany(input: {
        businessHours: { sat: [{ from: "10:00", to: "14:00" }] }, autoAssign: false, awayMessage: null
      }) { name businessHours opening { open opensAt closesAt } awayMessage autoAssign ratingRequest version } }`;
    const { data, errors } = await graphql({ schema: graphqlSchema, source, contextValue });
    expect(errors).toBeUndefined();
    expect(data?.['updateCompany']).toMatchObject({
      businessHours: { sat: [{ from: '10:00', to: '14:00' }] },
      awayMessage: null,
      autoAssign: false,
    });
  });
});

describe('keys', () => {
  it('are not made without a scope', async () => {
    const owner = await dashboard(server(), company, 'owner');
    const key = { name: 'Nothing', mode: 'live' as const };
    expect(await refusal(owner.keys.create({ ...key, scopes: [] }))).toEqual(['validation_failed', 'scopes']);
    expect(await refusal(owner.keys.create({ ...key, scopes: ['tags.manage'] }))).toBe('accepted');
  });
});

describe('agents', () => {
  it('say whether they are there; the dashboards are told', async () => {
    const ana = await createAgent(server().app, {
      company: company.id,
      email: 'ana@example.com',
      name: 'Ana',
    });
    const hers = await dashboard(server(), { id: company.id, owner: ana }, 'agent');
    await insertConversations(server().app, company.id, 3, (n) => ({
      assignee_id: ana.id,
      status: n === 0 ? 'closed' : 'open',
    }));
    const told: unknown[] = [];
    server().app.feed.onAnnouncement((one) => {
      if (one?.type === 'agent.updated' && one.company === company.id) told.push(one.object);
    });
    expect((await hers.availability.setAvailability({ availability: 'away' })).data).toEqual({
      id: ana.id,
      name: 'Ana',
      email: 'ana@example.com',
      role: 'Agent',
      availability: 'away',
      capacity: null,
      open_conversations: 2,
    });
    await hers.availability.setAvailability({ availability: 'away' });
    expect((await admin.availability.setCapacity({ agent: ana.id, capacity: 4 })).data.capacity).toBe(4);
    await expect
      .poll(() => told, { timeout: 10_000 })
      .toEqual([
        { id: ana.id, availability: 'away', capacity: null },
        { id: ana.id, availability: 'away', capacity: 4 },
      ]);
    const { data } = await admin.availability.list({});
    expect(data.map(({ email }) => email)).toContain('ana@example.com');
    const contextValue = await systemContext(server().app, company.id);
    const source = '{ agents(first: 5) { email availability capacity openConversations role } }';
    const answer = await graphql({ schema: graphqlSchema, source, contextValue });
    expect(answer.data?.['agents']).toContainEqual({
      email: 'ana@example.com',
      availability: 'away',
      capacity: 4,
      openConversations: 2,
      role: 'Agent',
    });
  });

  it('that are unknown have no capacity, nor is one negative; keys may do nothing of it', async () => {
    expect(await refusal(admin.availability.setCapacity({ agent: newId(), capacity: 1 }))).toEqual([
      'not_found',
      null,
    ]);
    const owner = company.owner.id;
    expect(await refusal(admin.availability.setCapacity({ agent: owner, capacity: -1 }))).toEqual([
      'validation_failed',
      'capacity',
    ]);
    for (const [kind, name] of [
      ['query', 'list'],
      ['mutation', 'setAvailability'],
      ['mutation', 'setCapacity'],
    ] as const)
      expect((await api.trpc(kind, `availability.${name}`, {})).status).toBe(403);
  });
});
