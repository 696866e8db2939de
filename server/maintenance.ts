import path from 'node:path';
import type { Services } from './platform/services.ts';
import { refreshTemplates } from './channels/templates.ts';
import { startCampaigns } from './campaigns/workers.ts';
import { workOnAi } from './ai/work.ts';
import { workOnAutomation } from './automation/work.ts';
import { purgeIdempotencyRecords } from './platform/idempotency.ts';
import { sendMail } from './platform/mail.ts';
import { workOnPrivacy } from './privacy/work.ts';
import { purgeSessions } from './platform/sessions.ts';
import { purgeEvents } from './realtime/retention.ts';
import { sealAudit } from './audit/seal.ts';
import { startDemoTraffic } from './demo/traffic.ts';
import { removeStaleUploads, removeUnusedMedia } from './media/cleanup.ts';
import { startMailboxes } from './email/mailboxes.ts';
import { workOnEmail } from './email/receive.ts';
import { workOnMessages } from './messages/work.ts';
import { acrossTenants } from './platform/tenancy.ts';
import { purgeRequests } from './requests/retention.ts';
import { tidyWebhooks } from './webhooks/retention.ts';
import { startWebhooks } from './webhooks/workers.ts';

const usageInterval = 10_000;

/** Starts what runs on its own: scheduled jobs, once over all processes, and this process's own flushes. */
export async function startMaintenance(app: Services): Promise<() => Promise<void>> {
  await app.jobs.work('idempotency.purge', async () => {
    await acrossTenants(() => purgeIdempotencyRecords(app.prisma, app.clock.now()));
  });
  await workOnPrivacy(app);
  await app.jobs.work('audit.seal', async () => {
    await sealAudit(app.pool);
  });
  await app.jobs.schedule('audit.seal', '* * * * *');
  await app.jobs.work('events.purge', async () => {
    await acrossTenants(() => purgeEvents(app.prisma, app.clock.now()));
  });
  await app.jobs.schedule('events.purge', '43 * * * *');
  await app.jobs.work('media.cleanup', async () => {
    await acrossTenants(() => removeUnusedMedia(app));
    await removeStaleUploads(path.join(app.config.dataDir, 'uploads'));
  });
  await app.jobs.work('channels.templates', (data) => refreshTemplates(app, data));
  await app.jobs.schedule('channels.templates', '37 * * * *');
  await workOnMessages(app);
  await workOnEmail(app);
  await workOnAi(app);
  await workOnAutomation(app);
  await app.jobs.schedule('media.cleanup', '*/10 * * * *');
  await app.jobs.work('webhooks.tidy', () => tidyWebhooks(app.pool, app.clock.now()));
  await app.jobs.schedule('webhooks.tidy', '29 * * * *');
  await app.jobs.work('requests.purge', () => purgeRequests(app.pool, app.clock.now()));
  await app.jobs.schedule('requests.purge', '53 * * * *');
  await app.jobs.schedule('idempotency.purge', '*/15 * * * *');
  await app.jobs.work('mail.send', (mail) => sendMail(app, mail));
  await app.jobs.work('sessions.purge', () => purgeSessions(app.prisma, app.clock.now()));
  await app.jobs.schedule('sessions.purge', '7 * * * *');
  const usage = setInterval(() => {
    Promise.all([app.keys.flushUsage(), app.sessions.flushUsage()]).catch((error: unknown) =>
      app.log.warn({ err: error }, 'usage not written'),
    );
  }, usageInterval);
  usage.unref();
  const stopTraffic = startDemoTraffic(app);
  const stopWebhooks = startWebhooks(app);
  const stopCampaigns = startCampaigns(app);
  const stopMailboxes = startMailboxes(app);
  return async () => {
    clearInterval(usage);
    stopTraffic();
    await stopMailboxes();
    await stopCampaigns();
    await stopWebhooks();
  };
}
