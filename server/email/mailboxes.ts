import { setTimeout as wait } from 'node:timers/promises';
import type { Channel as ChannelRow } from '../../prisma/generated/client/client.ts';
import { runningJob } from '../platform/jobs.ts';
import { Leases } from '../platform/leases.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { MailboxReader } from './mailbox.ts';

/** Between two looks at which channels there are, in milliseconds. */
const lookInterval = 2_000;
const leases = { lockClass: 7_703, name: 'parlour-mailboxes' };

interface Followed {
  reader: MailboxReader;
  version: number;
}

/**
 * Starts what follows the mailboxes of e-mail channels. Every process runs it; a mailbox is followed by one of them, by
 * a lease that ends with the process's connection.
 */
export function startMailboxes(app: Services): () => Promise<void> {
  const mailboxes = new Mailboxes(app);
  const stop = new AbortController();
  const running = runningJob.run('mailboxes', () => mailboxes.run(stop.signal));
  return async () => {
    stop.abort();
    await running;
  };
}

class Mailboxes {
  readonly #app: Services;
  readonly #leases: Leases;
  readonly #followed = new Map<string, Followed>();
  #lost = false;

  constructor(app: Services) {
    this.#app = app;
    this.#leases = new Leases(app.databaseUrl, leases, app.log, () => {
      this.#lost = true;
    });
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#look();
      } catch (error) {
        this.#app.log.warn({ err: error }, 'mailboxes not looked at');
      }
      await wait(lookInterval, undefined, { signal, ref: false }).catch(() => undefined);
    }
    await this.#drop([...this.#followed.keys()]);
    await this.#leases.close();
  }

  async #look(): Promise<void> {
    // Others may follow them already.
    if (this.#lost) await this.#drop([...this.#followed.keys()]);
    this.#lost = false;
    const channels = await this.#channels();
    const wanted = new Map(channels.map((channel) => [channel.id, channel]));
    await this.#drop(
      [...this.#followed]
        .filter(([id, { version }]) => wanted.get(id)?.version !== version)
        .map(([id]) => id),
    );
    const free = channels.filter(({ id }) => !this.#followed.has(id));
    const servers = new Map(free.map((channel) => [channel.id, MailboxReader.serverOf(this.#app, channel)]));
    const taken = await this.#leases.take(free.map(({ id }) => id).filter((id) => servers.get(id)));
    for (const id of taken) {
      const [channel, server] = [wanted.get(id), servers.get(id)];
      if (!channel || !server) continue;
      this.#followed.set(id, {
        reader: new MailboxReader(this.#app, channel, server),
        version: channel.version,
      });
    }
  }

  #channels(): Promise<ChannelRow[]> {
    return acrossTenants(() =>
      this.#app.prisma.channel.findMany({
        where: {
          kind: 'email',
          status: { not: 'disabled' },
          credentials: { not: null },
          company: { sandboxOf: null, closedAt: null },
        },
      }),
    );
  }

  async #drop(ids: readonly string[]): Promise<void> {
    await Promise.all(ids.map(async (id) => this.#followed.get(id)?.reader.stop()));
    for (const id of ids) this.#followed.delete(id);
    if (ids.length > 0) this.#leases.release(ids);
  }
}
