import { conferredAbilities, type Grant, grantNames, scopeNames, systemRoles } from '../../schema/scopes.ts';
import { createAgent } from '../../server/account/agents.ts';
import { revokeApiKey } from '../../server/keys/service.ts';
import { newId } from '../../server/platform/ids.ts';
import { type AnyOperation, execute, scopesOf } from '../../server/platform/operation.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { ownerPassword, Page } from './page.ts';
import type { TestCompany, TestServer } from './server.ts';

/** Somebody who calls: the headers that say so, and what follows from them. */
export interface Caller {
  name: string;
  headers: Record<string, string>;
  /** For GraphQL of one's own, where they differ. */
  graphql?: Record<string, string>;
  /** Nobody we know. */
  unknown?: true;
  mode?: 'live' | 'test';
  grants: ReadonlySet<Grant>;
  /** The role of whoever is signed in; a key has none. */
  role?: string;
}

/** What of an operation says who may call it. */
export type Ruled = Pick<AnyOperation, 'kind' | 'access' | 'liveOnly' | 'dashboardOnly'>;

/** What an operation answers a caller with, by its declaration alone; `passes` is neither 401 nor 403. */
export function verdict({ access, liveOnly, dashboardOnly }: Ruled, caller: Caller): 401 | 403 | 'passes' {
  if (caller.unknown) return 401;
  if (liveOnly && caller.mode === 'test') return 403;
  if (dashboardOnly && caller.role === undefined) return 403;
  if (access === 'any') return 'passes';
  if (access === 'owner') return caller.role === 'owner' ? 'passes' : 403;
  if (access === 'admin') return ['owner', 'admin'].includes(caller.role ?? '') ? 'passes' : 403;
  return scopesOf(access).some((scope) => caller.grants.has(scope)) ? 'passes' : 403;
}

/** Every kind of key: none, bad, expired, revoked, each single scope and legacy ability, all, and a test key. */
export async function keyCallers(server: TestServer, company: TestCompany): Promise<Caller[]> {
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` });
  const made = async (
    name: string,
    scopes: readonly Grant[],
    mode: 'live' | 'test' = 'live',
  ): Promise<Caller> => ({
    name,
    mode,
    grants: granted(scopes),
    headers: bearer((await company.key({ scopes, mode })).key),
  });
  const nobody = (name: string, headers: Record<string, string>): Caller => ({
    name,
    headers,
    unknown: true,
    grants: new Set(),
  });
  const revoked = await company.key();
  await execute(revokeApiKey, await systemContext(server.app, company.id), { key: revoked.id });
  const expiring = new Date(server.clock.now().getTime() + 60_000).toISOString();
  const expired = await company.key({ expires_at: expiring });
  server.clock.advance(61_000);
  const [id, secret] = (await company.key()).key.split('|');
  const callers = [
    nobody('no key', {}),
    nobody('no key at all', bearer('nonsense')),
    nobody('an unknown key', bearer(`svc_live_${newId()}|${'a'.repeat(43)}`)),
    nobody('another secret', bearer(`${id}|${'a'.repeat(secret?.length ?? 43)}`)),
    nobody('a revoked key', bearer(revoked.key)),
    nobody('an expired key', bearer(expired.key)),
    await made('a key with all scopes', scopeNames),
    await made('a test key with all scopes', scopeNames, 'test'),
  ];
  for (const scope of grantNames) callers.push(await made(`a key with ${scope}`, [scope]));
  return callers;
}

/** Somebody of each role, signed in. */
export async function people(server: TestServer, company: TestCompany): Promise<Caller[]> {
  const staff: [string, string][] = [['owner', company.owner.email]];
  for (const role of ['admin', 'agent'] as const) {
    const email = `${role}-${company.id.toLowerCase()}@example.com`;
    await createAgent(server.app, { company: company.id, email, name: role, role, password: ownerPassword });
    staff.push([role, email]);
  }
  const callers: Caller[] = [];
  for (const [role, email] of staff) {
    const page = new Page(server.url);
    const answer = await page.signIn(email);
    if (answer.status !== 200) throw new Error(`Not signed in: ${answer.text}`);
    const headers = { Cookie: page.cookie, 'Sec-Fetch-Site': 'same-origin' };
    const grants = granted(systemRoles[role as 'owner']);
    const graphql = { Authorization: `Bearer ${await page.graphqlKey()}` };
    callers.push({ name: `the ${role}`, headers, graphql, mode: 'live', grants, role });
  }
  return callers;
}

function granted(scopes: readonly Grant[]): ReadonlySet<Grant> {
  const conferred = scopes.flatMap(
    (scope) => (Reflect.get(conferredAbilities, scope) as Grant[] | undefined) ?? [],
  );
  return new Set([...scopes, ...conferred]);
}
