import type { LoadRequest } from './load.ts';
import type { Samples } from './samples.ts';

/** One line of the table: what is asked of both servers. */
export interface Operation {
  name: string;
  /** CPU of server and PostgreSQL that is aimed at, as a multiple of the other's. */
  goal: number | null;
  against: 'yardstick' | 'postgraphile';
  requests: LoadRequest[];
  /** What is asked of the other, where that is not the same. */
  theirRequests?: LoadRequest[];
}

/** What has no counterpart in the yardstick: measured by itself. */
export interface OwnOperation {
  name: string;
  /** Latency that 99 of 100 requests are to keep, in milliseconds. */
  p99: number | null;
  requests: LoadRequest[];
}

/** Longer than a run: what is held is not sent meanwhile, so that the sending is not measured with the writing. */
const holdSeconds = 300;

/** What both servers answer alike. */
export function restOperations(samples: Samples): Operation[] {
  const { contacts, conversations, writable, deep, agents, tags } = samples;
  const gets = (paths: readonly string[]) =>
    paths.map((path): LoadRequest => ({ method: 'GET', path: `/api/v1${path}` }));
  const posts = (path: string, bodies: readonly object[], headers: Record<string, string> = {}) =>
    bodies.map((body): LoadRequest => ({
      method: 'POST',
      path: `/api/v1${path}`,
      body: JSON.stringify(body),
      headers,
    }));
  const contact = { name: 'Nova {n}', email: 'nova-{n}@new.example', country: 'PT' };
  const operations: Omit<Operation, 'against'>[] = [
    { name: 'me', goal: null, requests: gets(['/me']) },
    { name: 'contact by id', goal: 1.3, requests: gets(contacts.map((id) => `/contacts/${id}`)) },
    { name: 'contacts page of 25', goal: 1, requests: gets(['/contacts?limit=25']) },
    {
      name: 'contacts page, country',
      goal: null,
      requests: gets(['PT', 'ES', 'BR', 'GB'].map((country) => `/contacts?country=${country}`)),
    },
    { name: 'total_unread, beside one conversation', goal: null, requests: gets(['/conversations?limit=1']) },
    { name: 'conversations page of 25', goal: null, requests: gets(['/conversations?limit=25']) },
    {
      name: 'conversations page, two filters',
      goal: null,
      requests: gets(['/conversations?status=open&archived=0', '/conversations?status=closed&archived=0']),
    },
    {
      name: 'conversations page, three filters',
      goal: 0.65,
      requests: gets(
        agents.map((email) => `/conversations?status=open&read=0&assignee=${encodeURIComponent(email)}`),
      ),
    },
    {
      name: 'conversations page, tag',
      goal: null,
      requests: gets(tags.map((tag) => `/conversations?status=open&channel=simulator&tag=${tag}`)),
    },
    {
      name: 'conversation by id',
      goal: null,
      requests: gets(conversations.map((id) => `/conversations/${id}`)),
    },
    {
      name: 'timeline of 50',
      goal: 1.1,
      requests: gets(conversations.map((id) => `/conversations/${id}/timeline?limit=50`)),
    },
    {
      name: 'timeline of 50, deep',
      goal: 1.1,
      requests: gets(deep.map(({ id, before }) => `/conversations/${id}/timeline?limit=50&before=${before}`)),
    },
    { name: 'messages page of 25', goal: null, requests: gets(['/messages?limit=25']) },
    { name: 'create contact', goal: 1.4, requests: posts('/contacts', [contact]) },
    {
      name: 'create contact, Idempotency-Key',
      goal: 2.2,
      requests: posts('/contacts', [contact], { 'idempotency-key': 'benchmark-{n}' }),
    },
    {
      name: 'send a message',
      goal: 1.5,
      requests: posts(
        '/messages',
        writable.map((conversation) => ({
          conversation,
          text: 'Your order {n} is on its way.',
          hold_seconds: holdSeconds,
        })),
      ),
    },
  ];
  return operations.map((operation) => ({ ...operation, against: 'yardstick' }));
}
