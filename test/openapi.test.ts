import { readFileSync } from 'node:fs';
import Ajv, { type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from './support/client.ts';
import { callRest, restProcedures } from './support/procedures.ts';
import { readSamples, samples } from './support/samples.ts';
import { type TestCompany, useServer } from './support/server.ts';

const server = useServer();
let company: TestCompany;
let document: {
  openapi: string;
  components: object;
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, object> }>>;
};
let ajv: Ajv.default;

beforeAll(async () => {
  company = await server().company();
  const response = await fetch(`${server().url}/api/v1/openapi.json`);
  document = (await response.json()) as typeof document;
  ajv = new Ajv.default({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
});

/** The document's schema of one answer; a status that is not in the document has none. */
function schemaOf(path: string, method: string, status: number): ValidateFunction {
  const pointer = (text: string) => text.replaceAll('~', '~0').replaceAll('/', '~1');
  const at = `document#/paths/${pointer(path)}/${method}/responses/${status}`;
  const response = document.paths[path]?.[method]?.responses[status];
  expect(response, `${method} ${path} has no ${status}`).toBeDefined();
  const reference: unknown = Reflect.get(response ?? {}, '$ref');
  const base = typeof reference === 'string' ? `document${reference}` : at;
  return ajv.compile({ $ref: `${base}/content/application~1json/schema` });
}

describe('the document', () => {
  it('is the committed one', () => {
    const committed = JSON.parse(readFileSync(new URL('../schema/openapi.json', import.meta.url), 'utf8'));
    expect(committed.paths).toEqual(document.paths);
    expect(committed.components).toEqual(document.components);
  });

  it('is served without a key, with an ETag', async () => {
    const first = await fetch(`${server().url}/api/v1/openapi.json`);
    const etag = String(first.headers.get('etag'));
    const second = await fetch(`${server().url}/api/v1/openapi.json`, { headers: { 'If-None-Match': etag } });
    expect([first.status, second.status]).toEqual([200, 304]);
  });

  it('names each operation once', () => {
    const ids = Object.values(document.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe.each(restProcedures.map((facts) => [facts.name, facts] as const))(
  '%s answers as the document says',
  (name, facts) => {
    const path = `/api/v1${facts.rest.path}`;
    const method = facts.rest.method.toLowerCase();

    const conforms = (status: number, body: unknown) => {
      const validate = schemaOf(path, method, status);
      expect(validate(body), JSON.stringify(validate.errors)).toBe(true);
    };

    it('in success', async () => {
      const api = await company.client({ mode: facts.operation.liveOnly ? 'live' : 'test' });
      const first = async (list: string) => (await api.get(`/${list}`, { limit: 1 })).body.data[0]?.id;
      const ids = {
        contact: await first('contacts'),
        conversation: await first('conversations'),
        message: await first('messages'),
      };
      const input = (await (samples[name] ?? readSamples[name])?.(api)) ?? ids;
      const answer = await callRest(api, facts, input);
      expect(answer.status).toBe(facts.rest.status ?? 200);
      if (answer.status === 204) expect(answer.text).toBe('');
      else conforms(answer.status, answer.body);
    });

    it('in failure', async () => {
      const nobody = await callRest(new Client(server().url, null), facts);
      conforms(nobody.status, nobody.body);
      const api = await company.client();
      for (const input of [{}, { limit: 'x', name: 5 }, { cursor: 'x' }]) {
        const answer = await callRest(api, facts, input);
        if (answer.status >= 400) conforms(answer.status, answer.body);
      }
    });
  },
);
