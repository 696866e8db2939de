import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownerPage, ownerPassword, Page } from './support/page.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { startMailbox } from './support/smtp.ts';

const mailbox = await startMailbox();
const server = useServer({
  SIGN_IN_ATTEMPTS: '1000',
  SMTP_URL: mailbox.url,
  MAIL_FROM: 'Parlour <mail@example.com>',
});
let company: TestCompany;

beforeAll(async () => {
  company = await server().company();
  return () => mailbox.close();
});

const page = () => new Page(server().url);

/** The code that an authenticator app shows for a secret in base 32. */
function codeOf(uri: string, steps = 0): string {
  const secret = new URL(uri).searchParams.get('secret') ?? '';
  const bits = [...secret.replace(/=+$/, '')].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const key = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const digest = createHmac('sha1', key).update(counter).digest();
  const at = (digest.at(-1) ?? 0) & 15;
  return String((digest.readUInt32BE(at) & 0x7f_ff_ff_ff) % 1_000_000).padStart(6, '0');
}

/** The text after `#` of the link in the last mail to somebody. */
async function linkTo(email: string, path: string): Promise<string> {
  const find = () =>
    mailbox.mails
      .filter((mail) => mail.includes(`To: ${email}`))
      .map((mail) => new RegExp(`${server().url}${path}#(\\S+)`).exec(mail)?.[1])
      .at(-1);
  await expect.poll(find, { timeout: 30_000 }).toBeTypeOf('string');
  return find() ?? '';
}

describe('a second factor', () => {
  it('is asked for once it was confirmed, and takes a recovery code once', async () => {
    const own = await ownerPage(server().url, company);
    expect((await own.step('/two-factor/enable', { password: 'wrong horse battery' })).status).toBe(422);
    const { uri, recovery_codes: codes } = (await own.step('/two-factor/enable', { password: ownerPassword }))
      .body.data;
    expect(uri).toMatch(/^otpauth:\/\/totp\/Parlour/);
    expect(codes).toHaveLength(10);
    expect((await page().signIn(company.owner.email)).body.data).toEqual({ signed_in: true });
    expect((await own.step('/two-factor/confirm', { code: '000000' })).status).toBe(422);
    const before = own.cookie;
    expect((await own.step('/two-factor/confirm', { code: codeOf(uri) })).status).toBe(200);
    expect(own.cookie).not.toBe(before);
    expect((await own.query('account.profile')).body.result.data.data.two_factor).toBe(true);

    const half = page();
    const first = await half.signIn(company.owner.email);
    expect(first.body.data).toEqual({ signed_in: false, second_factor: true });
    expect([...half.cookies.keys()].some((name) => name.endsWith('session_token'))).toBe(false);
    expect((await half.query('account.profile')).status).toBe(401);
    const wrong = await half.step('/second-factor', { code: '123456' });
    expect(wrong.status).toBe(401);
    expect(wrong.body.error.message).toBe('The code is wrong or too old.');
    expect((await half.step('/second-factor', { code: codeOf(uri) })).status).toBe(200);
    expect((await half.query('account.profile')).status).toBe(200);

    for (const status of [200, 401]) {
      const again = page();
      await again.signIn(company.owner.email);
      expect((await again.step('/second-factor', { code: codes[0] })).status).toBe(status);
    }
    expect((await page().step('/second-factor', { code: codeOf(uri) })).status).toBe(401);
    const { rows } = await server().app.pool.query('SELECT secret, backup_codes FROM two_factors');
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(codes[1]);

    expect((await own.step('/two-factor/disable', { password: ownerPassword })).status).toBe(200);
    expect((await page().signIn(company.owner.email)).body.data).toEqual({ signed_in: true });
  });

  it('takes five wrong codes for one challenge, then none at all', async () => {
    const other = await server().company();
    const own = await ownerPage(server().url, other);
    const { uri } = (await own.step('/two-factor/enable', { password: ownerPassword })).body.data;
    await own.step('/two-factor/confirm', { code: codeOf(uri) });
    const half = page();
    await half.signIn(other.owner.email);
    for (let n = 0; n < 5; n++)
      expect((await half.step('/second-factor', { code: '000000' })).status).toBe(401);
    expect((await half.step('/second-factor', { code: codeOf(uri) })).status).toBe(401);
  });
});

describe('recovery', () => {
  it('mails a link that sets a password once and ends every session', async () => {
    const other = await server().company();
    const { email } = other.owner;
    const own = await ownerPage(server().url, other);
    expect((await page().step('/recovery/request', { email })).body).toEqual({ data: { requested: true } });
    const token = await linkTo(email, '/recovery');
    const { rows } = await server().app.pool.query(
      `SELECT (SELECT json_agg(v) FROM verifications v)::text || (SELECT json_agg(j.data) FROM jobs.job j)::text AS dump`,
    );
    expect(rows[0].dump).not.toContain(token);
    const password = 'a new horse battery';
    expect((await page().step('/recovery', { token, password: 'short' })).body.error.param).toBe('password');
    expect((await page().step('/recovery', { token: `${token}x`, password })).body.error.param).toBe('token');
    expect((await page().step('/recovery', { token, password })).status).toBe(200);
    expect((await page().step('/recovery', { token, password })).status).toBe(422);
    expect((await own.query('account.profile')).status).toBe(401);
    expect((await page().signIn(email)).status).toBe(401);
    expect((await page().signIn(email, password)).status).toBe(200);
  });

  it('answers the same for an unknown e-mail, and mails nothing', async () => {
    const count = mailbox.mails.length;
    const answer = await page().step('/recovery/request', { email: 'nobody@example.com' });
    expect(answer.body).toEqual({ data: { requested: true } });
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(mailbox.mails).toHaveLength(count);
  });
});

