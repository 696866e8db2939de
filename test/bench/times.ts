import pg from 'pg';

/** Milliseconds since 1970 with their fractions: commits are told apart by microseconds. */
export function preciseNow(): number {
  return performance.timeOrigin + performance.now();
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** When the transaction of each of these events was committed, as {@link preciseNow} tells time. */
export async function committedAt(
  databaseUrl: string,
  company: string,
  events: readonly string[],
): Promise<Map<string, number>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string; at: number }>(
      `SELECT id, extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8 * 1000 AS at
       FROM events WHERE company_id = $1 AND id = ANY($2)`,
      [company, events],
    );
    return new Map(rows.map(({ id, at }) => [id, at]));
  } finally {
    await client.end();
  }
}

/** Milliseconds from the commit of each event to its arrival. */
export async function delaysOf(
  databaseUrl: string,
  company: string,
  arrivals: readonly { event: string; at: number }[],
): Promise<number[]> {
  const commits = await committedAt(databaseUrl, company, [...new Set(arrivals.map(({ event }) => event))]);
  return arrivals.flatMap(({ event, at }) => {
    const commit = commits.get(event);
    return commit === undefined ? [] : [at - commit];
  });
}

/** Waits a minute at most until so many have come. @param what they are, for the error */
export async function untilCame(count: () => number, wanted: number, what: string): Promise<void> {
  const end = performance.now() + 60_000;
  while (count() < wanted) {
    if (performance.now() > end) throw new Error(`${count()} of ${wanted} ${what} came.`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
