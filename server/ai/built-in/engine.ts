import type { AiProvider, Answer, Usage } from '../provider.ts';

const free: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 };
const ok = <T>(value: T): Answer<T> => ({ outcome: 'ok', value, usage: free });
const unavailable = (): Promise<Answer<never>> => Promise.resolve({ outcome: 'unavailable', usage: free });

/** Lexicons and what tells languages apart take 50 MB: they are loaded for the first thread, and never for a command. */
const thinking = () => import('./thinking.ts');

/** The default engine: rules over the thread and what the company did before. No network; the same in, the same out. */
export const builtIn: AiProvider = {
  name: 'built_in',
  model: 'rules-1',
  insights: async (thread) => ok((await thinking()).insightsOf(thread)),
  suggest: async (thread) => ok((await thinking()).proposals(thread)),
  reply: async (thread) => ok((await thinking()).draft(thread)),
  rewrite: unavailable,
  summarise: unavailable,
};
