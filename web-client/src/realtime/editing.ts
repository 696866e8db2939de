import { useSyncExternalStore } from 'react';
import { queryClient, trpc } from '../app/trpc.ts';

/** A lock that is not renewed ends by itself, in milliseconds. */
const lockMs = 30_000;

interface Editor {
  name: string;
  until: number;
}

let editors: ReadonlyMap<string, Editor> = new Map();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Who else is replying in a conversation right now; null when nobody is. */
export function useEditor(conversation: string): string | null {
  return useSyncExternalStore(listen, () => editors.get(conversation)?.name ?? null);
}

/** Somebody else took the lock of a conversation, or renewed it; null: nobody has it any more. */
export function setEditor(conversation: string, name: string | null): void {
  const next = new Map(editors);
  if (name === null) next.delete(conversation);
  else next.set(conversation, { name, until: Date.now() + lockMs });
  show(next);
}

/** Asks for the locks that were taken before this tab listened. */
export async function loadEditors(): Promise<void> {
  const { data } = await queryClient.fetchQuery(
    trpc.conversations.editing.queryOptions({}, { staleTime: 0, gcTime: 0 }),
  );
  const until = Date.now() + lockMs;
  show(
    new Map(
      data.flatMap(({ conversation, editing_by: name, is_me }) =>
        name === null || is_me ? [] : [[conversation, { name, until }]],
      ),
    ),
  );
}

function show(next: ReadonlyMap<string, Editor>): void {
  editors = next;
  clearTimeout(timer);
  if (next.size > 0) timer = setTimeout(prune, Math.max(0, first(next) - Date.now()) + 50);
  for (const listener of listeners) listener();
}

function prune(): void {
  show(new Map([...editors].filter(([, { until }]) => until > Date.now())));
}

function first(all: ReadonlyMap<string, Editor>): number {
  return Math.min(...[...all.values()].map(({ until }) => until));
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
