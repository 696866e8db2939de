import { Prisma } from '../../prisma/generated/client/client.ts';
import { newId } from '../platform/ids.ts';
import { mailJob } from '../platform/mail.ts';
import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import { changedAnnouncement, webhooksChannel } from './dispatcher.ts';

type Reason = 'gone' | 'failing';

interface Off {
  url: string;
  company: string;
  /** The Owner's; null when nobody is. */
  email: string | null;
}

/**
 * Switches an endpoint off on its own account and discards what waits for it, in one transaction. The Owner is told
 * once, in the dashboard and by mail: a second call finds it off already.
 */
export async function switchOff(
  app: Services,
  { companyId, id }: { companyId: string; id: string },
  reason: Reason,
): Promise<void> {
  const off = await inTenant(companyId, () =>
    app.prisma.$transaction(async (db) => {
      const [found] = await db.$queryRaw<Off[]>(statement(companyId, id, reason, app.clock.now()));
      if (found?.email)
        await app.jobs.enqueue('mail.send', mailJob(app, mailOf(app, found, found.email, reason)), { db });
      return found;
    }),
  );
  if (off) app.log.warn({ company_id: companyId, endpoint_id: id, reason }, 'webhook endpoint switched off');
}

const why: Record<Reason, string> = {
  gone: 'It answered 410 Gone, which says that it is not there any more.',
  failing: 'For 120 hours every attempt to send something to it failed.',
};

function mailOf(app: Pick<Services, 'publicUrl'>, { url, company }: Off, to: string, reason: Reason) {
  const text = [
    'Hello,',
    '',
    'nothing is sent to this webhook endpoint any more:',
    url,
    '',
    why[reason],
    '',
    'What was waiting for it is discarded. Once its server works again, enable it in the dashboard:',
    app.publicUrl(),
  ].join('\n');
  return { to, subject: `A webhook of ${company} was switched off`, text };
}

function statement(companyId: string, id: string, reason: Reason, now: Date): Prisma.Sql {
  return Prisma.sql`
    WITH off AS (
      UPDATE webhook_endpoints SET enabled = false, disabled_reason = ${reason}, disabled_at = ${now},
        owner_notified_at = ${now}, updated_at = ${now}
      WHERE company_id = ${companyId} AND id = ${id} AND enabled
      RETURNING company_id, id, url
    ), discarded AS (
      UPDATE webhook_deliveries d SET status = 'discarded', next_attempt_at = NULL, completed_at = ${now}
      FROM off
      WHERE d.company_id = off.company_id AND d.endpoint_id = off.id AND d.status IN ('pending', 'retrying')
    ), owner AS (
      SELECT u.id, u.email FROM users u JOIN roles r ON r.company_id = u.company_id AND r.id = u.role_id
      WHERE u.company_id = ${companyId} AND r.key = 'owner' AND u.deactivated_at IS NULL
      ORDER BY u.created_at, u.id LIMIT 1
    ), told AS (
      INSERT INTO notifications (company_id, id, user_id, kind, data, created_at)
      SELECT off.company_id, ${newId()}, owner.id, 'system', json_build_object(
        'topic', 'webhook.disabled', 'endpoint', off.id, 'url', off.url, 'reason', ${reason}::text), ${now}
      FROM off, owner
    )
    SELECT off.url, companies.name AS company, owner.email,
      pg_notify(${webhooksChannel}, ${changedAnnouncement(id)})::text
    FROM off JOIN companies ON companies.id = off.company_id LEFT JOIN owner ON true`;
}
