import { randomUUID } from 'node:crypto';

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // eslint-disable-next-line typescript/no-explicit-any -- tests read bodies of many shapes
  body: any;
}

interface RequestOptions {
  query?: Record<string, string | number | boolean>;
  body?: unknown;
  headers?: Record<string, string>;
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer>;
}

/** Talks to a server over HTTP as a customer's program would. */
export class Client {
  readonly url: string;
  readonly key: string | null;

  constructor(url: string, key: string | null) {
    this.url = url;
    this.key = key;
  }

  get(path: string, query?: RequestOptions['query']): Promise<Answer> {
    return this.request('GET', path, query ? { query } : {});
  }

  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.request('POST', path, {
      ...(body === undefined ? {} : { body }),
      ...(headers ? { headers } : {}),
    });
  }

  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return this.request('PATCH', path, { body, ...(headers ? { headers } : {}) });
  }

  delete(path: string, headers?: Record<string, string>): Promise<Answer> {
    return this.request('DELETE', path, headers ? { headers } : {});
  }

  /** A form; a `File` among the fields is sent as one. */
  async form(
    path: string,
    fields: Record<string, unknown>,
    headers?: Record<string, string>,
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (value instanceof File) form.append(name, value);
      else form.append(name, String(value));
    }
    const encoded = new Response(form);
    const raw = new Uint8Array(await encoded.arrayBuffer());
    const type = encoded.headers.get('content-type') ?? '';
    return this.request('POST', path, { raw, headers: { 'Content-Type': type, ...headers } });
  }

  /** @param path below /api/v1 */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const url = new URL(`${this.url}/api/v1${path}`);
    for (const [name, value] of Object.entries(options.query ?? {}))
      url.searchParams.append(name, String(value));
    const json = options.body === undefined ? undefined : JSON.stringify(options.body);
    const response = await fetch(url, {
      method,
      body: options.raw ?? json ?? null,
      headers: {
        Accept: 'application/json',
        ...(this.key === null ? {} : { Authorization: `Bearer ${this.key}` }),
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...options.headers,
      },
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }

  /** A tRPC call; `path` such as `contacts.show`. */
  async trpc(kind: 'query' | 'mutation', path: string, input: unknown): Promise<Answer> {
    const json = JSON.stringify(input);
    const url = `${this.url}/trpc/${path}${kind === 'query' ? `?input=${encodeURIComponent(json)}` : ''}`;
    const response = await fetch(url, {
      method: kind === 'query' ? 'GET' : 'POST',
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      body: kind === 'query' ? null : json,
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }

  async graphql(query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
    const response = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }
}

/** Headers with a fresh idempotency key. */
export function keyed(key: string = randomUUID()): Record<string, string> {
  return { 'Idempotency-Key': key };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
