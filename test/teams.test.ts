import { beforeAll, describe, expect, it } from 'vitest';
import { createAgent } from '../server/account/agents.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { execute } from '../server/platform/operation.ts';
import { createTeam, deleteTeam, updateTeam } from '../server/teams/service.ts';
import type { Context } from '../server/platform/context.ts';
import type { Client } from './support/client.ts';
import { insertConversations } from './support/rows.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let ctx: Context;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  await createAgent(server().app, { company: company.id, email: 'ana@example.com', name: 'Ana' });
  ctx = await systemContext(server().app, company.id);
});

const list = async () => (await api.trpc('query', 'teams.list', {})).body.result.data.data;

describe('teams', () => {
  it('are made, changed and listed; transfers find them', async () => {
    const made = await execute(createTeam, ctx, { name: 'Vendas & Ação', members: ['ANA@example.com'] });
    expect(made.slug).toBe('vendas-acao');
    await execute(updateTeam, ctx, { team: made.id, name: 'Sales', slug: 'sales' });
    expect(await list()).toEqual([
      expect.objectContaining({
        id: made.id,
        name: 'Sales',
        slug: 'sales',
        members: [{ name: 'Ana', email: 'ana@example.com' }],
      }),
    ]);
    const [id] = await insertConversations(server().app, company.id, 1);
    const { data } = (await api.post(`/conversations/${id}/transfer`, { team: 'sales' })).body;
    expect(data.team).toEqual({ id: made.id, name: 'Sales' });
    const query = '{ teams(first: 5) { name members(first: 5) { email } } }';
    expect((await api.graphql(query)).body.data.teams).toEqual([
      { name: 'Sales', members: [{ email: 'ana@example.com' }] },
    ]);
    await execute(deleteTeam, ctx, { team: made.id });
    expect((await api.get(`/conversations/${id}`)).body.data.team).toBeNull();
    expect(await list()).toEqual([]);
  });

  it('refuse a taken slug, strangers and bad slugs', async () => {
    await execute(createTeam, ctx, { name: 'Support' });
    const refused = (input: object) =>
      execute(createTeam, ctx, input).catch((error: { param: string }) => error.param);
    expect(await refused({ name: 'support' })).toBe('slug');
    expect(await refused({ name: 'x', slug: 'A B' })).toBe('slug');
    expect(await refused({ name: '日本' })).toBe('slug');
    expect(await refused({ name: '' })).toBe('name');
    expect(await refused({ name: 'x', members: ['ana@example.com', 'nobody@example.com'] })).toBe(
      'members.1',
    );
  });

  it('are kept by admins in the dashboard, never with a key', async () => {
    for (const [path, input] of [
      ['teams.create', { name: 'x' }],
      ['teams.update', { team: 'x' }],
      ['teams.delete', { team: 'x' }],
    ] as const) {
      expect((await api.trpc('mutation', path, input)).status).toBe(403);
    }
  });
});
