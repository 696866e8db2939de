import pg from 'pg';

export const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 8,
  application_name: 'yardstick',
});

const names = new Map<string, string>();

/** Runs a statement that is prepared once a connection. */
export async function rowsOf<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<Row[]> {
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `y${names.size}`));
  const { rows } = await pool.query<Row>({ name, text, values });
  return rows;
}

/** Conditions of a list and the values they speak of. */
export class Where {
  readonly values: unknown[];
  readonly #conditions: string[];

  /** @param first condition on the company, whose id is `$1` */
  constructor(company: string, first: string) {
    this.values = [company];
    this.#conditions = [first];
  }

  /** @param condition with `?` where the value goes */
  add(condition: string, value?: unknown): void {
    if (condition.includes('?')) this.values.push(value);
    this.#conditions.push(condition.replace('?', `$${this.values.length}`));
  }

  /** @param columns of the order, such as `created_at, id`, newest first */
  after(columns: string, cursor: string | null): void {
    if (cursor === null) return;
    const [at, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [string, string];
    this.values.push(at, id);
    const { length } = this.values;
    this.#conditions.push(`(${columns}) < ($${length - 1}::timestamptz, $${length})`);
  }

  get text(): string {
    return this.#conditions.join(' AND ');
  }
}

/** A page of `limit` records, of which one more was read. */
export function page<Row, Public>(
  rows: Row[],
  limit: number,
  show: (row: Row) => Public,
  positionOf: (row: Row) => [Date, string],
) {
  const more = rows.length > limit;
  if (more) rows.length = limit;
  const last = rows.at(-1);
  const cursor = more && last ? Buffer.from(JSON.stringify(positionOf(last))).toString('base64url') : null;
  return { data: rows.map(show), meta: { next_cursor: cursor, has_more: more } };
}
