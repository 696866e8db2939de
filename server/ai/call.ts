import type { Context } from '../platform/context.ts';
import { isSpent, readBudget } from './budget.ts';
import { builtIn } from './built-in/engine.ts';
import { type Asked, recordCall } from './ledger.ts';
import { callLimitMs } from './limits.ts';
import type { AiProvider, Answer, Usage } from './provider.ts';
import { providerOf } from './select.ts';

/** What a call brought, and its entry in the ledger. */
export interface Called<T> {
  answer: Answer<T>;
  entry: string | null;
}

const nothing: Usage = { inputTokens: 0, outputTokens: 0, cost: 0 };

/**
 * Asks the company's provider, within its budget and the time limit, and writes the call down. Never inside a
 * transaction. What a provider does wrong is an outcome, not an error.
 * @param until when it is given up; after 20 s unless given
 */
export async function callProvider<T>(
  ctx: Context,
  asked: Asked,
  ask: (provider: AiProvider, signal: AbortSignal) => Promise<Answer<T>>,
  until = AbortSignal.timeout(callLimitMs),
): Promise<Called<T>> {
  const provider = await providerOf(ctx);
  if (!provider) return { answer: { outcome: 'unavailable', usage: nothing }, entry: null };
  const started = performance.now();
  const answer: Answer<T> = (await isOutOfBudget(ctx, provider))
    ? { outcome: 'budget', usage: nothing }
    : await within(ctx, until, provider, ask);
  // Not asked for, so not written down either.
  const { outcome, usage } = answer;
  if (outcome === 'unavailable') return { answer, entry: null };
  const latency = Math.round(performance.now() - started);
  const entry = await recordCall(ctx, asked, provider, { outcome, usage }, latency);
  return { answer, entry };
}

/** The built-in engine costs nothing. */
async function isOutOfBudget(ctx: Context, { name }: AiProvider): Promise<boolean> {
  return name !== builtIn.name && isSpent(await readBudget(ctx));
}

async function within<T>(
  ctx: Context,
  until: AbortSignal,
  provider: AiProvider,
  ask: (provider: AiProvider, signal: AbortSignal) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const late = Promise.withResolvers<Answer<T>>();
  const onLate = () => late.resolve({ outcome: 'timeout', usage: nothing });
  if (until.aborted) onLate();
  until.addEventListener('abort', onLate, { once: true });
  try {
    return await Promise.race([ask(provider, until), late.promise]);
  } catch (error) {
    // Its message may hold what the provider was given, so only its kind is told.
    const kind = error instanceof Error ? error.name : typeof error;
    ctx.log.warn({ provider: provider.name, error: kind }, 'an AI provider failed');
    return { outcome: until.aborted ? 'timeout' : 'error', usage: nothing };
  } finally {
    until.removeEventListener('abort', onLate);
  }
}
