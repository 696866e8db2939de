import { Writable } from 'node:stream';
import fc from 'fast-check';
import { vi } from 'vitest';
import { systemRoles } from '../../schema/scopes.ts';
import { createAgent } from '../../server/account/agents.ts';
import { createLog } from '../../server/platform/log.ts';
import { Client } from '../support/client.ts';
import { ownerPassword, Page } from '../support/page.ts';
import { startServer, type TestCompany, type TestServer } from '../support/server.ts';
import { addSimulator, deliver } from '../support/simulator.ts';
import { loopbackAllowed } from '../support/webhooks.ts';
import { Pool, ulid } from './references.ts';

export type Mode = 'live' | 'test';
type Side = 'ours' | 'theirs';

/** Somebody who calls, by a key or by the cookie of a session. */
export interface Actor {
  name: string;
  side: Side;
  mode: Mode;
  headers: Record<string, string>;
  /** For GraphQL of one's own, where they differ. */
  graphql?: Record<string, string>;
  /** Nobody we know: every answer is 401. */
  unknown?: true;
}

/** Words that only one company has, and that nobody sends. */
const canaries: Readonly<Record<Side, string>> = { ours: 'zqourcanary', theirs: 'zqtheircanary' };
const other: Readonly<Record<Side, Side>> = { ours: 'theirs', theirs: 'ours' };

/** A server with two companies of known content, everybody who may call it, and what their answers have told. */
export class World {
  readonly server: TestServer;
  readonly keys: Actor[] = [];
  readonly pages: Actor[] = [];
  /** Lines of the log, at debug level. */
  readonly log: string[];
  /** Secrets that no log may show. */
  readonly secrets: string[] = [];
  readonly #pools = new Map<string, Pool>();
  readonly #owners = new Map<string, Side>();
  /** Ids that a side has sent, and may have stored as a text of its own. */
  readonly #named = { ours: new Set<string>(), theirs: new Set<string>() };
  /** Of the sandbox: whose messages fail with 500 and 429 on purpose (decisions §13). */
  readonly #magic = new Set<string>();

  private constructor(server: TestServer, log: string[]) {
    this.server = server;
    this.log = log;
  }

