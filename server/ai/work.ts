import type { Services } from '../platform/services.ts';
import { replyToCustomer } from './auto-reply.ts';
import { expireOldSuggestions } from './expire.ts';
import { forgetGenerations } from './generation-limit.ts';
import { computeInsights } from './insights.ts';

/** Starts thinking about what customers write, answering where AI does, and letting suggestions expire. */
export async function workOnAi(app: Services): Promise<void> {
  await app.jobs.work('ai.insights', (data) => computeInsights(app, data), { concurrency: 4, timed: true });
  await app.jobs.work('ai.reply', (data) => replyToCustomer(app, data), { concurrency: 4 });
  await app.jobs.work('ai.expire', async () => {
    await expireOldSuggestions(app);
    await forgetGenerations(app);
  });
  await app.jobs.schedule('ai.expire', '* * * * *');
}
