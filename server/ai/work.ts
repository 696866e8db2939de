import type { Services } from '../platform/services.ts';
import { computeInsights } from './insights.ts';

/** Starts thinking about what customers write. */
export async function workOnInsights(app: Services): Promise<void> {
  await app.jobs.work('ai.insights', (data) => computeInsights(app, data), { concurrency: 4, timed: true });
}
