import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { builtIn } from './built-in/engine.ts';
import type { AiProvider } from './provider.ts';

/**
 * What assists the company acted on; null when it wants no assistance. The company's choice, else the installation's:
 * an OpenAI-compatible service where one is configured. Test keys never reach an outside service, and a company that
 * lets nothing out is served by the built-in engine.
 */
export async function providerOf(ctx: Context): Promise<AiProvider | null> {
  const company = await ctx.db.company.findUniqueOrThrow({
    where: { id: ctx.companyId },
    select: { aiEnabled: true, aiProvider: true, aiPrivacy: true, sandboxOf: true },
  });
  if (!company.aiEnabled || company.aiProvider === 'none') return null;
  if (company.aiProvider === 'built_in' || company.sandboxOf !== null) return builtIn;
  if (company.aiPrivacy === 'nothing') return builtIn;
  return (await outside(ctx.app.config, company.aiPrivacy !== 'full')) ?? builtIn;
}

/** One client for each way of asking, with what it learned of the service. */
const clients = new WeakMap<Config, Map<boolean, AiProvider>>();

/** Null without AI_BASE_URL and AI_MODEL. Its library is loaded only where somebody wants it. */
async function outside(config: Config, redacted: boolean): Promise<AiProvider | null> {
  const { baseUrl, apiKey, model, prices } = config.ai;
  if (baseUrl === undefined || model === undefined) return null;
  const { openAiProvider } = await import('./openai.ts');
  const known = clients.get(config) ?? new Map<boolean, AiProvider>();
  clients.set(config, known);
  const provider = known.get(redacted) ?? openAiProvider({ baseUrl, apiKey, model, prices }, { redacted });
  known.set(redacted, provider);
  return provider;
}
