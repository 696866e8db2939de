import { appRouter } from '../../server/app-router.ts';
import { procedureFacts, type ProcedureFacts, type RestFacts } from '../../server/platform/trpc.ts';
import type { Answer, Client } from './client.ts';

export type RestProcedure = ProcedureFacts & { rest: RestFacts };

export const procedures: ProcedureFacts[] = procedureFacts(appRouter);
export const restProcedures = procedures.filter((facts): facts is RestProcedure => facts.rest !== undefined);

/** Names of the ids in a procedure's path. */
export function pathParameters(rest: RestFacts): string[] {
  return [...rest.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
}

/** Calls a procedure over REST: ids into the path, the rest into query or body. */
export function callRest(
  api: Client,
  { rest }: RestProcedure,
  input: Record<string, unknown> = {},
): Promise<Answer> {
  if (rest.body === 'multipart') return api.form(rest.path, input);
  const names = pathParameters(rest);
  const path = names.reduce(
    (at, name) => at.replace(`{${name}}`, encodeURIComponent(String(input[name] ?? 'x'))),
    rest.path,
  );
  const others = Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)));
  const inQuery = rest.method === 'GET' || rest.method === 'DELETE';
  return api.request(
    rest.method,
    path,
    inQuery ? { query: others as Record<string, string> } : { body: others },
  );
}

/** Those that write what a JSON body says. */
export const written = restProcedures.filter(
  ({ operation, rest }) =>
    operation.kind === 'mutation' && rest.method !== 'DELETE' && rest.body !== 'multipart',
);
