import { hashKey, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { createTRPCClient, httpBatchLink, splitLink } from '@trpc/client';
import { createTRPCOptionsProxy, type inferOutput } from '@trpc/tanstack-react-query';
import type { AppRouter } from '../../../server/app-router.ts';
import { heardTime } from './clock.ts';
import { failureIn, failureOf } from './failure.ts';
import { currentMode } from './mode.ts';
import { sessionEnded, sessionUsed } from './session.ts';

export type { inferOutput };

/** What belongs to the company's people and access exists once, whatever the mode. */
const alwaysLive = new Set([
  'account',
  'agents',
  'audit',
  'deliveries',
  'invitations',
  'keys',
  'requests',
  'roles',
  'webhooks',
]);

/** There is one calendar, and it is live: test mode looks at it, and what it would change is refused. */
const isLive = ({ path, type }: { path: string; type: string }) => {
  const [area = ''] = path.split('.');
  return alwaysLive.has(area) || (area === 'bookings' && type === 'query');
};

const batch = { url: '/trpc', maxItems: 10, maxURLLength: 8_000, fetch: ask };

/** What is refused before any procedure runs (401, 429) comes as one error, whatever was batched. */
async function ask(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  // A draft or a choice is saved although its page is being closed.
  const keepalive = typeof input === 'string' && /\/(drafts\.save|account\.updateProfile)/.test(input);
  const response = await fetch(input, { ...init, keepalive });
  heardTime(response.headers);
  if (response.ok) {
    sessionUsed();
    return response;
  }
  const failure = await failureIn(response.clone());
  if (failure.code !== 'offline') throw failure;
  return response;
}

const client = createTRPCClient<AppRouter>({
  links: [
    splitLink({
      condition: isLive,
      true: httpBatchLink(batch),
      false: httpBatchLink({ ...batch, headers: () => ({ 'X-Service-Mode': currentMode() }) }),
    }),
  ],
});

function watch(error: unknown): void {
  if (failureOf(error).code === 'unauthenticated') sessionEnded();
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: watch }),
  mutationCache: new MutationCache({ onError: watch }),
  defaultOptions: {
    queries: {
      // The two modes never share what they have fetched.
      queryKeyHashFn: (key) => `${currentMode()} ${hashKey(key)}`,
      staleTime: 30_000,
      retry: (count, error) => count < 3 && ['offline', 'server_error'].includes(failureOf(error).code),
    },
    mutations: { retry: false },
  },
});

/** The server's procedures: `useQuery(trpc.contacts.list.queryOptions({ limit: 50 }))`. */
export const trpc = createTRPCOptionsProxy<AppRouter>({ client, queryClient });
