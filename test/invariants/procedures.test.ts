import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { scopesOf } from '../../server/platform/operation.ts';
import { openApiDocument } from '../../server/http/openapi.ts';
import { appRouter } from '../../server/app-router.ts';
import { BookingsErrorBody, ErrorBody } from '../../schema/common.ts';
import { conferredAbilities, type LegacyAbility, type Scope, scopeNames } from '../../schema/scopes.ts';
import type { Access } from '../../server/platform/operation.ts';
import { Client } from '../support/client.ts';
import { callRest, pathParameters, procedures, restProcedures } from '../support/procedures.ts';
import { samples } from '../support/samples.ts';
import { type TestCompany, useServer } from '../support/server.ts';

const server = useServer();
let company: TestCompany;
let everything: Client;
let sandbox: Client;

beforeAll(async () => {
  company = await server().company();
  everything = await company.client();
  sandbox = await company.client({ mode: 'test' });
});

/** Every scope that neither is the access asked for nor confers it. */
function scopesWithout(access: Access): Scope[] {
  return scopeNames.filter(
    (scope) =>
      !scopesOf(access).some(
        (needed) => scope === needed || conferredAbilities[scope]?.includes(needed as LegacyAbility),
      ),
  );
}

const named = <T extends { name: string }>(facts: readonly T[]) =>
  facts.map((one) => [one.name, one] as const);

describe('the table of procedures', () => {
  it('has an operation with an access rule behind each, and REST facts unless it is for the dashboard only', () => {
    for (const { name, operation, rest } of procedures) {
      const known = [...scopeNames, 'bookings.read', 'bookings.write'];
      if (!['any', 'owner', 'admin'].includes(String(operation.access)))
        expect(known, name).toEqual(expect.arrayContaining([...scopesOf(operation.access)]));
      const forKeys =
        !['owner', 'admin'].includes(String(operation.access)) && operation.dashboardOnly !== true;
      if (!rest && operation.kind === 'mutation')
        expect(forKeys, `${name} is on no public transport`).toBe(false);
    }
  });

  it('declares a target for every id in a path', () => {
    for (const { name, operation, rest } of restProcedures) {
      expect(Object.keys(operation.targets ?? {}).sort(), name).toEqual(pathParameters(rest).sort());
    }
  });

  it('has a sample for every mutation', () => {
    const mutations = restProcedures.filter(({ operation }) => operation.kind === 'mutation');
    expect(mutations.map(({ name }) => name).filter((name) => !samples[name])).toEqual([]);
  });

  it('stands in the document, with its status, errors and scopes', () => {
    const { paths } = openApiDocument(appRouter);
    for (const { name, rest, operation } of restProcedures) {
      const described = paths?.[`/api/v1${rest.path}`]?.[rest.method.toLowerCase() as 'get'];
      expect(described, name).toBeDefined();
      const statuses = Object.keys(described?.responses ?? {});
      expect(statuses, name).toEqual(
        expect.arrayContaining([String(rest.status ?? 200), '401', '403', '429', '500']),
      );
      if (pathParameters(rest).length > 0) expect(statuses, name).toContain('404');
      const told = described as unknown as Record<string, unknown>;
      const scopes = scopesOf(operation.access);
      const alternatives = scopes.length > 1;
      expect(told['x-required-scopes'], name).toEqual(alternatives ? [] : scopes);
      expect(told['x-any-of-scopes'], name).toEqual(alternatives ? scopes : undefined);
    }
  });
});

