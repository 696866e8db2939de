import pg from 'pg';
import { runningJob } from '../../server/platform/jobs.ts';
import type { Services } from '../../server/platform/services.ts';

export interface Statement {
  text: string;
  values: unknown[];
}

/** The statements that reach PostgreSQL while `run` runs, outside of transactions and of jobs. */
export async function recordQueries(app: Services, run: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { pool } = app;
  const original = pool.query.bind(pool);
  const record = (...args: Parameters<typeof original>) => {
    const [first, second] = args as unknown as [Statement | string, unknown];
    if (runningJob.getStore() !== undefined) return original(...args);
    if (typeof first === 'string')
      statements.push({ text: first, values: Array.isArray(second) ? second : [] });
    else statements.push({ text: first.text, values: Array.isArray(second) ? second : (first.values ?? []) });
    return original(...args);
  };
  Object.assign(pool, { query: record });
  try {
    await run();
  } finally {
    Object.assign(pool, { query: original });
  }
  return statements;
}

/** The statements that reach PostgreSQL while `run` runs, also those inside of transactions, without those of jobs. */
export async function recordTransaction(app: Services, run: () => Promise<unknown>): Promise<string[]> {
  const texts: string[] = [];
  const { query } = pg.Client.prototype;
  const own = app.pool.options.application_name;
  pg.Client.prototype.query = function record(this: pg.Client, ...args: unknown[]) {
    const [first] = args;
    const { application_name: name } = Reflect.get(this, 'connectionParameters') as {
      application_name?: string;
    };
    if (name === own && runningJob.getStore() === undefined)
      texts.push(typeof first === 'string' ? first : String(Reflect.get(first as object, 'text')));
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  // The server notes the use of keys on its own, now and then.
  return texts.filter((text) => !/^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)|UPDATE api_keys/i.test(text));
}

export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Plan Rows': number;
  Plans?: Plan[];
}

/** All nodes of the plan that PostgreSQL chooses for a statement. */
export async function planOf(app: Services, { text, values }: Statement): Promise<Plan[]> {
  const { rows } = await app.pool.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (FORMAT JSON) ${text}`,
    values as never,
  );
  const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];
  return rows[0] ? nodes(rows[0]['QUERY PLAN'][0].Plan) : [];
}