  static async open(variables: Record<string, string> = {}): Promise<World> {
    const lines: string[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        done();
      },
    });
    const settings = {
      SIGN_IN_ATTEMPTS: '1000',
      WHATSAPP_API_URL: 'http://127.0.0.1:9',
      ...loopbackAllowed,
      ...variables,
    };
    const world = new World(await startServer(settings, undefined, createLog('debug', sink)), lines);
    for (const side of ['ours', 'theirs'] as const) await world.#settle(side);
    return world;
  }

  get url(): string {
    return this.server.url;
  }

  pool({ side, mode }: Pick<Actor, 'side' | 'mode'>): Pool {
    const name = `${side} ${mode}`;
    const pool = this.#pools.get(name) ?? new Pool();
    this.#pools.set(name, pool);
    return pool;
  }

  foreignPool({ side, mode }: Actor): Pool {
    return this.pool({ side: other[side], mode });
  }

  /** Whether a request may be answered with 500 or 429 because the sandbox was asked for just that. */
  isMagic(text: string): boolean {
    return (text.match(ulid) ?? []).some((id) => this.#magic.has(id));
  }

  /** What an answer tells of the other company, beside what its callers have named themselves. */
  leaks(actor: Actor, request: string, answer: string): string[] {
    const named = this.#named[actor.side];
    for (const id of request.match(ulid) ?? []) named.add(id);
    const foreign = (answer.match(ulid) ?? []).filter(
      (id) => this.#owners.get(id) === other[actor.side] && !named.has(id),
    );
    return answer.includes(canaries[other[actor.side]]) ? ['its canary', ...foreign] : foreign;
  }

  /** Takes what an answer has told into the pool of its caller. */
  learn(actor: Actor, kind: string, text: string, body: unknown): void {
    if (actor.unknown) return;
    for (const id of text.match(ulid) ?? []) if (!this.#owners.has(id)) this.#owners.set(id, actor.side);
    this.pool(actor).harvest(body, kind);
    for (const [, secret = ''] of text.matchAll(/(whsec_[\w+/=-]{20,}|(?<=\|)[0-9A-Za-z]{40,64}(?="))/g))
      this.secrets.push(secret);
  }

  /** Whether a text has a secret, or what only a company's own records say. */
  tells(text: string): string[] {
    return [...this.secrets, ...Object.values(canaries)].filter((word) => text.includes(word));
  }

  /** Which secrets any table of the database has as they are. */
  async stored(): Promise<string[]> {
    const { pool } = this.server.app;
    const { rows } = await pool.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const found = new Set<string>();
    for (const { name } of rows) {
      const { rows: lines } = await pool.query<{ line: string }>(`SELECT t::text AS line FROM ${name} t`);
      for (const secret of this.secrets)
        if (lines.some(({ line }) => line.includes(secret))) found.add(`${name}: ${secret.slice(0, 12)}`);
    }
    return [...found];
  }

  /** The cause of a server_error, as the log has it. */
  cause(requestId: string): string {
    const line = this.log.find((one) => one.includes(requestId) && one.includes('request failed'));
    if (line === undefined) return 'no cause in the log';
    const { err } = JSON.parse(line) as { err?: { message?: string; stack?: string } };
    return `${err?.message} ${err?.stack?.split('\n').slice(1, 6).join(' ')}`.slice(0, 1_200);
  }

  /** Names of those who may make a call; strangers only now and then. */
  callers(...groups: readonly Actor[][]): fc.Arbitrary<string> {
    const all = groups.flat();
    const names = (unknown: boolean) =>
      all.filter((one) => (one.unknown ?? false) === unknown).map(({ name }) => name);
    return fc.oneof(
      { weight: 15, arbitrary: fc.constantFrom(...names(false)) },
      { weight: 1, arbitrary: fc.constantFrom(...names(true)) },
    );
  }

  close(): Promise<void> {
    return this.server.close();
  }

  async #settle(side: Side): Promise<void> {
    const company = await this.server.company();
    const staff = {
      owner: company.owner.email,
      admin: await this.#agent(company, side, 'admin'),
      agent: await this.#agent(company, side, 'agent'),
    };
    for (const mode of ['live', 'test'] as const) {
      await this.#key(company, side, mode);
      for (const [role, email] of Object.entries(staff)) {
        this.pool({ side, mode }).add('email', email);
        await this.#page(side, mode, role, email);
      }
    }
    await this.#key(company, side, 'live', 'agent', systemRoles.agent);
    await this.#key(company, side, 'live', 'viewer', ['contacts.view', 'bookings.read']);
    if (side === 'ours') {
      const nobody = { side, mode: 'live', unknown: true } as const;
      this.keys.push({ ...nobody, name: 'nobody', headers: {} });
      this.keys.push({
        ...nobody,
        name: 'stranger',
        headers: { Authorization: `Bearer svc_live_x|${'a'.repeat(43)}` },
      });
    }
    await this.#furnish(company, canaries[side]);
  }

  async #key(
    company: TestCompany,
    side: Side,
    mode: Mode,
    name = 'all',
    scopes?: readonly never[] | readonly string[],
  ) {
    const { key } = await company.key({ mode, ...(scopes ? { scopes: scopes as [] } : {}) });
    this.secrets.push(String(key.split('|')[1]));
    this.keys.push({
      name: `${side} ${mode} key ${name}`,
      side,
      mode,
      headers: { Authorization: `Bearer ${key}` },
    });
    if (mode === 'test') await this.#findMagic(new Client(this.url, key));
  }

  async #findMagic(sandbox: Client): Promise<void> {
    for (const phone of ['+15005550004', '+15005550005']) {
      const contact = (await sandbox.get('/contacts', { phone })).body.data[0]?.id;
      const conversations = (await sandbox.get('/conversations', { contact })).body.data as { id: string }[];
      for (const id of [contact, ...conversations.map(({ id }) => id)]) this.#magic.add(String(id));
    }
  }

  async #agent(company: TestCompany, side: Side, role: 'admin' | 'agent'): Promise<string> {
    const email = `${side}-${role}-${process.pid}-${this.keys.length}@example.com`;
    await createAgent(this.server.app, {
      company: company.id,
      email,
      name: role,
      role,
      password: ownerPassword,
    });
    return email;
  }

  async #page(side: Side, mode: Mode, role: string, email: string): Promise<void> {
    const page = new Page(this.url);
    const answer = await page.signIn(email);
    if (answer.status !== 200) throw new Error(`Not signed in: ${answer.text}`);
    this.secrets.push(...page.cookies.values(), ownerPassword);
    const headers = { Cookie: page.cookie, 'Sec-Fetch-Site': 'same-origin', 'X-Service-Mode': mode };
    page.mode = mode;
    const key = await page.graphqlKey();
    this.secrets.push(key.split('|')[1]!);
    const graphql = { Authorization: `Bearer ${key}` };
    this.pages.push({ name: `${side} ${mode} ${role}`, side, mode, headers, graphql });
  }

  /** Something of every kind, with the canary in every text. */
  async #furnish(company: TestCompany, canary: string): Promise<void> {
    const api = await company.client();
    const { id: channel } = await addSimulator(this.server.app, company.id);
    const messages = Array.from({ length: 4 }, (_, n) => ({
      from: `+35191234${canary.length}0${n}`,
      name: `${canary} ${n}`,
      text: `${canary} asks when you are open`,
    }));
    await deliver(this.server.app, company.id, channel, ...messages);
    const threads = async () => (await api.get('/conversations')).body.data as { id: string }[];
    await vi.waitUntil(async () => (await threads()).length === 4, { timeout: 120_000, interval: 100 });
    const conversation = (await threads())[0]?.id;
    const contact = (await api.post('/contacts', { name: canary, email: `${canary}@example.com` })).body.data
      .id;
    const tag = (await api.post('/tags', { name: canary })).body.data.id;
    await api.post(`/conversations/${conversation}/tags`, { tag });
    await api.post(`/conversations/${conversation}/notes`, { body: canary });
    const product = (await api.post('/products', { name: canary, price: 500, stock: 1_000 })).body.data.id;
    await api.post('/orders', { contact, items: [{ product, quantity: 1 }], notes: canary });
    await api.post('/quick-replies', { shortcut: canary, text: canary });
    const slot = { starts_at: '2031-03-04T10:00:00Z', duration_minutes: 30 };
    await api.post('/bookings', { title: canary, contact, ...slot });
    await api.form('/media', { file: new File([canary], `${canary}.txt`, { type: 'text/plain' }) });
  }
}
