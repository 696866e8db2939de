import { generateSuggestions } from '../ai/generate.ts';
import { computeInsights } from '../ai/insights.ts';
import { execute } from '../platform/operation.ts';
import type { Services } from '../platform/services.ts';
import { systemContext } from '../platform/system-context.ts';
import { inTenant } from '../platform/tenancy.ts';

/** So many of the threads that wait for an answer are given suggestions, the newest. */
const assisted = 8;

/**
 * What the assistant makes of the demo's conversations, by the same code as for any other company. With a service
 * outside it is left to the jobs and to those who ask: a start does not wait for a network. Safe to repeat.
 */
export async function addAssistance(app: Services, companyId: string): Promise<void> {
  const conversations = await inTenant(companyId, () =>
    app.prisma.conversation.findMany({
      where: { companyId, lastInboundAt: { not: null } },
      orderBy: { lastMessageAt: 'desc' },
      select: { id: true, status: true, waitingSince: true },
    }),
  );
  const places = conversations.map(({ id: conversationId }) => ({ companyId, conversationId }));
  if (app.config.ai.baseUrl !== undefined) {
    await app.jobs.enqueueAll('ai.insights', places);
    return;
  }
  for (const place of places) await computeInsights(app, place);
  const waiting = conversations.filter(({ status, waitingSince }) => status === 'open' && waitingSince);
  const ctx = await systemContext(app, companyId);
  for (const { id } of waiting.slice(0, assisted))
    await execute(generateSuggestions, ctx, { conversation: id });
}

/** Suggestions for a thread in which a customer of the demo has just written; not at the price of a service outside. */
export async function suggestIn(app: Services, companyId: string, conversation: string): Promise<void> {
  if (app.config.ai.baseUrl !== undefined) return;
  await execute(generateSuggestions, await systemContext(app, companyId), { conversation });
}
