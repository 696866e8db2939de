import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { describe, expect, it } from 'vitest';
import { procedureFacts } from '../../server/platform/trpc.ts';
import { appRouter } from '../../server/app-router.ts';
import { requestExamples } from '../../schema/examples.ts';

const file = new URL('../../schema/openapi.json', import.meta.url);
const source = readFileSync(file, 'utf8');

describe('the OpenAPI document', () => {
  it('has nothing that the rules of Spectral (spectral:oas, recommended) find', async () => {
    const spectral = new spectralCore.Spectral();
    spectral.setRuleset({ extends: [[oas as never, 'recommended']], rules: {} });
    const found = await spectral.run(JSON.parse(source) as Record<string, unknown>);
    expect(found.map(({ code, path, message }) => `${code} ${path.join('.')}: ${message}`)).toEqual([]);
  });

  it('has nothing that the recommended rules of Redocly find', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source, absoluteRef: file.pathname, config });
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('has an example for every request and every answer, one tag for each operation, and its scopes', () => {
    const { paths, webhooks, components } = JSON.parse(source);
    const missing: string[] = [];
    for (const [path, item] of Object.entries({ ...paths, ...webhooks })) {
      for (const [method, operation] of Object.entries(item as Record<string, Operation>)) {
        const at = `${method} ${path}`;
        if (operation.tags.length !== 1) missing.push(`${at}: one tag`);
        if (path in paths && !operation['x-required-scopes']) missing.push(`${at}: scopes`);
        for (const [status, body] of Object.entries({
          ...operation.responses,
          body: operation.requestBody,
        })) {
          const name = body?.$ref?.split('/').at(-1);
          const resolved = name === undefined ? body : (components.responses[name] as Body);
          if (path in paths && /^[45]/.test(status) && name === undefined)
            missing.push(`${at} ${status}: $ref`);
          for (const [type, content] of Object.entries(resolved?.content ?? {})) {
            if (content.example === undefined) missing.push(`${at} ${status} ${type}: example`);
          }
        }
      }
    }
    expect(missing).toEqual([]);
  });

  it('shows requests that the operations accept', () => {
    const takeBodies = procedureFacts(appRouter).filter(({ name }) => name in requestExamples);
    expect(takeBodies).toHaveLength(Object.keys(requestExamples).length);
    for (const { name, operation } of takeBodies) {
      // A file is no JSON, and ids of the path come from elsewhere.
      const { file: _file, ...body } = requestExamples[name] ?? {};
      const ids = new Set(Object.keys(operation.input.shape).filter((field) => !(field in body)));
      const parsed = operation.input.safeParse(body);
      const refused = parsed.success ? [] : parsed.error.issues;
      const wrong = refused.filter(({ path }) => !ids.has(String(path[0])));
      expect(wrong, name).toEqual([]);
    }
  });
});

interface Body {
  $ref?: string;
  content?: Record<string, { example?: unknown }>;
}

interface Operation {
  tags: string[];
  'x-required-scopes'?: string[];
  requestBody?: Body;
  responses: Record<string, Body>;
}
