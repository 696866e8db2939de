import type { Services } from '../platform/services.ts';
import { replyToCustomer } from './auto-reply.ts';
import { expireOldSuggestions } from './expire.ts';
import { forgetGenerations } from './generation-limit.ts';

/** Starts answering customers where AI does, and lets suggestions expire. */
export async function workOnAi(app: Services): Promise<void> {
  await app.jobs.work('ai.reply', (data) => replyToCustomer(app, data), { concurrency: 4 });
  await app.jobs.work('ai.expire', async () => {
    await expireOldSuggestions(app);
    await forgetGenerations(app);
  });
  await app.jobs.schedule('ai.expire', '* * * * *');
}
