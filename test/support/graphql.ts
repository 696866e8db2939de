import { expect } from 'vitest';
import type { Client } from './client.ts';

type Variables = Record<string, unknown>;

/** The data of an answer that has no errors. */
export async function graphqlData(client: Client, query: string, variables: Variables = {}) {
  const { status, body } = await client.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  expect(status).toBe(200);
  return body.data;
}

/** The one error of an answer: message, path and extensions. */
export async function graphqlFailure(client: Client, query: string, variables: Variables = {}) {
  const { body, headers } = await client.graphql(query, variables);
  expect(body.errors).toHaveLength(1);
  const [{ message, extensions, path }] = body.errors;
  expect(extensions.request_id).toBe(headers.get('x-request-id'));
  return { message, path, ...extensions };
}
