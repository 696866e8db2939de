import { setTimeout as wait } from 'node:timers/promises';
import { runningJob } from '../platform/jobs.ts';
import type { Services } from '../platform/services.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { advanceCampaign } from './step.ts';

/** In milliseconds: between two looks while something is sent, while nothing is, and after an error. */
const delays = { busy: 100, idle: 1_000, failed: 2_000 };
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
      delay = (await pass(app, signal)) ? delays.busy : delays.idle;
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
async function pass(app: Services, signal: AbortSignal): Promise<boolean> {
  const due = await dueCampaigns(app);
  let again = false;
  const lane = async (): Promise<void> => {
    for (let one = due.shift(); one && !signal.aborted; one = due.shift()) {
      try {
        again = (await advanceCampaign(app, one.companyId, one.id)) || again;
      } catch (error) {
        // The others go on; this one is tried again.
        app.log.warn({ err: error, campaign_id: one.id }, 'campaign not advanced');
      }
    }
  };
  await Promise.all(Array.from({ length: campaignsAtOnce }, lane));
  return again;
}
