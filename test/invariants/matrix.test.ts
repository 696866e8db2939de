import {
  type GraphQLField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { graphqlSchema } from '../../server/graphql-schema.ts';
import { type Caller, keyCallers, people, type Ruled, verdict } from '../support/callers.ts';
import { procedures, restProcedures } from '../support/procedures.ts';
import { type TestCompany, useServer } from '../support/server.ts';

const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
let company: TestCompany;
let keys: Caller[];
let staff: Caller[];

beforeAll(async () => {
  company = await server().company();
  keys = await keyCallers(server(), company);
  staff = await people(server(), company);
});

type Outcome = 401 | 403 | 'passes';
type Cells = Record<string, Outcome>;

const outcome = (status: number): Outcome => (status === 401 || status === 403 ? status : 'passes');

function inTens<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / 10) }, (_, n) => all.slice(n * 10, n * 10 + 10));
}

/** Ends the session that asks for it: nobody would be left to ask for the rest. */
const lastWords = new Set(['account.endSessions', 'endSessions']);

/** Compares what each caller got with what the declarations say. */
async function expectVerdicts<E extends { name: string; operation: Ruled }>(
  callers: readonly Caller[],
  entries: readonly E[],
  ask: (caller: Caller, entries: readonly E[]) => Promise<Cells>,
): Promise<void> {
  for (const caller of callers) {
    const asked = entries.filter(({ name }) => caller.role === undefined || !lastWords.has(name));
    const expected = asked.map(({ name, operation }) => [name, verdict(operation, caller)]);
    expect(await ask(caller, asked), caller.name).toEqual(Object.fromEntries(expected));
  }
}

describe('every operation answers every caller as it declares [T1, T9]', () => {
  it('over REST', async () => {
    await expectVerdicts(keys, restProcedures, async (caller) => {
      const cells: Cells = {};
      for (const { name, rest } of restProcedures) {
        const path = rest.path.replaceAll(/\{\w+\}/g, 'x');
        const url = `${server().url}/api/v1${path}`;
        const response = await fetch(url, { method: rest.method, headers: caller.headers });
        await response.arrayBuffer();
        cells[name] = outcome(response.status);
      }
      return cells;
    });
  });

  it('over tRPC', async () => {
    await expectVerdicts([...keys, ...staff], procedures, async (caller, entries) => {
      const cells: Cells = {};
      for (const kind of ['query', 'mutation'] as const) {
        const all = entries.filter(({ operation }) => operation.kind === kind).map(({ name }) => name);
        for (const names of inTens(all)) Object.assign(cells, await overTrpc(caller, kind, names));
      }
      return cells;
    });
  });

  it('over GraphQL', async () => {
    const fields = rootFields('Query', 'Mutation');
    await expectVerdicts([...keys, ...staff], fields, async (caller, entries) => {
      const cells: Cells = {};
      for (const root of ['Query', 'Mutation'] as const) {
        const all = entries.filter((one) => one.root === root);
        for (const some of inTens(all)) Object.assign(cells, await overGraphql(caller, root, some));
      }
      return cells;
    });
  });

  it('in subscriptions', async () => {
    // What only a person is told has nothing to say at once.
    const personal = rootFields('Subscription').find(({ name }) => name === 'personal');
    const fields = rootFields('Subscription').filter(({ name }) => name !== 'personal');
    await expectVerdicts([...keys, ...staff], fields, async (caller, entries) => {
      const cells: Cells = {};
      for (const { name, field } of entries) cells[name] = await overStream(caller, field);
      return cells;
    });
    for (const caller of keys) {
      const expected = verdict(personal!.operation, caller);
      expect(await overStream(caller, personal!.field), caller.name).toBe(expected);
    }
  });

  it('and a session is nobody over REST', async () => {
    for (const { headers } of staff)
      expect((await fetch(`${server().url}/api/v1/contacts`, { headers })).status).toBe(401);
  });
});

