import { isDeepStrictEqual } from 'node:util';
import type { Samples } from './samples.ts';

/** The addresses, below /api/v1, whose answers are compared: 200, and the page after each of the lists. */
export function provenPaths({ contacts, conversations, deep, agents, tags }: Samples): string[] {
  const some = <T>(from: readonly T[], count: number) => from.slice(0, count);
  const paths = [
    '/me',
    ...some(contacts, 52).map((id) => `/contacts/${id}`),
    ...some(conversations, 40).map((id) => `/conversations/${id}`),
    ...some(conversations, 25).map((id) => `/conversations/${id}/timeline?limit=50`),
    ...some(deep, 20).map(({ id, before }) => `/conversations/${id}/timeline?limit=50&before=${before}`),
    ...some(conversations, 10).map((id) => `/messages?conversation=${id}`),
    ...some(contacts, 5).map((id) => `/messages?contact=${id}&limit=10`),
    ...some(contacts, 5).map((id) => `/conversations?contact=${id}`),
    ...agents.flatMap((email) => [
      `/conversations?assignee=${email}`,
      `/conversations?status=open&read=0&assignee=${email}`,
      `/conversations?status=closed&archived=1&assignee=${email}&limit=50`,
    ]),
    ...tags.flatMap((tag) => [
      `/conversations?tag=${tag}`,
      `/conversations?status=open&channel=simulator&tag=${tag}&limit=5`,
    ]),
    '/contacts',
    ...['PT', 'ES', 'BR'].map((country) => `/contacts?country=${country}&limit=10`),
    ...['subscribed=0', 'blocked=1', 'blocked=0&limit=100', 'q=ana', 'q=sou'].map(
      (query) => `/contacts?${query}`,
    ),
    '/conversations',
    '/conversations?status=open&archived=0',
    '/conversations?status=closed&archived=0',
    '/conversations?unassigned=1',
    '/conversations?rating=5&limit=100',
    '/messages',
    '/messages?direction=inbound&limit=50',
    '/messages?direction=outbound&type=text&limit=5',
  ];
  return paths.slice(0, 200);
}

type Ask = (path: string) => Promise<{ data?: unknown; meta?: { next_cursor?: string | null } }>;

/**
 * A ratio means nothing unless both servers answer the same.
 * @returns how many answers were compared
 * @throws Error with the first address whose `data` differ
 */
export async function prove(paths: readonly string[], yardstick: Ask, parlour: Ask): Promise<number> {
  let compared = 0;
  for (const path of paths) {
    const next = await compare(path, path, yardstick, parlour);
    compared++;
    if (!next) continue;
    const more = (cursor: string) => `${path}${path.includes('?') ? '&' : '?'}cursor=${cursor}`;
    await compare(more(next.yardstick), more(next.parlour), yardstick, parlour);
    compared++;
  }
  return compared;
}

async function compare(ofYardstick: string, ofParlour: string, yardstick: Ask, parlour: Ask) {
  const [theirs, ours] = await Promise.all([yardstick(ofYardstick), parlour(ofParlour)]);
  if (theirs.data === undefined || !isDeepStrictEqual(theirs.data, ours.data))
    throw new Error(
      `Yardstick and Parlour differ at ${ofParlour}:\n${JSON.stringify(theirs).slice(0, 2_000)}\n${JSON.stringify(ours).slice(0, 2_000)}`,
    );
  const cursors = { yardstick: theirs.meta?.next_cursor, parlour: ours.meta?.next_cursor };
  if (!cursors.yardstick && !cursors.parlour) return null;
  if (!cursors.yardstick || !cursors.parlour)
    throw new Error(`Only one of yardstick and Parlour has more than ${ofParlour}.`);
  return { yardstick: cursors.yardstick, parlour: cursors.parlour };
}

/** Asks a server below /api/v1. */
export function asker(url: string, key: string): Ask {
  return async (path) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${key}` } });
    return (await response.json()) as Awaited<ReturnType<Ask>>;
  };
}
