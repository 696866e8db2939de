import { randomInt } from 'node:crypto';
import pg from 'pg';
import { grantNames } from '../../schema/scopes.ts';
import { createAgent } from '../account/agents.ts';
import { createCompany } from '../account/companies.ts';
import { createApiKey } from '../keys/service.ts';
import { newId } from '../platform/ids.ts';
import { execute } from '../platform/operation.ts';
import type { Services } from '../platform/services.ts';
import { systemContext } from '../platform/system-context.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { addAssistance } from './assistance.ts';
import { addDemoData } from './data.ts';
import { type DemoFile, type DemoLogin, readDemoFile, writeDemoFile } from './file.ts';

/** The demo company as the banner, the sign-in page and `parlour demo` show it. */
export interface Demo {
  company: { id: string; name: string };
  /** Id of the Owner. */
  owner: string;
  agents: { id: string; email: string; name: string }[];
  keys: { live: string; test: string };
  logins: DemoLogin[];
}

const companyName = 'Casa Lume';
/** Any constant will do; it only has to differ from other advisory locks of this database. */
const demoLock = 7_203_114_403;

/**
 * The demo company: made when the database has no company at all, found again by `DATA_DIR/demo.json` afterwards.
 * Safe to repeat and to call from several processes; what a crash left undone is done by the next call.
 * @returns null when the database has companies and none of them is the demo
 */
export async function ensureDemo(app: Services): Promise<Demo | null> {
  const known = readDemoFile(app.config);
  if (known?.complete && (await companyExists(app, known.company.id))) return demoOf(known);
  // Not from the pool, which gives up a wait of ten seconds.
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [demoLock]);
    const file = await openFile(app);
    return file && (await complete(app, file));
  } finally {
    // The lock ends with the session.
    await client.end();
  }
}

/** The file of an earlier call, or a new one in an empty database. Read anew: somebody else may have been first. */
async function openFile(app: Services): Promise<DemoFile | null> {
  const known = readDemoFile(app.config);
  if (known && (await companyExists(app, known.company.id))) return known;
  if (await acrossTenants(() => app.prisma.company.findFirst({ select: { id: true } }))) return null;
  const now = app.clock.now();
  const file: DemoFile = {
    company: { id: newId(), name: companyName },
    startedAt: now.toISOString(),
    logins: [
      { email: 'lidia@casalume.example', name: 'Lídia Farol', password: newPassword(), role: 'owner' },
      { email: 'rui@casalume.example', name: 'Rui Candeia', password: newPassword(), role: 'admin' },
      { email: 'noa@casalume.example', name: 'Noa Brasa', password: newPassword(), role: 'agent' },
    ],
    complete: false,
  };
  writeDemoFile(app.config, file);
  return file;
}

async function complete(app: Services, file: DemoFile): Promise<Demo> {
  const step = (news: Partial<DemoFile>) => writeDemoFile(app.config, Object.assign(file, news));
  if (file.complete) return demoOf(file);
  const [owner, ...others] = file.logins;
  if (!owner) throw new Error('demo.json names no owner.');
  if (!(await companyExists(app, file.company.id))) {
    await createCompany(app, {
      id: file.company.id,
      name: file.company.name,
      ownerEmail: owner.email,
      ownerName: owner.name,
      ownerPassword: owner.password,
      timezone: 'Europe/Lisbon',
      currency: 'EUR',
    });
  }
  const agents = [];
  for (const login of others) {
    const { id } =
      (await findUser(app, file, login)) ?? (await createAgent(app, { company: file.company.id, ...login }));
    agents.push({ id, email: login.email, name: login.name });
  }
  const ownerId = (await findUser(app, file, owner))?.id;
  if (ownerId === undefined) throw new Error('The demo company has no owner.');
  step({ owner: ownerId, agents });
  await addDemoData(app, file.company.id, new Date(file.startedAt));
  await addAssistance(app, file.company.id);
  for (const mode of ['live', 'test'] as const) {
    if (!file.keys?.[mode])
      step({ keys: { ...file.keys, [mode]: await newDemoKey(app, file.company.id, mode) } });
  }
  step({ complete: true });
  return demoOf(file);
}

async function newDemoKey(app: Services, companyId: string, mode: 'live' | 'test'): Promise<string> {
  const ctx = await systemContext(app, companyId);
  const { key } = await execute(createApiKey, ctx, { name: `Demo (${mode})`, mode, scopes: [...grantNames] });
  return key;
}

function findUser(
  app: Services,
  { company }: DemoFile,
  { email }: DemoLogin,
): Promise<{ id: string } | null> {
  return acrossTenants(() =>
    app.prisma.user.findFirst({ where: { companyId: company.id, email }, select: { id: true } }),
  );
}

async function companyExists(app: Pick<Services, 'prisma'>, id: string): Promise<boolean> {
  const row = await acrossTenants(() =>
    app.prisma.company.findUnique({ where: { id }, select: { closedAt: true } }),
  );
  return row?.closedAt === null;
}

function demoOf({ company, owner, agents, keys, logins }: DemoFile): Demo {
  if (!owner || !agents || !keys?.live || !keys.test) throw new Error('demo.json is incomplete; remove it.');
  return { company, owner, agents, keys: { live: keys.live, test: keys.test }, logins };
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Easy to type and different in every installation: a demo may be reachable from outside. */
function newPassword(): string {
  const part = () => Array.from({ length: 5 }, () => letters[randomInt(letters.length)]).join('');
  return `${part()}-${part()}`;
}
