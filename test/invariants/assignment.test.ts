import { beforeAll, describe, expect, it } from 'vitest';
import { assigned } from '../fuzz/hostile.ts';
import type { Client } from '../support/client.ts';
import { callRest, written } from '../support/procedures.ts';
import { samples } from '../support/samples.ts';
import { settledText } from '../support/schema-walk.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
let live: Client;
let sandbox: Client;

beforeAll(async () => {
  const company = await server().company();
  live = await company.client();
  sandbox = await company.client({ mode: 'test' });
});

describe('fields that nobody may set [T7]', () => {
  it.each(written.map((facts) => [facts.name, facts] as const))(
    'change nothing in %s',
    async (name, facts) => {
      const api = facts.operation.liveOnly ? live : sandbox;
      const input = await samples[name]!(api);
      // What an operation takes by such a name is its own.
      const foreign = Object.entries({ ...assigned, ...JSON.parse('{"__proto__":{"blocked":true}}') }).filter(
        ([field]) => !Object.hasOwn(facts.operation.input.shape, field),
      );
      const more = await callRest(api, facts, Object.fromEntries([...Object.entries(input), ...foreign]));
      expect(more.status).toBe(facts.rest.status ?? 200);
      expect(more.text).not.toContain('01JQZ7K3M9V5T2XH8C4B6N0DFX');
      expect(more.text).not.toContain('2001-01-01');
      expect(Reflect.get({}, 'polluted') ?? Reflect.get({}, 'blocked')).toBeUndefined();
      // A test key starts from the same state every time.
      if (facts.operation.liveOnly) return;
      expect(settledText(more.text)).toBe(settledText((await callRest(api, facts, input)).text));
    },
  );
});
