import pg from 'pg';
import type { Check } from './check.ts';
import { commerceChecks } from './commerce.ts';
import { inboxChecks } from './inbox.ts';
import { calendarChecks, campaignChecks, houseChecks } from './others.ts';

const checks: readonly Check[] = [
  ...houseChecks,
  ...inboxChecks,
  ...commerceChecks,
  ...calendarChecks,
  ...campaignChecks,
];

/** At most this many violations of one check are listed; all are counted. */
const listed = 20;

export interface Violation {
  company: string | null;
  /** Of the record that breaks the rule. */
  id: string;
  detail: string;
}

/** What came of one check. */
export interface Finding {
  name: string;
  holds: string;
  /** How many records break it. */
  count: number;
  /** The first of them. */
  violations: Violation[];
}

/**
 * Re-checks every invariant on a live database. All queries see one snapshot and write nothing, so running traffic
 * neither disturbs nor is disturbed.
 * @param database its URL, or a client with a transaction open that is to be looked into
 * @param told is called after each check
 */
export async function examine(
  database: string | pg.Client,
  told: (finding: Finding) => void = () => {},
): Promise<Finding[]> {
  if (typeof database !== 'string') return examineWith(database, told);
  const client = new pg.Client({ connectionString: database, application_name: 'parlour doctor' });
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await examineWith(client, told);
  } finally {
    await client.end();
  }
}

async function examineWith(client: pg.Client, told: (finding: Finding) => void): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of checks) {
    const finding = await findingOf(client, check);
    told(finding);
    findings.push(finding);
  }
  return findings;
}

/** How many checks there are, for whoever shows progress. */
export const checkCount = checks.length;

async function findingOf(client: pg.Client, { name, holds, sql }: Check): Promise<Finding> {
  const { rows } = await client.query<{
    company_id: string | null;
    id: string;
    detail: string;
    total: number;
  }>(
    `SELECT company_id, id, detail, count(*) OVER ()::int AS total FROM (${sql}) found ORDER BY company_id, id LIMIT ${listed}`,
  );
  return {
    name,
    holds,
    count: rows[0]?.total ?? 0,
    violations: rows.map(({ company_id: company, id, detail }) => ({ company, id, detail })),
  };
}