describe('an invitation', () => {
  const roles = async (own: Page) =>
    (await own.query('roles.list')).body.result.data.data as Record<string, string>[];
  const roleId = async (own: Page, key: string) =>
    String((await roles(own)).find((role) => role['key'] === key)?.['id']);

  it('lets somebody in once, with the role it names', async () => {
    const own = await ownerPage(server().url, company);
    const email = 'bob@example.com';
    const made = await own.mutate('invitations.create', { email, role: await roleId(own, 'agent') });
    const { link, id } = made.body.result.data.data;
    const token = await linkTo(email, '/invitation');
    expect(link).toBe(`${server().url}/invitation#${token}`);
    expect(
      (await own.query('invitations.list')).body.result.data.data.map((one: { id: string }) => one.id),
    ).toEqual([id]);
    expect((await page().step('/invitation', { token })).body.data).toEqual({
      email,
      company: company.id && expect.stringContaining('Company'),
      role: 'Agent',
      invited_by: expect.any(String),
    });
    const bob = page();
    const accepted = { token, name: 'Bob Brito', password: 'bobs horse battery' };
    expect((await bob.step('/invitation/accept', { ...accepted, password: 'short' })).status).toBe(422);
    expect((await bob.step('/invitation/accept', accepted)).body.data).toEqual({ signed_in: true });
    expect((await page().step('/invitation/accept', accepted)).body.error.param).toBe('token');
    const profile = (await bob.query('account.profile')).body.result.data.data;
    expect(profile).toMatchObject({ name: 'Bob Brito', email, role: { key: 'agent' } });
    expect(profile.scopes).not.toContain('tags.manage');
    expect((await bob.query('tags.list')).status).toBe(200);
    expect((await bob.mutate('tags.create', { name: 'no' })).status).toBe(403);
    for (const name of ['invitations.list', 'keys.list'])
      expect((await bob.query(name)).status, name).toBe(403);
    bob.mode = 'test';
    expect((await bob.query('contacts.list')).body.result.data.data).toHaveLength(7);
  });

  it('is over when it was withdrawn, replaced or is a week old', async () => {
    const own = await ownerPage(server().url, company);
    const role = await roleId(own, 'agent');
    const invite = async (email: string) => {
      const { link, id } = (await own.mutate('invitations.create', { email, role })).body.result.data.data;
      return { token: String(link).split('#')[1], id };
    };
    const withdrawn = await invite('cleo@example.com');
    await own.mutate('invitations.revoke', { invitation: withdrawn.id });
    const replaced = await invite('cleo@example.com');
    const last = await invite('CLEO@example.com');
    const status = async ({ token }: { token: string | undefined }) =>
      (await page().step('/invitation', { token })).status;
    expect([await status(withdrawn), await status(replaced), await status(last)]).toEqual([422, 422, 200]);
    server().clock.advance(7 * 24 * 3_600_000);
    expect(await status(last)).toBe(422);
    server().clock.advance(-7 * 24 * 3_600_000);
  });

  it('is for nobody who has a login, and gives nobody the Owner’s role', async () => {
    const own = await ownerPage(server().url, company);
    const role = await roleId(own, 'agent');
    const other = await server().company();
    for (const email of [company.owner.email, other.owner.email]) {
      const answer = await own.mutate('invitations.create', { email, role });
      expect(answer.body.error.data.error.details[0]).toMatchObject({ param: 'email', code: 'duplicate' });
    }
    const asOwner = { email: 'dora@example.com', role: await roleId(own, 'owner') };
    expect((await own.mutate('invitations.create', asOwner)).body.error.data.error.param).toBe('role');
    const foreign = {
      email: 'dora@example.com',
      role: await roleId(await ownerPage(server().url, other), 'agent'),
    };
    expect((await own.mutate('invitations.create', foreign)).body.error.data.error.param).toBe('role');
  });

  it('races to one agent', async () => {
    const own = await ownerPage(server().url, company);
    const made = await own.mutate('invitations.create', {
      email: 'eve@example.com',
      role: await roleId(own, 'agent'),
    });
    const token = String(made.body.result.data.data.link).split('#')[1];
    const answers = await Promise.all(
      Array.from({ length: 5 }, () =>
        page().step('/invitation/accept', { token, name: 'Eve', password: ownerPassword }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422]);
  });
});