async function overTrpc({ headers }: Caller, kind: 'query' | 'mutation', names: string[]): Promise<Cells> {
  const input = JSON.stringify(Object.fromEntries(names.map((_, n) => [n, {}])));
  const url = `${server().url}/trpc/${names.join(',')}?batch=1`;
  const response =
    kind === 'query'
      ? await fetch(`${url}&input=${encodeURIComponent(input)}`, { headers })
      : await fetch(url, {
          method: 'POST',
          body: input,
          headers: { 'Content-Type': 'application/json', ...headers },
        });
  const body: unknown = await response.json();
  const answers = body as { error?: { data: { httpStatus: number } } }[];
  return Object.fromEntries(
    names.map((name, n) => [
      name,
      // Who is not known is told so once, for all of it.
      Array.isArray(body) ? outcome(answers[n]?.error?.data.httpStatus ?? 200) : outcome(response.status),
    ]),
  );
}

type Field = GraphQLField<unknown, unknown>;
type Root = 'Query' | 'Mutation' | 'Subscription';

interface RootField {
  root: Root;
  name: string;
  field: Field;
  operation: Ruled;
}

/** Root fields with the operations that they carry; one without is a mistake. */
function rootFields(...roots: Root[]): RootField[] {
  return roots.flatMap((root) => {
    const type = {
      Query: graphqlSchema.getQueryType(),
      Mutation: graphqlSchema.getMutationType(),
      Subscription: graphqlSchema.getSubscriptionType(),
    }[root];
    return Object.values(type?.getFields() ?? {}).map((field) => {
      const operation = field.extensions['operation'] as RootField['operation'] | undefined;
      if (!operation) throw new Error(`${root}.${field.name} carries no operation.`);
      return { root, name: field.name, field: field as Field, operation };
    });
  });
}

async function post(headers: Record<string, string>, query: string): Promise<Response> {
  return fetch(`${server().url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
}

interface Failure {
  path?: string[];
  extensions: { code: string };
}
const codes: Record<string, Outcome> = { unauthenticated: 401, forbidden: 403 };

async function overGraphql(
  { headers, graphql = headers }: Caller,
  root: Root,
  fields: RootField[],
): Promise<Cells> {
  const query = `${root.toLowerCase()} { ${fields.map(({ field }) => written(field)).join(' ')} }`;
  const response = await post(graphql, query);
  const { data, errors = [] } = (await response.json()) as { data?: object; errors?: Failure[] };
  if (!data && response.status !== 401) throw new Error(`${query}: ${JSON.stringify(errors)}`);
  return Object.fromEntries(
    fields.map(({ name }) => {
      const failure = errors.find(({ path }) => !path || path[0] === name);
      return [name, codes[failure?.extensions.code ?? ''] ?? 'passes'];
    }),
  );
}

/** The first thing that a stream says. */
async function overStream({ headers, graphql = headers }: Caller, field: Field): Promise<Outcome> {
  const response = await post(
    { ...graphql, Accept: 'text/event-stream' },
    `subscription { ${written(field, true)} }`,
  );
  if (response.status === 401) return 401;
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (/"(data|errors)":/.test(text)) break;
  }
  return codes[/"code":"(\w+)"/.exec(text)?.[1] ?? ''] ?? 'passes';
}

/** A field with the least that its arguments take. A position that no event has is answered at once. */
function written(field: Field, isStream = false): string {
  const args = field.args.flatMap(({ name, type }) => {
    if (name === 'after' && isStream) return [`after: "01JQZ7K3M9V5T2XH8C4B6N0DFX"`];
    return isNonNullType(type) ? [`${name}: ${literal(type)}`] : [];
  });
  const given = args.length > 0 ? `(${args.join(', ')})` : '';
  return `${field.name}${given}${isLeafType(getNamedType(field.type)) ? '' : ' { __typename }'}`;
}

function literal(type: GraphQLInputType): string {
  if (isNonNullType(type)) return literal(type.ofType);
  if (isListType(type)) return '[]';
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const needed = Object.values(type.getFields()).filter((field) => isNonNullType(field.type));
    return `{ ${needed.map((field) => `${field.name}: ${literal(field.type)}`).join(', ')} }`;
  }
  return { Int: '1', SafeInt: '1', Float: '1', Boolean: 'true', JSON: '{}' }[type.name] ?? '"x"';
}
