import fc from 'fast-check';
import { z } from 'zod';
import { procedures } from '../support/procedures.ts';
import { type JsonSchema, nearly, plain, rarely, valid } from './arbitraries.ts';
import type { Received, Sent } from './exchange.ts';
import { bodies, queries } from './hostile.ts';
import { encode, singular } from './references.ts';
import { codesOf, filled, headerFaults, type Plan, type Surface } from './surface.ts';
import type { Actor, World } from './world.ts';

export interface TrpcPlan extends Plan {
  input: unknown;
  /** Instead of the input, as it is. */
  raw?: string;
}

/** What would leave the fuzzer without its actors; in test mode nothing of it stays. */
const drastic = /^(agents|keys|roles|invitations)\.(?!list)|^account\.end|^channels\.(update|create)/;

/** What the dashboard calls, for keys and for people of three roles. */
export class Trpc implements Surface<TrpcPlan> {
  readonly name = 'trpc';
  readonly weight = 2;
  readonly plans: ReadonlyMap<string, fc.Arbitrary<TrpcPlan>>;
  readonly tours: TrpcPlan[];
  readonly #world: World;
  readonly #queries = new Set<string>();

  constructor(world: World) {
    this.#world = world;
    const carried = procedures.filter(({ name }) => name !== 'media.upload');
    for (const { name, operation } of carried) if (operation.kind === 'query') this.#queries.add(name);
    this.plans = new Map(carried.map(({ name, operation }) => [name, this.#plans(name, operation.input)]));
    const owners = world.pages.filter(({ name }) => name.endsWith('live owner'));
    this.tours = owners.flatMap(({ name: actor }) =>
      [...this.#queries].map((operation) => ({ surface: 'trpc', operation, actor, input: {} })),
    );
  }

  kind({ operation }: TrpcPlan): string {
    const [resource = ''] = operation.split('.');
    return kinds[resource] ?? singular(resource);
  }

  request(plan: TrpcPlan, actor: Actor): Sent {
    const input = plan.raw ?? encode(filled(this.#world, actor, plan.input));
    const path = `/trpc/${plan.operation}`;
    if (!this.#queries.has(plan.operation)) {
      const headers = { 'Content-Type': 'application/json', ...actor.headers };
      return { method: 'POST', path, headers, body: input };
    }
    const query = plan.raw ?? `input=${encodeURIComponent(input.toWellFormed())}`;
    return { method: 'GET', path: `${path}?${query}`, headers: actor.headers };
  }

  judge(_plan: TrpcPlan, actor: Actor, received: Received): string[] {
    const { status, body } = received;
    const faults = headerFaults(received, actor);
    if (status < 300) return body === undefined ? [...faults, 'success without JSON'] : faults;
    const { error } = body as { error?: { code?: unknown; data?: { error?: { code?: string } } } };
    // What never became a call of tRPC has the body of REST.
    const code = typeof error?.code === 'string' ? error.code : error?.data?.error?.code;
    return codesOf(status).includes(String(code)) ? faults : [...faults, `${status} has the code ${code}`];
  }

  #plans(operation: string, input: z.ZodObject): fc.Arbitrary<TrpcPlan> {
    const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
    const lookup = () => ({});
    const pages = this.#world.pages.filter(({ mode }) => mode === 'test' || !drastic.test(operation));
    const people = fc.constantFrom(...pages.map(({ name }) => name));
    const keys = this.#world.callers(this.#world.keys);
    const raw = this.#queries.has(operation) ? queries : bodies;
    return fc
      .record(
        {
          input: fc.oneof(
            { weight: 4, arbitrary: plain(schema, operation, lookup) },
            { weight: 2, arbitrary: valid(schema, '', lookup) },
            { weight: 2, arbitrary: nearly(schema, '', lookup) },
          ),
          raw: rarely(25, fc.constantFrom(...raw.filter((text) => !text.includes(' ')))),
          actor: fc.oneof({ weight: 5, arbitrary: people }, { weight: 1, arbitrary: keys }),
        },
        { requiredKeys: ['input', 'actor'] },
      )
      .map((plan) => ({ surface: 'trpc', operation, ...plan }));
  }
}

const kinds: Readonly<Record<string, string>> = {
  savedViews: 'view',
  webhooks: 'endpoint',
  deliveries: 'delivery',
};
