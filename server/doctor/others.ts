import type { Check } from './check.ts';

export const calendarChecks: readonly Check[] = [
  {
    name: 'slot-has-one-booking',
    holds: 'Two pending or confirmed bookings of an agent never overlap.',
    sql: `SELECT a.company_id, a.id, format('overlaps %s', b.id) AS detail
      FROM bookings a JOIN bookings b ON b.company_id = a.company_id AND b.agent_id = a.agent_id AND b.id > a.id
        AND b.starts_at < a.ends_at AND b.ends_at > a.starts_at AND b.starts_at > a.starts_at - interval '24 hours'
      WHERE a.status IN ('pending', 'confirmed') AND b.status IN ('pending', 'confirmed')
        AND a.deleted_at IS NULL AND b.deleted_at IS NULL`,
  },
];

export const campaignChecks: readonly Check[] = [
  {
    name: 'campaign-counts-its-recipients',
    holds: 'The figures of a campaign are those of its recipients, each of which is counted once.',
    sql: `SELECT c.company_id, c.id, format('figures %s, recipients %s',
        ARRAY[c.total, c.pending, c.sent, c.delivered, c.read, c.failed, c.skipped, c.replied, c.unsubscribed],
        ARRAY[r.total, r.pending, r.sent, r.delivered, r.read, r.failed, r.skipped, r.replied, r.unsubscribed]) AS detail
      FROM campaigns c
      CROSS JOIN LATERAL (
        SELECT count(*) AS total, count(*) FILTER (WHERE status IN ('pending', 'claimed')) AS pending,
          count(*) FILTER (WHERE status IN ('sent', 'delivered', 'read')) AS sent,
          count(*) FILTER (WHERE status IN ('delivered', 'read')) AS delivered, count(*) FILTER (WHERE status = 'read') AS read,
          count(*) FILTER (WHERE status = 'failed') AS failed, count(*) FILTER (WHERE status = 'skipped') AS skipped,
          count(replied_at) AS replied, count(unsubscribed_at) AS unsubscribed
        FROM campaign_recipients r WHERE r.company_id = c.company_id AND r.campaign_id = c.id
      ) r
      WHERE (c.total, c.pending, c.sent, c.delivered, c.read, c.failed, c.skipped, c.replied, c.unsubscribed)
        <> (r.total, r.pending, r.sent, r.delivered, r.read, r.failed, r.skipped, r.replied, r.unsubscribed)`,
  },
  {
    name: 'campaign-writes-once',
    holds: 'A contact has at most one message of a campaign.',
    sql: `SELECT company_id, campaign_id AS id, format('%s messages to contact %s', count(*), contact_id) AS detail
      FROM messages WHERE campaign_id IS NOT NULL
      GROUP BY company_id, campaign_id, contact_id HAVING count(*) > 1`,
  },
  {
    name: 'recipient-is-where-its-message-is',
    holds:
      'The message of a recipient is of their campaign and contact, and has come as far as their row says.',
    sql: `SELECT r.company_id, r.campaign_id AS id, format('contact %s is %s, message %s is %s', r.contact_id, r.status, m.id, m.status) AS detail
      FROM campaign_recipients r JOIN messages m ON m.company_id = r.company_id AND m.id = r.message_id
      WHERE m.contact_id <> r.contact_id OR m.campaign_id IS DISTINCT FROM r.campaign_id
        OR r.status <> CASE WHEN m.status = 'queued' THEN 'claimed' ELSE m.status END`,
  },
  {
    name: 'campaign-counts-its-orders',
    holds: 'The orders of a campaign are those attributed to it and neither cancelled nor returned.',
    sql: `SELECT c.company_id, c.id, format('counts %s orders, attributed are %s', c.order_count, o.orders) AS detail
      FROM campaigns c
      CROSS JOIN LATERAL (SELECT count(*) AS orders FROM orders o
        WHERE o.company_id = c.company_id AND o.campaign_id = c.id AND o.status NOT IN ('cancelled', 'returned')) o
      WHERE c.order_count <> o.orders`,
  },
];

