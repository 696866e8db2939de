import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { arrived, config, credentialsFor, letter, messagesOf, useEmail } from './support/email.ts';
import { ImapStandIn, imapPassword, imapUser } from './support/imap-stand-in.ts';
import { startServer, type TestServer } from './support/server.ts';

// What one process stores, another one reads.
const folder = mkdtempSync(path.join(tmpdir(), 'parlour-letters-'));
const shared = { MEDIA_MAX_BYTES: '200000', STORAGE_URL: `file:${folder}` };
const email = useEmail(shared);
let imap: ImapStandIn;

beforeAll(async () => {
  imap = await ImapStandIn.start();
});
afterAll(async () => {
  await imap.stop();
  rmSync(folder, { recursive: true, force: true });
});

const given = () => ({
  ...credentialsFor(email().smtp),
  imap_host: '127.0.0.1',
  imap_port: imap.port,
  imap_encryption: 'none',
  imap_user: imapUser,
  imap_password: imapPassword,
});
const follow = () => email().owner.channels.update({ channel: email().channel, credentials: given() });
const texts = async () => (await messagesOf(email(), { limit: '100' })).map((one) => one['text']).reverse();

beforeEach(() => {
  imap.mails.length = 0;
  imap.uidValidity++;
  imap.password = imapPassword;
  imap.broken.clear();
  imap.fetched.length = 0;
  return async () => {
    await email().owner.channels.update({ channel: email().channel, status: 'disabled' });
    await expect.poll(() => imap.connections).toBe(0);
  };
});

describe('a mailbox', () => {
  it('is followed: what was there before stays unread, what comes is taken in and marked as seen', async () => {
    const old = imap.deliver(letter('Long ago'), new Date(Date.now() - 40 * 24 * 3_600_000));
    await follow();
    await expect.poll(() => imap.connections, { timeout: 15_000 }).toBe(1);
    const one = imap.deliver(letter('One'));
    await arrived(email(), 'One');
    const two = imap.deliver(letter('Two'));
    await arrived(email(), 'Two');
    await expect.poll(() => [old, one, two].map(({ flags }) => flags.size)).toEqual([0, 1, 1]);
    expect(await texts()).toEqual(['One', 'Two']);
  });

  it('broken off, is followed again from where it was', async () => {
    await follow();
    await expect.poll(() => imap.connections, { timeout: 15_000 }).toBe(1);
    const one = imap.deliver(letter('One'));
    await expect.poll(() => one.flags.size, { timeout: 15_000 }).toBe(1);
    imap.drop();
    imap.deliver(letter('Two'));
    await arrived(email(), 'Two');
    expect(imap.fetched.filter((uid) => uid === one.uid)).toHaveLength(1);
    // New numbers for the same mails.
    imap.uidValidity++;
    imap.drop();
    imap.deliver(letter('Three'));
    await arrived(email(), 'Three');
    expect(await texts()).toEqual(['One', 'Two', 'Three']);
  });

  it('mails that are too large, broken or not to be had stand in nobody’s way', async () => {
    const broken = imap.deliver(letter('Never'));
    imap.broken.add(broken.uid);
    imap.deliver(letter('x'.repeat(300_000), { Subject: 'Huge' }));
    imap.deliver('');
    imap.deliver(Buffer.from([0xff, 0x00, 0x0a]));
    imap.deliver(letter('Last'));
    await follow();
    await expect
      .poll(texts, { timeout: 60_000 })
      .toEqual(expect.arrayContaining(['[A mail of 1 MiB, too large to be kept]', 'Last']));
    expect(await texts()).toHaveLength(2);
  });

  describe('of a house with two processes', () => {
    let second: TestServer;
    beforeAll(async () => {
      second = await startServer(shared, email().server.databaseUrl);
    });

    it('is followed by one of them, and by the other when that ends', async () => {
      await follow();
      await expect.poll(() => imap.connections, { timeout: 15_000 }).toBe(1);
      for (let n = 1; n <= 5; n++) imap.deliver(letter(`No. ${n}`));
      await expect.poll(async () => (await texts()).length, { timeout: 20_000 }).toBe(5);
      expect(imap.connections).toBe(1);
      await second.close();
      imap.deliver(letter('After'));
      await arrived(email(), 'After');
      expect(new Set(imap.fetched).size).toBe(imap.fetched.length);
    });
  });
});

describe('its settings', () => {
  it('are checked before they are saved', async () => {
    const refused = (credentials: object, more = {}) =>
      email()
        .owner.channels.create({
          kind: 'email',
          name: 'Second',
          config: { ...config, ...more },
          credentials: { ...given(), ...credentials },
        })
        .then(
          () => null,
          (error: { cause: { param: string } }) => error.cause.param,
        );
    expect(await refused({ imap_password: 'wrong' })).toBe('credentials.imap_password');
    expect(await refused({}, { mailbox: 'Nowhere' })).toBe('config.mailbox');
    expect(await refused({ imap_port: 1 })).toBe('credentials');
    expect((await email().owner.channels.list({})).data).toHaveLength(1);
  });

  it('that the server no longer accepts show at the channel', async () => {
    await follow();
    await expect.poll(() => imap.connections, { timeout: 15_000 }).toBe(1);
    imap.password = 'another one';
    imap.drop();
    await expect
      .poll(async () => (await email().owner.channels.list({})).data[0], { timeout: 20_000 })
      .toMatchObject({
        status: 'failing',
        failure_reason: 'The mail server does not let us read the mailbox.',
      });
  });
});
