import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { ImapFlow } from 'imapflow';
import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { EmailConfig, EmailCredentials } from '../../schema/email.ts';
import { credentialsOf } from '../channels/credentials.ts';
import { storeLetter } from '../channels/email-store.ts';
import { markFailing } from '../channels/failing.ts';
import { imapClient, type ImapServer, imapServerOf, isLockedOut } from '../channels/imap.ts';
import { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import { writeFile } from '../platform/upload.ts';

/** In milliseconds: a look without being told, and the pause after a failure, which doubles. */
const delays = { look: 60_000, failedFirst: 1_000, failedMost: 300_000 };
/** Attempts at one mail. */
const maximumTimes = 5;
const day = 24 * 3_600_000;
/** What stays of a mail that is too large. */
const headFields = ['from', 'sender', 'subject', 'message-id', 'in-reply-to', 'references', 'auto-submitted'];

/** Where the numbers of a mailbox begin to be new. */
interface Mark {
  uidValidity: bigint;
  lastUid: bigint;
}

/** The mailbox of one channel: follows it over IMAP until it is stopped, and stores what comes in. */
export class MailboxReader {
  readonly #app: Services;
  readonly #channel: ChannelRow;
  readonly #server: ImapServer;
  readonly #path: string;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;
  #stuck: { uid: number; times: number } | null = null;

  constructor(app: Services, channel: ChannelRow, server: ImapServer) {
    this.#app = app;
    this.#channel = channel;
    this.#server = server;
    this.#path = EmailConfig.parse(channel.config).mailbox;
    this.#ended = this.#run();
  }

  /** Null for a channel whose mail is not fetched, or whose settings can't be read any more. */
  static serverOf(app: Services, channel: ChannelRow): ImapServer | null {
    try {
      EmailConfig.parse(channel.config);
      return imapServerOf(credentialsOf(app, channel, EmailCredentials));
    } catch {
      return null;
    }
  }

  /** Resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    let pause = delays.failedFirst;
    while (!this.#stop.signal.aborted) {
      const client = await imapClient(this.#server);
      // What breaks later closes the connection; both are noticed below.
      client.on('error', () => undefined);
      const abort = () => client.close();
      this.#stop.signal.addEventListener('abort', abort, { once: true });
      try {
        await client.connect();
        await client.mailboxOpen(this.#path);
        await this.#follow(client, () => {
          pause = delays.failedFirst;
        });
      } catch (error) {
        if (!this.#stop.signal.aborted) await this.#failed(error);
      } finally {
        this.#stop.signal.removeEventListener('abort', abort);
        client.close();
      }
      await this.#rest(pause);
      pause = Math.min(pause * 2, delays.failedMost);
    }
  }

  /** Until the connection ends. */
  async #follow(client: ImapFlow, onRead: () => void): Promise<void> {
    let told = Promise.withResolvers<void>();
    const wake = () => told.resolve();
    client.on('exists', wake);
    client.on('close', wake);
    while (!this.#stop.signal.aborted && client.usable) {
      told = Promise.withResolvers();
      await this.#read(client);
      onRead();
      if (!client.usable) return;
      const rest = new AbortController();
      await Promise.race([told.promise, this.#rest(delays.look, rest.signal)]);
      rest.abort();
    }
  }

  async #failed(error: unknown): Promise<void> {
    this.#app.log.warn({ err: error, channel: this.#channel.id }, 'mailbox not read');
    if (!isLockedOut(error)) return;
    try {
      await markFailing(this.#app, this.#channel, 'The mail server does not let us read the mailbox.');
    } catch (unwritten) {
      this.#app.log.warn({ err: unwritten, channel: this.#channel.id }, 'state of a channel not written');
    }
  }

  #rest(milliseconds: number, until?: AbortSignal): Promise<void> {
    const signal = until ? AbortSignal.any([until, this.#stop.signal]) : this.#stop.signal;
    return wait(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
  }

  /** Stores every mail that is new. */
  async #read(client: ImapFlow): Promise<void> {
    if (!client.mailbox) return;
    const { uidValidity } = client.mailbox;
    const { mark, since } = await this.#mark(uidValidity);
    const range = since ? { since } : { uid: `${mark.lastUid + 1n}:*` };
    const found = (await client.search(range, { uid: true })) || [];
    // A range up to `*` always holds the last mail.
    const fresh = found.filter((uid) => BigInt(uid) > mark.lastUid).sort((a, b) => a - b);
    for (const uid of fresh) {
      if (this.#stop.signal.aborted) return;
      const taken = await this.#takeOrPass(client, uid, uidValidity, since);
      if (taken) await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
    }
    if (since && fresh.length === 0) await this.#moveTo({ uidValidity, lastUid: 0n });
  }

  /** How far it was read; of a mailbox that is new to us, or has new numbers, what came since we last looked. */
  async #mark(uidValidity: bigint): Promise<{ mark: Mark; since: Date | null }> {
    const { companyId, id: channelId, createdAt } = this.#channel;
    const row = await inTenant(companyId, () =>
      this.#app.prisma.mailbox.findUnique({ where: { companyId_channelId: { companyId, channelId } } }),
    );
    if (row?.path === this.#path && row.uidValidity === uidValidity)
      return { mark: row, since: row.lastUid === 0n ? createdAt : null };
    const since = row?.path === this.#path ? new Date(row.updatedAt.getTime() - day) : createdAt;
    return { mark: { uidValidity, lastUid: 0n }, since };
  }

  /** A mail that the server can't give, again and again, is passed over and stays unread: others wait behind it. */
  async #takeOrPass(
    client: ImapFlow,
    uid: number,
    uidValidity: bigint,
    since: Date | null,
  ): Promise<boolean> {
    try {
      return await this.#take(client, uid, uidValidity, since);
    } catch (error) {
      if (this.#stuck?.uid !== uid) this.#stuck = { uid, times: 0 };
      const lies = error instanceof AppError && error.code === 'payload_too_large';
      if (++this.#stuck.times < maximumTimes && !lies) throw error;
      this.#app.log.error({ err: error, channel: this.#channel.id, uid }, 'mail passed over');
      await this.#moveTo({ uidValidity, lastUid: BigInt(uid) });
      return false;
    }
  }

  /** In the store first, then its job and the mark in one transaction: neither lost nor taken twice. */
  async #take(client: ImapFlow, uid: number, uidValidity: bigint, since: Date | null): Promise<boolean> {
    const mark = { uidValidity, lastUid: BigInt(uid) };
    const facts = await client.fetchOne(String(uid), { size: true, internalDate: true }, { uid: true });
    // It was moved away meanwhile, or was there before us: servers search by day only.
    if (!facts || (since && facts.internalDate && new Date(facts.internalDate) < startOf(since)))
      return this.#passOver(mark);
    const most = this.#app.config.mediaMaxBytes;
    const size = facts.size ?? 0;
    const source = size > most ? await headOnly(client, uid, size) : await whole(client, uid);
    if (!source) return this.#passOver(mark);
    const folder = path.join(this.#app.config.dataDir, 'uploads');
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const upload = await writeFile(source, path.join(folder, randomUUID()), most);
    try {
      const letter = await storeLetter(this.#app, upload);
      const { companyId, id: channelId } = this.#channel;
      await inTenant(companyId, () =>
        this.#app.prisma.$transaction(async (db) => {
          await this.#moveTo(mark, db);
          await this.#app.jobs.enqueue('email.received', { companyId, channelId, letter }, { db });
        }),
      );
      return true;
    } finally {
      await upload.discard();
    }
  }

  async #passOver(mark: Mark): Promise<false> {
    await this.#moveTo(mark);
    return false;
  }

  async #moveTo({ uidValidity, lastUid }: Mark, db: Pick<Services['prisma'], 'mailbox'> = this.#app.prisma) {
    const { companyId, id: channelId } = this.#channel;
    const facts = { path: this.#path, uidValidity, lastUid, updatedAt: this.#app.clock.now() };
    await inTenant(companyId, () =>
      db.mailbox.upsert({
        where: { companyId_channelId: { companyId, channelId } },
        create: { companyId, channelId, ...facts },
        update: facts,
        select: { channelId: true },
      }),
    );
  }
}

/** Servers give times in whole seconds. */
function startOf(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1_000) * 1_000);
}

async function whole(client: ImapFlow, uid: number): Promise<Readable | null> {
  const { content } = await client.download(String(uid), undefined, { uid: true });
  return content ?? null;
}

/** Who wrote about what, of a mail that is too large to be kept. */
async function headOnly(client: ImapFlow, uid: number, size: number): Promise<Readable | null> {
  const found = await client.fetchOne(String(uid), { headers: headFields }, { uid: true });
  if (!found || !found.headers) return null;
  const note = `[A mail of ${Math.ceil(size / 1024 / 1024)} MiB, too large to be kept]`;
  return Readable.from([
    Buffer.concat([Buffer.from(`${found.headers.toString('latin1').trim()}\r\n\r\n${note}\r\n`, 'latin1')]),
  ]);
}
