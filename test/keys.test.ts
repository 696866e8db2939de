import { beforeAll, describe, expect, it } from 'vitest';
import { ApiKey } from '../schema/keys.ts';
import { Client } from './support/client.ts';
import { ownerPage, type Page } from './support/page.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ RATE_LIMIT_PER_MINUTE: '120', SIGN_IN_ATTEMPTS: '100000' });
let company: TestCompany;
let owner: Page;

beforeAll(async () => {
  company = await server().company();
  owner = await ownerPage(server().url, company);
});

const create = async (input: object = {}) => {
  const answer = await owner.mutate('keys.create', {
    name: 'Shop',
    mode: 'live',
    scopes: ['contacts.view'],
    ...input,
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.result.data.data as ApiKey & { key: string };
};
const rotate = async (key: string, overlap: number) =>
  owner.mutate('keys.rotate', { key, overlap_hours: overlap });
const listed = async (id: string) => {
  const { data } = (await owner.query('keys.list')).body.result.data;
  return ApiKey.parse(data.find((one: { id: string }) => one.id === id));
};
const status = async (key: string) => (await new Client(server().url, key).get('/contacts')).status;

describe('an API key in the dashboard', () => {
  it('says who made it, and what used it last and from where', async () => {
    const { id, key } = await create();
    expect(await listed(id)).toMatchObject({ created_by: expect.any(String), last_used_agent: null });
    await new Client(server().url, key).request('GET', '/contacts', { headers: { 'User-Agent': 'zap/2' } });
    await server().app.keys.flushUsage();
    expect(await listed(id)).toMatchObject({
      last_used_agent: 'zap/2',
      last_used_ip: expect.stringMatching(/127\.0\.0\.1/),
    });
  });

  it('is rotated: both work during the overlap, then only the new one', async () => {
    const old = await create({ scopes: ['contacts.view', 'tags.manage'] });
    const answer = await rotate(old.id, 24);
    const fresh = answer.body.result.data.data;
    expect(fresh).toMatchObject({ name: 'Shop', mode: 'live', scopes: old.scopes, user: old.user });
    expect(fresh.expires_at).toBeNull();
    expect([await status(old.key), await status(fresh.key)]).toEqual([200, 200]);
    const now = server().clock.now().getTime();
    const end = new Date((await listed(old.id)).expires_at!).getTime();
    expect(Math.abs(end - now - 24 * 3_600_000)).toBeLessThan(600_000);
    const brief = await create();
    const next = (await rotate(brief.id, 0)).body.result.data.data;
    expect([await status(brief.key), await status(next.key)]).toEqual([401, 200]);
    expect((await rotate(brief.id, 0)).status).toBe(409);
    expect((await rotate(old.id, 5)).status).toBe(422);
    expect((await rotate('unknown', 0)).status).toBe(404);
  });

  it('tells its budget, which asking does not touch', async () => {
    const { id, key } = await create();
    const budget = async () => (await owner.query('keys.budget', { key: id })).body.result.data.data;
    expect(await budget()).toEqual({ limit: 120, remaining: 120, resets_in: 60 });
    await status(key);
    expect(await budget()).toMatchObject({ limit: 120, remaining: 119 });
    expect(await budget()).toMatchObject({ remaining: 119 });
    expect((await owner.query('keys.budget', { key: 'unknown' })).status).toBe(404);
  });

  it('is the Owner’s alone', async () => {
    const { id, key } = await create();
    const api = new Client(server().url, key);
    expect((await api.trpc('mutation', 'keys.rotate', { key: id, overlap_hours: 0 })).status).toBe(403);
    expect((await api.trpc('query', 'keys.budget', { key: id })).status).toBe(403);
  });
});
