import 'graphiql/setup-workers/vite';
import { createGraphiQLFetcher, type Fetcher } from '@graphiql/toolkit';
import { GraphiQL } from 'graphiql';
import { Kind, parse } from 'graphql';
import { createClient } from 'graphql-ws';
import { createRoot } from 'react-dom/client';
import 'graphiql/style.css';
import './explorer.css';
import { examples } from './examples.ts';
import { storageOf } from './storage.ts';

const mode = new URLSearchParams(location.search).get('mode') === 'live' ? 'live' : 'test';
const headers = { 'X-Service-Mode': mode };

let key: Promise<string | null> | undefined;

/** The GraphQL key of the page's session, without which a session runs the dashboard's own documents alone. */
async function authorization(): Promise<Record<string, string>> {
  key ??= askForKey().catch(() => null);
  const found = await key;
  // Who was not signed in may be at the next try.
  if (found === null) key = undefined;
  return found === null ? {} : { Authorization: `Bearer ${found}` };
}

async function askForKey(): Promise<string | null> {
  const response = await fetch('/auth/graphql-key', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{}',
  });
  return response.ok ? ((await response.json()) as { data: { key: string } }).data.key : null;
}

// Over the socket the same, opened with the first subscription.
const ask = createGraphiQLFetcher({
  url: '/graphql',
  wsClient: createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: async () => ({ ...headers, ...(await authorization()) }),
    lazy: true,
  }),
});
// Whatever the headers of a tab say: the mode is the one that is chosen above it. They may name another key.
const fetcher: Fetcher = async (params, options) => {
  const given = options?.headers;
  const named = Object.keys(given ?? {}).some((name) => name.toLowerCase() === 'authorization');
  const own = named ? {} : await authorization();
  return ask(...told(params, { ...options, headers: { ...given, ...headers, ...own } })) as Awaited<
    ReturnType<Fetcher>
  >;
};

/**
 * What is run is what stands in the editor. The explorer learns the name and the kind of an operation
 * a moment after a tab is chosen, and until then would ask for the one of the tab before.
 */
function told(params: Parameters<Fetcher>[0], options: Parameters<Fetcher>[1]): Parameters<Fetcher> {
  try {
    const documentAST = parse(params.query);
    const names = documentAST.definitions.flatMap((one) =>
      one.kind === Kind.OPERATION_DEFINITION ? [one.name?.value] : [],
    );
    const operationName = names.includes(params.operationName ?? undefined) ? params.operationName : names[0];
    return [
      { ...params, operationName },
      { ...options, documentAST },
    ];
  } catch {
    // Not GraphQL: the server says what is wrong with it.
    return [params, options];
  }
}

const root = document.querySelector('#root');
if (!root) throw new Error('The page has no root.');
createRoot(root).render(
  <GraphiQL
    fetcher={fetcher}
    storage={storageOf(mode)}
    initialHeaders={JSON.stringify(headers, null, 2)}
    defaultHeaders={JSON.stringify(headers, null, 2)}
    defaultTabs={examples.map((query) => ({ query, headers: JSON.stringify(headers, null, 2) }))}
    defaultEditorToolsVisibility="variables"
  />,
);
