import { setTimeout as wait } from 'node:timers/promises';
import { runningJob } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { advanceCampaign, type Pace } from './step.ts';

/** In milliseconds: between two looks while somebody was written to, while the provider takes no more, while nothing is sent, and after an error. */
const delays = { now: 0, soon: 50, later: 1_000, failed: 2_000 };
const campaignsAtOnce = 4;

/** Starts what sends campaigns. Every process runs it; they share the work. */
export function startCampaigns(app: Services): () => Promise<void> {
  const stop = new AbortController();
  const running = runningJob.run('campaigns', () => run(app, stop.signal));
  return async () => {
    stop.abort();
    await running;
  };
}

async function run(app: Services, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let delay: number = delays.failed;
    try {
      delay = delays[await pass(app, signal)];
    } catch (error) {
      app.log.warn({ err: error }, 'campaigns not advanced');
    }
    await wait(delay, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

interface Due {
  companyId: string;
  id: string;
}

/** Campaigns that have something to do, and those that stand still with claims of a dead process. */
export function dueCampaigns({ prisma, clock }: Pick<Services, 'prisma' | 'clock'>): Promise<Due[]> {
  // Three indexes of few rows each; with OR it would be all campaigns there ever were, ten times a second.
  return acrossTenants(
    () => prisma.$queryRaw<Due[]>`
      SELECT due.company_id AS "companyId", due.id FROM (
        SELECT company_id, id FROM campaigns WHERE status IN ('queued', 'sending', 'cancelling')
        UNION
        SELECT company_id, id FROM campaigns WHERE status = 'scheduled' AND scheduled_at <= ${clock.now()}
        UNION
        SELECT company_id, campaign_id FROM campaign_recipients WHERE status = 'claimed' AND message_id IS NULL
      ) AS due
      JOIN companies ON companies.id = due.company_id AND companies.sandbox_of IS NULL
        AND companies.closed_at IS NULL`,
  );
}

/** Takes every campaign that has something to do one step further. */
async function pass(app: Services, signal: AbortSignal): Promise<Pace> {
  const due = await dueCampaigns(app);
  const paces = new Set<Pace>();
  const lane = async (): Promise<void> => {
    for (let one = due.shift(); one && !signal.aborted; one = due.shift()) {
      try {
        paces.add(await advanceCampaign(app, one.companyId, one.id));
      } catch (error) {
        // The others go on; this one is tried again.
        app.log.warn({ err: error, campaign_id: one.id }, 'campaign not advanced');
      }
    }
  };
  await Promise.all(Array.from({ length: campaignsAtOnce }, lane));
  return paces.has('now') ? 'now' : paces.has('soon') ? 'soon' : 'later';
}
