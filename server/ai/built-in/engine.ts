import type { AiProvider, Answer, Usage } from '../provider.ts';

const free: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 };
const ok = <T>(value: T): Promise<Answer<T>> => Promise.resolve({ outcome: 'ok', value, usage: free });
const unavailable = (): Promise<Answer<never>> => Promise.resolve({ outcome: 'unavailable', usage: free });

/** The default engine: rules over the thread and what the company did before. No network; the same in, the same out. */
export const builtIn: AiProvider = {
  name: 'built_in',
  model: 'rules-1',
  insights: () => ok({ sentiment: null, purchase_likelihood: 'unknown', intent: null }),
  suggest: () => ok([]),
  reply: () => ok({ text: null, handoff: false }),
  rewrite: unavailable,
  summarise: unavailable,
};
