import type { Pool } from 'pg';

const batch = 1_000;

/**
 * Chains what was written to the audit log since the last time; see the migration. An entry is sealed when everything
 * that could come before it has ended, so at the next run at the latest.
 */
export async function sealAudit(pool: Pool): Promise<void> {
  for (let sealed = batch; sealed === batch;) {
    const { rows } = await pool.query<{ sealed: number }>('SELECT seal_audit($1) AS sealed', [batch]);
    sealed = rows[0]?.sealed ?? 0;
  }
}
