import type { Pool } from 'pg';
import type { Context } from './context.ts';
import { isId } from './ids.ts';
import type { Log } from './log.ts';
import { acrossTenants } from './tenancy.ts';

/** Who a unit of work is in the database: a role that owns nothing and is subject to row-level security. */
const role = 'parlour_runtime';

/**
 * Plans are made for any company, not for this one: of rows that came since it last looked PostgreSQL knows nothing, and would
 * read all that a new company has for each that is asked for by its id (122 ms instead of 3 for 50 messages of 9,000). They are
 * made for tables that grow: what was planned while there were ten rows is used when there are thousands.
 */
const begin = 'BEGIN; SET LOCAL plan_cache_mode = force_generic_plan; SET LOCAL enable_seqscan = off';

/** Whether units of work are walled in. Not before {@link Wall.raise}, and not where the role can't be had. */
export class Wall {
  stands = false;

  /** What a transaction begins with that sees and writes rows of this company alone: role and company come along with it. */
  begin(companyId: string): string {
    if (!isId(companyId)) throw new Error('A company has another kind of id.');
    return this.stands
      ? `${begin}; SET LOCAL ROLE ${role}; SET LOCAL parlour.company = '${companyId}'`
      : begin;
  }

  /** Builds what is missing, after migrations and the queue's own. Warns when it can't. */
  async raise(pool: Pool, log: Log): Promise<void> {
    const user = await this.#build(pool).catch((error: unknown) => {
      log.warn({ err: error }, 'The wall between companies was not built.');
      return null;
    });
    if (this.stands) return;
    log.warn(
      `Row-level security is not in force for the user of DATABASE_URL, who may not make the role ${role}. Let one who ` +
        `may run CREATE ROLE ${role} NOLOGIN; GRANT ${role} TO "${user ?? 'that user'}"; and start again.`,
    );
  }

  /** @returns the user of the database */
  async #build(pool: Pool): Promise<string> {
    const ask = async (step: 'wall_stands' | 'raise_wall') => {
      const sql = `SELECT ${step}() AS stands, current_user AS user`;
      const { rows } = await pool.query<{ stands: boolean; user: string }>(sql);
      this.stands = rows[0]?.stands ?? false;
      return rows[0]?.user ?? '';
    };
    const user = await ask('wall_stands');
    return this.stands ? user : ask('raise_wall');
  }
}

const lowered = new WeakMap<object, number>();

/**
 * Runs `work` as the owner of the tables, within a unit of work too: for the few changes of a company that its sandbox
 * twin, or the whole installation, takes part in.
 */
export function asHouse<T>(ctx: Context, work: () => Promise<T>): Promise<T> {
  return acrossTenants(async () => {
    const { db } = ctx;
    if (ctx.work === null || !ctx.app.wall.stands) return work();
    const depth = lowered.get(db) ?? 0;
    lowered.set(db, depth + 1);
    if (depth === 0) await db.$executeRaw`SET LOCAL ROLE NONE`;
    try {
      const value = await work();
      if (lowered.get(db) === 1) await db.$executeRawUnsafe(`SET LOCAL ROLE ${role}`);
      return value;
    } finally {
      // After a failure the transaction is rolled back, and the role with it.
      lowered.set(db, (lowered.get(db) ?? 1) - 1);
    }
  });
}
