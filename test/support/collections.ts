import { createRequire } from 'node:module';
import postman from 'openapi-to-postmanv2';

type Json = Record<string, unknown>;

// Neither comes with types.
const require = createRequire(import.meta.url);
const brunoConverters = require('@usebruno/converters') as { openApiToBruno(document: object): unknown };
const brunoLanguage = require('@usebruno/lang') as Record<
  'jsonToBruV2' | 'jsonToCollectionBru' | 'envJsonToBruV2',
  (json: object) => string
>;

/** Both programs put a fresh one in its place. */
const guid = '{{$guid}}';
const idempotency = 'Idempotency-Key';

interface Operation {
  requestBody?: { content: Record<string, { example?: unknown }> };
  responses: Json;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: object;
}

/**
 * Collections of all requests for Postman and Bruno, by the name of the file; Bruno's files stand in one JSON object.
 * Both have the variables `baseUrl` and `apiKey`.
 */
export async function collections(source: string): Promise<Map<string, string>> {
  const document = JSON.parse(source) as Document;
  // Answers stand in the reference; a collection is for asking.
  delete document.webhooks;
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      const success = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
      operation.responses = Object.fromEntries(success);
    }
  }
  return new Map([
    ['postman.json', `${JSON.stringify(await postmanCollection(document), null, 1)}\n`],
    ['bruno.json', `${JSON.stringify(await brunoFiles(document), null, 1)}\n`],
  ]);
}

interface PostmanItem {
  name: string;
  item?: PostmanItem[];
  request?: {
    method: string;
    url: { path: string[]; query: Json[]; variable: Json[] };
    header?: Json[];
    body?: Json & { mode?: string; raw?: string };
    auth?: Json;
  };
  [key: string]: unknown;
}

async function postmanCollection(document: Document): Promise<Json> {
  const collection = await new Promise<Json & { info: Json; item: PostmanItem[] }>((resolve, reject) => {
    const options = { folderStrategy: 'Tags', requestParametersResolution: 'Example' } as const;
    const input = { type: 'json' as const, data: structuredClone(document) };
    postman.convertV2(input, options, (error: { message: string } | null, answer?: Converted) => {
      const made = answer?.output?.[0]?.data;
      if (error || !made) reject(new Error(error?.message ?? answer?.reason ?? 'Nothing was converted.'));
      else resolve(made as never);
    });
  });
  const bearer = [{ key: 'token', value: '{{apiKey}}', type: 'string' }];
  return {
    info: {
      name: 'Parlour API',
      schema: collection.info['schema'],
      description: (collection.info['description'] as { content: string }).content,
    },
    auth: { type: 'bearer', bearer },
    variable: [
      { key: 'baseUrl', value: 'http://127.0.0.1:4000' },
      { key: 'apiKey', value: '' },
    ],
    item: collection.item.map((item) => tidied(item, document)),
  };
}

interface Converted {
  reason?: string;
  output?: { data: unknown }[];
}

/** Without what the converter makes up: ids that change, stored answers, values such as `<string>`. */
function tidied({ name, description, item, request }: PostmanItem, document: Document): Json {
  if (item) return { name, description, item: item.map((one) => tidied(one, document)) };
  if (!request) return { name };
  const { method, url, header = [], body, ...others } = request;
  const blank = (one: Json, off: boolean) => {
    const made = typeof one['value'] === 'string' && one['value'].startsWith('<');
    return { ...one, value: made ? '' : one['value'], ...(off ? { disabled: true } : {}) };
  };
  const path = `/${url.path.map((part) => part.replace(/^:(.*)$/, '{$1}')).join('/')}`;
  const contents = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {};
  const example = contents['application/json']?.example;
  delete others.auth;
  return {
    name,
    request: {
      ...others,
      method,
      url: {
        ...url,
        query: url.query.map((one) => ({ ...blank(one, true), value: '' })),
        variable: url.variable.map((one) => ({ ...blank(one, false), value: '' })),
      },
      header: header.map((one) => (one['key'] === idempotency ? { ...one, value: guid } : blank(one, false))),
      ...(example !== undefined && body
        ? { body: { ...body, mode: 'raw', raw: JSON.stringify(example, null, 2) } }
        : body?.mode
          ? { body }
          : {}),
    },
  };
}

interface BrunoItem {
  type: string;
  name: string;
  items?: BrunoItem[];
  request?: {
    url: string;
    method: string;
    docs?: string;
    headers: BrunoField[];
    params: (BrunoField & { type: string })[];
    body: { mode: string; json: string | null; multipartForm: Json[] };
  };
}

interface BrunoField {
  name: string;
  value: string;
  enabled: boolean;
}

async function brunoFiles(document: Document): Promise<Record<string, string>> {
  const { items } = (await brunoConverters.openApiToBruno(document)) as { items: BrunoItem[] };
  const config = { version: '1', name: 'Parlour API', type: 'collection', ignore: ['node_modules', '.git'] };
  const files: Record<string, string> = {
    'bruno.json': `${JSON.stringify(config, null, 2)}\n`,
    'collection.bru': brunoLanguage.jsonToCollectionBru({
      auth: { mode: 'bearer', bearer: { token: '{{apiKey}}' } },
    }),
    'environments/Parlour.bru': brunoLanguage.envJsonToBruV2({
      variables: [
        { name: 'baseUrl', value: 'http://127.0.0.1:4000', enabled: true },
        { name: 'apiKey', value: '', enabled: true, secret: true },
      ],
    }),
  };
  for (const folder of items.filter(({ type }) => type === 'folder')) {
    for (const [index, { name, request }] of (folder.items ?? []).entries()) {
      if (request)
        files[`${fileName(folder.name)}/${fileName(name)}.bru`] = brunoRequest(name, index + 1, request);
    }
  }
  return files;
}

function brunoRequest(name: string, seq: number, request: NonNullable<BrunoItem['request']>): string {
  const { body } = request;
  const mode = body.mode === 'json' ? 'json' : body.mode === 'multipartForm' ? 'multipartForm' : 'none';
  return brunoLanguage.jsonToBruV2({
    meta: { name, type: 'http', seq },
    http: { method: request.method.toLowerCase(), url: request.url, body: mode, auth: 'inherit' },
    params: request.params.map(({ name: key, type, value }) => ({
      name: key,
      value: type === 'query' ? '' : (value ?? ''),
      enabled: type !== 'query',
      type,
    })),
    headers: request.headers.map(({ name: key, value, enabled }) =>
      key === idempotency
        ? { name: key, value: guid, enabled: true }
        : { name: key, value: value ?? '', enabled },
    ),
    body: {
      ...(mode === 'json' ? { json: body.json ?? '' } : {}),
      ...(mode === 'multipartForm'
        ? { multipartForm: [{ name: 'file', type: 'file', value: [], enabled: true }] }
        : {}),
    },
    ...(request.docs ? { docs: request.docs } : {}),
  });
}

const fileName = (name: string) => name.replaceAll(/[^A-Za-z0-9 -]/g, '').trim();
