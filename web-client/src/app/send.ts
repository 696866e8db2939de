import { MutationObserver, type MutationObserverOptions } from '@tanstack/react-query';
import { queryClient } from './trpc.ts';

/** Runs a mutation outside of a component: `await send(trpc.tags.create.mutationOptions(), { name })`. */
export function send<Data, Failed, Variables, Kept>(
  options: MutationObserverOptions<Data, Failed, Variables, Kept>,
  variables: Variables,
): Promise<Data> {
  return new MutationObserver(queryClient, options).mutate(variables);
}
