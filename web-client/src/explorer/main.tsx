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

// The session of the page says who asks; over the socket the same, opened with the first subscription.
const ask = createGraphiQLFetcher({
  url: '/graphql',
  wsClient: createClient({
    url: `${location.origin.replace(/^http/, 'ws')}/graphql`,
    connectionParams: headers,
    lazy: true,
  }),
});
// Whatever the headers of a tab say: the mode is the one that is chosen above it.
const fetcher: Fetcher = (params, options) =>
  ask(...told(params, { ...options, headers: { ...options?.headers, ...headers } }));

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