describe.each(named(restProcedures))('%s over REST', (_name, facts) => {
  it('is 401 without a key, with a wrong one and with one of another form', async () => {
    const wrong = `svc_live_${newId()}|${'a'.repeat(43)}`;
    for (const key of [null, wrong, 'nonsense']) {
      const answer = await callRest(new Client(server().url, key), facts);
      expect(answer.status).toBe(401);
      expect(answer.body.error.code).toBe('unauthenticated');
    }
  });

  it('is 403 without its scope, whatever else is wrong', async () => {
    const { access } = facts.operation;
    if (access === 'any') return;
    const scopes = scopesWithout(access);
    const answer = await callRest(await company.client({ scopes }), facts, { limit: 'x' });
    expect(answer.status).toBe(403);
    const shape = facts.rest.legacy === 'bookings' ? BookingsErrorBody : ErrorBody;
    expect(shape.parse(answer.body).error.code).toBe('forbidden');
  });

  it('is not 401 or 403 with only its scope', async () => {
    // Any key will do where no scope is asked for.
    const [scope = 'tags.manage'] = scopesOf(facts.operation.access);
    const only = await company.client({ scopes: [scope] });
    expect([401, 403, 405, 500]).not.toContain((await callRest(only, facts, { limit: 1 })).status);
  });

  it('answers a foreign id as an unknown one, to the byte', async () => {
    const parameters = pathParameters(facts.rest);
    if (parameters.length === 0) return;
    const other = await (await server().company()).client();
    const own = (await other.post('/contacts', { name: 'foreign' })).body.data.id;
    const made: Record<string, string> = {
      tag: (await other.post('/tags', { name: 'foreign' })).body.data.id,
      product: (await other.post('/products', { name: 'foreign', price: 1 })).body.data.id,
    };
    const items = [{ product: made['product'], quantity: 1 }];
    made['order'] = (await other.post('/orders', { contact: own, items })).body.data.id;
    const slot = { starts_at: '2031-03-04T10:00:00Z', duration_minutes: 30 };
    made['booking'] = (await other.post('/bookings', { title: 'foreign', ...slot })).body.data.id;
    const foreign = Object.fromEntries(parameters.map((name) => [name, made[name] ?? own]));
    const unknown = Object.fromEntries(parameters.map((name) => [name, newId()]));
    const answers = [await callRest(everything, facts, foreign), await callRest(everything, facts, unknown)];
    const [first, second] = answers.map(({ text, body }) => text.replaceAll(body.error.request_id, ''));
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(first).toBe(second);
  });
});

describe.each(named(procedures))('%s over tRPC', (name, { operation }) => {
  const call = (client: Client, input: object = {}) => client.trpc(operation.kind, name, input);

  it('is 401 without a key, with the same body as REST', async () => {
    const answer = await call(new Client(server().url, 'nonsense'));
    expect(answer.status).toBe(401);
    expect(answer.body.error.code).toBe('unauthenticated');
  });

  it('is 403 without its scope; what only the Owner may do, no key may', async () => {
    const { access } = operation;
    if (access === 'any') return;
    const scopes = scopesWithout(access);
    const answer = await call(await company.client({ scopes }));
    expect(answer.status).toBe(403);
    expect(answer.body.error.data.error.code).toBe('forbidden');
  });
});

describe('a test key', () => {
  // When a key was used is noted, and what it asked for: that is no business of the company's own.
  const fingerprint = async () => {
    const { pool } = server().app;
    const { rows: tables } = await pool.query<{ name: string }>(
      `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id'
       WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname NOT IN ('api_keys', 'request_logs')
       ORDER BY 1`,
    );
    const counted: Record<string, unknown> = {};
    for (const { name } of tables) {
      const { rows } = await pool.query(
        `SELECT count(*) AS n, sum(hashtext(t::text)::bigint) AS hash FROM ${name} t`,
      );
      counted[name] = rows[0];
    }
    return counted;
  };

  const writes = new Set(
    procedures.filter(({ operation }) => operation.kind === 'mutation').map(({ name }) => name),
  );

  it.each(Object.entries(samples).filter(([name]) => writes.has(name)))(
    '%s answers as live would and changes no row',
    async (name, sample) => {
      const facts = restProcedures.find((one) => one.name === name);
      if (!facts) throw new Error(`${name} is no REST procedure.`);
      const input = await sample(sandbox);
      const before = await fingerprint();
      const answer = await callRest(sandbox, facts, input);
      expect(answer.headers.get('x-service-mode')).toBe('test');
      if (facts.operation.liveOnly) {
        expect(answer.status).toBe(403);
        expect(await fingerprint()).toEqual(before);
        return;
      }
      expect(answer.status).toBe(facts.rest.status ?? 200);
      expect(Array.isArray(answer.body.meta.test.events)).toBe(true);
      expect(await fingerprint()).toEqual(before);
    },
  );
});
