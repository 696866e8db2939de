import { createClient, createConfig } from './generated/client/index.ts';
import { Operations } from './generated/sdk.gen.ts';
import { errorOf } from './error.ts';
import { persistent } from './persistent.ts';

export { type ErrorCode, ParlourError } from './error.ts';
export { each } from './each.ts';
export { verifyWebhook } from './verify-webhook.ts';
export type * from './generated/types.gen.ts';

export interface ParlourOptions {
  /** Where Parlour is, such as `https://parlour.example.com`. */
  baseUrl: string;
  /** An API key, as it was issued: `svc_live_…` or `svc_test_…`. */
  key: string;
  /** Milliseconds that one attempt may take; 30,000 unless given. */
  timeout?: number;
  /** How often a request is repeated after 429, 5xx and broken connections; 3 unless given. */
  retries?: number;
  /** Instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

/**
 * A client of one Parlour. Operations are grouped as in the reference: `parlour.contacts.list({ query: { q: 'ana' } })`.
 * Failures are thrown as `ParlourError`; every option of `fetch`, such as `signal`, may be given to each call.
 */
export function createParlour({ baseUrl, key, ...options }: ParlourOptions): Operations {
  const client = createClient(
    createConfig({
      baseUrl: baseUrl.replace(/\/+$/, ''),
      auth: key,
      headers: { Accept: 'application/json' },
      fetch: persistent(options) as typeof globalThis.fetch,
      throwOnError: true,
    }),
  );
  client.interceptors.error.use((error, response) => errorOf(error, response));
  return new Operations({ client, key: baseUrl });
}