export const houseChecks: readonly Check[] = [
  {
    name: 'company-has-a-twin',
    holds: 'Every live company has its sandbox twin, with a mirror of each of its agents.',
    sql: `SELECT c.id AS company_id, c.id, CASE WHEN t.id IS NULL THEN 'no twin' ELSE format('no mirror of agent %s', u.email) END AS detail
      FROM companies c LEFT JOIN companies t ON t.sandbox_of = c.id
      LEFT JOIN users u ON u.company_id = c.id
        AND NOT EXISTS (SELECT 1 FROM users m WHERE m.company_id = t.id AND m.mirror_of = u.id)
      WHERE c.sandbox_of IS NULL AND (t.id IS NULL OR u.id IS NOT NULL)`,
  },
  {
    name: 'company-has-an-owner',
    holds: 'Every live company has an Owner who is not deactivated.',
    sql: `SELECT c.id AS company_id, c.id, 'no active Owner' AS detail FROM companies c
      WHERE c.sandbox_of IS NULL AND c.closed_at IS NULL AND NOT EXISTS (
        SELECT 1 FROM users u JOIN roles r ON r.company_id = u.company_id AND r.id = u.role_id
        WHERE u.company_id = c.id AND r.key = 'owner' AND u.deactivated_at IS NULL)`,
  },
  {
    name: 'sandbox-sends-nothing',
    holds: 'A sandbox has no event and no delivery: a test key leaves nothing.',
    sql: `SELECT e.company_id, e.id, e.type AS detail FROM events e JOIN companies c ON c.id = e.company_id
      WHERE c.sandbox_of IS NOT NULL
      UNION ALL
      SELECT d.company_id, d.endpoint_id, 'delivery' FROM webhook_deliveries d JOIN companies c ON c.id = d.company_id
      WHERE c.sandbox_of IS NOT NULL`,
  },
  {
    name: 'event-tells-of-its-own-company',
    holds: 'An event is of the company whose log it is in, and says what it says in its columns.',
    sql: `SELECT e.company_id, e.id, format('%s for %s in the log of %s', e.payload->>'type', e.payload->>'company', e.company_id) AS detail
      FROM events e
      WHERE e.payload->>'company' <> e.company_id OR e.payload->>'type' <> e.type OR e.payload->>'id' <> e.id`,
  },
  {
    name: 'audit-log-is-whole',
    holds: 'No entry of the audit log was changed, put in or taken out after it was sealed.',
    sql: `WITH chain AS (
        SELECT a.company_id, a.id, a.sequence, a.hash, a.prev_hash, audit_hash(a, a.prev_hash) AS real,
          lag(a.hash) OVER entries AS before
        FROM audit_logs a WHERE a.hash IS NOT NULL WINDOW entries AS (PARTITION BY a.company_id ORDER BY a.sequence)
      )
      SELECT company_id, id, CASE WHEN hash <> real THEN 'was changed' ELSE 'does not follow the entry before' END AS detail
      FROM chain WHERE hash <> real OR prev_hash IS DISTINCT FROM before
      UNION ALL
      SELECT c.company_id, c.company_id, format('%s entries of %s are there, the last one sealed is %s', e.entries, c.entries,
        CASE WHEN e.last = c.hash THEN 'the same' ELSE 'another' END)
      FROM audit_chains c CROSS JOIN LATERAL (
        SELECT count(*) AS entries, (array_agg(hash ORDER BY sequence DESC))[1] AS last
        FROM audit_logs a WHERE a.company_id = c.company_id AND a.hash IS NOT NULL
      ) e
      WHERE (e.entries, e.last) IS DISTINCT FROM (c.entries, c.hash)
      UNION ALL
      SELECT a.company_id, a.id, 'came in behind the end of the chain' FROM audit_logs a
      JOIN audit_chains c ON c.company_id = a.company_id WHERE a.hash IS NULL AND a.sequence <= c.sequence
      UNION ALL
      SELECT a.company_id, min(a.id), 'sealed entries without the end of their chain' FROM audit_logs a
      WHERE a.hash IS NOT NULL AND NOT EXISTS (SELECT FROM audit_chains c WHERE c.company_id = a.company_id)
      GROUP BY a.company_id`,
  },
  {
    name: 'wall-stands',
    holds:
      'Row-level security keeps every table of a company to it, and units of work can run as the role that it binds.',
    sql: `SELECT NULL AS company_id, gap::text AS id, 'not behind the wall' AS detail FROM wall_gaps() AS gap
      UNION ALL
      SELECT NULL, 'parlour_runtime', format(
        'as somebody who may make roles: CREATE ROLE parlour_runtime NOLOGIN; GRANT parlour_runtime TO %I; then start again', current_user)
      WHERE NOT wall_role_stands()`,
  },
  {
    name: 'index-is-valid',
    holds: 'Every index and constraint of the database is in force.',
    sql: `SELECT NULL AS company_id, indexrelid::regclass::text AS id, 'invalid index' AS detail FROM pg_index
      WHERE NOT indisvalid OR NOT indisready
      UNION ALL
      SELECT NULL, conrelid::regclass || '.' || conname, 'constraint not validated' FROM pg_constraint WHERE NOT convalidated`,
  },
];
