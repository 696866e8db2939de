import type * as selecting from '../../server/ai/select.ts';
import type { AiProvider, Answer, Refusal, Usage } from '../../server/ai/provider.ts';
import type { Context } from '../../server/platform/context.ts';

type Selection = typeof selecting;

/** What assists instead of the company's provider: null is none, undefined leaves the choice to the server. */
export const assistance: { provider: AiProvider | null | undefined } = { provider: undefined };

/** `server/ai/select.ts` as the tests of AI mock it. */
export function selection(real: Selection): Selection {
  return {
    ...real,
    providerOf: (ctx: Context) =>
      assistance.provider === undefined ? real.providerOf(ctx) : Promise.resolve(assistance.provider),
  };
}

export const usage: Usage = { inputTokens: 100, outputTokens: 20, cost: 1_500 };
export const ok = <T>(value: T): Answer<T> => ({ outcome: 'ok', value, usage });
export const refusal = (outcome: Refusal): Answer<never> => ({ outcome, usage });
export const hangs = () => new Promise<never>(() => {});

/** From now on, a provider that answers as given and has nothing to say otherwise. @returns it */
export function assist(answers: Partial<AiProvider>): AiProvider {
  const silent = () => Promise.resolve(refusal('unavailable'));
  assistance.provider = {
    name: 'stand-in',
    model: 'tests',
    insights: silent,
    suggest: silent,
    reply: silent,
    rewrite: silent,
    summarise: silent,
    ...answers,
  };
  return assistance.provider;
}
