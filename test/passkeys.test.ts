import { beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from './support/client.ts';
import { Authenticator } from './support/authenticator.ts';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
let company: TestCompany;
let own: Page;
let origin: string;

beforeAll(async () => {
  company = await server().company();
  own = await ownerPage(server().url, company);
  origin = server().url.replace('127.0.0.1', 'localhost');
});

const page = () => new Page(server().url);
const refusal = 'That passkey does not sign in here.';

async function creation(of: Page) {
  const answer = await of.step('/passkey/new', { password: ownerPassword });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.data;
}

async function added(of: Page, key = new Authenticator()) {
  const response = key.register(await creation(of), { origin });
  const answer = await of.mutate('account.addPasskey', { name: 'Phone', response });
  expect(answer.status, answer.text).toBe(200);
  return { key, id: String(answer.body.result.data.data.id) };
}

async function asked(by = page()) {
  return (await by.step('/passkey/options')).body.data;
}

const error = (answer: Answer) => answer.body.error.data.error;

describe('a passkey', () => {
  it('is made for the password and signs in by itself, as often as one likes', async () => {
    expect((await page().send('GET', '/auth/state')).body.data.passkeys).toBe('localhost');
    expect((await page().step('/passkey/new', { password: ownerPassword })).status).toBe(401);
    const wrong = await own.step('/passkey/new', { password: 'wrong horse battery' });
    expect([wrong.status, wrong.body.error.param]).toEqual([422, 'password']);
    const { key, id } = await added(own);
    for (const _ of [1, 2]) {
      const visitor = page();
      const answer = await visitor.step('/passkey', { response: key.sign(await asked(), { origin }) });
      expect(answer.body).toEqual({ data: { signed_in: true } });
      expect((await visitor.query('account.profile')).body.result.data.data.email).toBe(company.owner.email);
    }
    const [listed] = (await own.query('account.passkeys')).body.result.data.data;
    expect(listed).toMatchObject({ id, name: 'Phone', last_used_at: expect.any(String) });
    const named = await own.mutate('account.renamePasskey', { passkey: id, name: 'Old phone' });
    expect(named.body.result.data.data.name).toBe('Old phone');
    const log = (await own.query('audit.list')).body.result.data.data as { action: string }[];
    expect(log.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['account.addPasskey', 'account.renamePasskey']),
    );
    const { rows } = await server().app.pool.query('SELECT row_to_json(a)::text AS row FROM audit_logs a');
    expect(JSON.stringify(rows)).not.toContain(key.id);
  });

  it('signs in only with what was asked for just now, at our own address, by somebody who is there', async () => {
    const { key } = await added(own);
    const first = await asked();
    const signed = key.sign(first, { origin });
    expect((await page().step('/passkey', { response: signed })).status).toBe(200);
    const refused = async (response: object) => {
      const visitor = page();
      const answer = await visitor.step('/passkey', { response });
      expect([answer.status, answer.body.error.message]).toEqual([401, refusal]);
      expect(visitor.cookies.size).toBe(0);
    };
    await refused(signed);
    await refused(key.sign(first, { origin }));
    await refused(key.sign({ challenge: Buffer.alloc(38, 7).toString('base64url') }, { origin }));
    await refused(key.sign(await creation(own), { origin }));
    await refused(key.sign(await asked(), { origin: 'https://parlour.example.org' }));
    await refused(key.sign(await asked(), { origin, host: 'example.org' }));
    await refused(key.sign(await asked(), { origin, verified: false }));
    // Another authenticator with the same key has counted less.
    await refused(key.sign(await asked(), { origin, counter: 1 }));
    await refused(new Authenticator().sign(await asked(), { origin }));
    const other = key.sign(await asked(), { origin });
    await refused({ ...other, response: { ...other.response, userHandle: 'bm9ib2R5' } });
    const old = await asked();
    server().clock.advance(5 * 60_000);
    await refused(key.sign(old, { origin }));
    expect(
      (await page().step('/passkey', { response: key.sign(await asked(), { origin, counter: 99 }) })).status,
    ).toBe(200);
    expect((await page().step('/passkey', { response: { id: '!' } })).status).toBe(422);
  });

  it('is added once, for the challenge of its own login', async () => {
    const stranger = await ownerPage(server().url, await server().company());
    const key = new Authenticator();
    const options = await creation(own);
    const response = key.register(options, { origin });
    const foreign = await stranger.mutate('account.addPasskey', { name: 'Theirs', response });
    expect([foreign.status, error(foreign).param]).toEqual([422, 'response']);
    const elsewhere = key.register(await creation(own), { origin: 'https://parlour.example.org' });
    expect((await own.mutate('account.addPasskey', { name: 'x', response: elsewhere })).status).toBe(422);
    expect((await own.mutate('account.addPasskey', { name: 'Mine', response })).status).toBe(200);
    expect((await own.mutate('account.addPasskey', { name: 'Again', response })).status).toBe(422);
    const again = key.register(await creation(stranger), { origin });
    const twice = await stranger.mutate('account.addPasskey', { name: 'Again', response: again });
    expect(error(twice).details[0]).toMatchObject({ param: 'response', code: 'duplicate' });
    own.mode = 'test';
    expect((await own.mutate('account.addPasskey', { name: 'Mine', response })).status).toBe(403);
    own.mode = 'live';
  });

  it('lets nobody in once it is removed, and is nobody else’s to remove', async () => {
    const { key, id } = await added(own);
    const stranger = await ownerPage(server().url, await server().company());
    for (const name of ['account.removePasskey', 'account.renamePasskey'])
      expect((await stranger.mutate(name, { passkey: id, name: 'x' })).status, name).toBe(404);
    expect((await own.mutate('account.removePasskey', { passkey: id })).status).toBe(200);
    expect((await page().step('/passkey', { response: key.sign(await asked(), { origin }) })).status).toBe(
      401,
    );
    expect((await own.mutate('account.removePasskey', { passkey: id })).status).toBe(404);
  });

  it('signs nobody in who was deactivated', async () => {
    const { key } = await added(own);
    await server().app.pool.query('UPDATE users SET deactivated_at = now() WHERE id = $1', [
      company.owner.id,
    ]);
    expect((await page().step('/passkey', { response: key.sign(await asked(), { origin }) })).status).toBe(
      401,
    );
    await server().app.pool.query('UPDATE users SET deactivated_at = NULL WHERE id = $1', [company.owner.id]);
  });
});
