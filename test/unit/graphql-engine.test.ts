import { buildSchema, GraphQLError } from 'graphql';
import { describe, expect, test } from 'vitest';
import { createEngine } from '../../server/http/graphql-engine.ts';
import { createLog } from '../../server/platform/log.ts';
import type { Context } from '../../server/platform/context.ts';

const schema = buildSchema('type Query { now: Int } type Subscription { ticks: Int }');
const principal = { kind: 'api_key' };
const ctx = { requestId: 'request', companyId: 'company', principal, log: createLog('silent') } as Context;

function engineOver(ticks: () => AsyncIterable<{ ticks: number }>) {
  const field = schema.getSubscriptionType()!.getFields()['ticks']!;
  field.subscribe = ticks;
  return createEngine(schema);
}

async function start(engine: ReturnType<typeof createEngine>) {
  const prepared = engine.prepare(ctx, { query: 'subscription { ticks }' });
  if (Array.isArray(prepared)) throw new Error(prepared[0]?.message);
  return engine.run(prepared);
}

describe('subscriptions', () => {
  test('a subscription is an iterable of results, and ends its source when it is left', async () => {
    let ended = false;
    const engine = engineOver(async function* () {
      try {
        for (let ticks = 0; ; ticks++) yield { ticks };
      } finally {
        ended = true;
      }
    });
    const answer = await start(engine);
    if (!(Symbol.asyncIterator in answer)) throw new Error('It did not start.');
    const seen: unknown[] = [];
    for await (const { data } of answer) {
      seen.push(data?.['ticks']);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([0, 1, 2]);
    expect(ended).toBe(true);
  });

  test('leaving ends a source that is waiting', async () => {
    let left = false;
    const waiting: AsyncIterableIterator<{ ticks: number }> = {
      [Symbol.asyncIterator]: () => waiting,
      next: () => new Promise(() => {}),
      return: async () => {
        left = true;
        return { done: true, value: undefined };
      },
    };
    const answer = (await start(engineOver(() => waiting))) as AsyncIterableIterator<unknown>;
    void answer.next();
    await answer.return?.();
    expect(left).toBe(true);
    expect(await answer.next()).toEqual({ done: true, value: undefined });
  });

  test('one that cannot start, or breaks, says no more than server_error', async () => {
    const failing = await start(
      engineOver(() => {
        throw new Error('secret');
      }),
    );
    expect(JSON.stringify(failing)).not.toContain('secret');
    expect(failing).toMatchObject({
      errors: [{ extensions: { code: 'server_error', request_id: 'request' } }],
    });
    const breaking = await start(
      engineOver(async function* () {
        yield { ticks: 1 };
        throw new Error('secret');
      }),
    );
    const seen: unknown[] = [];
    for await (const result of breaking as AsyncIterable<unknown>) seen.push(result);
    expect(seen).toMatchObject([
      { data: { ticks: 1 } },
      { errors: [{ extensions: { code: 'server_error' } }] },
    ]);
    expect(JSON.stringify(seen)).not.toContain('secret');
  });
});

test('what it prepares is errors ready to send', () => {
  const engine = createEngine(schema);
  const errors = engine.prepare(ctx, { query: '{ nothing }' });
  expect(errors).toEqual([expect.any(GraphQLError)]);
  expect(errors).toMatchObject([{ extensions: { code: 'bad_request', request_id: 'request' } }]);
});
