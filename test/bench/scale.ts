import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import { createApp, type RunningApp } from '../../server/app.ts';
import { loadConfig } from '../../server/platform/config.ts';
import { createLog } from '../../server/platform/log.ts';
import { recordQueries } from '../support/queries.ts';
import type { BenchDatabase } from './database.ts';
import { median } from './figures.ts';
import { benchSecret } from './house.ts';
import { Rest } from './rest.ts';

/** What one list takes at one size. Milliseconds for a request, the middle of many. */
export interface ScaleFigure {
  list: string;
  conversations: number;
  first: number;
  /** The page that begins after 99 % of the rows; null where the list is not walked. */
  deep: number | null;
  /** Blocks of 8 kB that PostgreSQL reads for each, which no load of the machine changes. */
  blocks: { first: number; deep: number | null };
}

interface List {
  name: string;
  path: string;
  /** Table with as many rows as the list has records; without it the list is not walked to its end. */
  table?: string;
}

const lists: readonly List[] = [
  { name: 'contacts', path: '/contacts?', table: 'contacts' },
  { name: 'conversations', path: '/conversations?', table: 'conversations' },
  { name: 'conversations, open', path: '/conversations?status=open&archived=0&' },
  { name: 'conversations, unread', path: '/conversations?status=open&read=0&' },
  { name: 'messages', path: '/messages?' },
  { name: 'messages, inbound', path: '/messages?direction=inbound&' },
  { name: 'orders', path: '/orders?', table: 'orders' },
];

const asked = 200;
const longest = 100;

type Page = { data: unknown[]; meta: { next_cursor: string | null } };

/**
 * Asks the lists of a company of some size, one request after another, and keeps how PostgreSQL reads each.
 * @param plans folder for the plans
 */
export async function measureScale(
  database: BenchDatabase,
  conversations: number,
  plans: string,
): Promise<ScaleFigure[]> {
  mkdirSync(plans, { recursive: true });
  const config = loadConfig({
    DATA_DIR: database.folder,
    PORT: '0',
    DEMO: '0',
    SECRET: benchSecret,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MINUTE: '1000000',
  });
  const app = await createApp({ config, databaseUrl: database.url, log: createLog('error') });
  const { url } = await app.listen();
  const rest = new Rest(url, database.key, 1);
  const figures: ScaleFigure[] = [];
  try {
    for (const list of lists) {
      const first = await timeOf(rest, `${list.path}limit=25`);
      const cursor = list.table === undefined ? null : await cursorAt(rest, database, list);
      const deepPath = cursor === null ? null : `${list.path}limit=25&cursor=${cursor}`;
      const deep = deepPath === null ? null : await timeOf(rest, deepPath);
      const file = `${list.name.replaceAll(/\W+/g, '-')}-${conversations}`;
      const keep = async (part: string, asking: string) => {
        const text = await plansOf(app, () => rest.ask('GET', asking));
        writeFileSync(path.join(plans, `${file}-${part}.txt`), text);
        return blocksIn(text);
      };
      const blocks = {
        first: await keep('first', `${list.path}limit=25`),
        deep: deepPath === null ? null : await keep('deep', deepPath),
      };
      figures.push({ list: list.name, conversations, first, deep, blocks });
    }
  } finally {
    await rest.close();
    await app.close();
  }
  return figures;
}

async function timeOf(rest: Rest, path: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < asked * 2; n++) {
    const started = performance.now();
    await rest.ask('GET', path);
    times.push(performance.now() - started);
  }
  // The first half is for caches and compiled code.
  return median(times.slice(asked));
}

/** Follows the cursors until 99 % of the records are behind. */
async function cursorAt(rest: Rest, database: BenchDatabase, { path, table }: List): Promise<string | null> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE company_id = $1`,
    [database.company],
  );
  await client.end();
  const wanted = Math.floor((rows[0]?.n ?? 0) * 0.99);
  let cursor: string | null = null;
  for (let passed = 0; passed < wanted; passed += longest) {
    const page: Page = await rest.ask(
      'GET',
      `${path}limit=${longest}${cursor === null ? '' : `&cursor=${cursor}`}`,
    );
    if (page.meta.next_cursor === null) break;
    cursor = page.meta.next_cursor;
  }
  return cursor;
}

/** The plan of each statement that a request takes, run once more. */
async function plansOf(app: RunningApp, ask: () => Promise<unknown>): Promise<string> {
  const statements = await recordQueries(app, ask);
  const texts: string[] = [];
  for (const { text, values } of statements) {
    if (!/^\s*(SELECT|WITH)/i.test(text)) continue;
    const { rows } = await app.pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN (ANALYZE, BUFFERS) ${text}`,
      values as never,
    );
    texts.push(`${text.trim()}\n\n${rows.map((row) => row['QUERY PLAN']).join('\n')}\n`);
  }
  return texts.join('\n');
}

/** Blocks that were read for these plans: each one's first line tells the sum of all below it. */
function blocksIn(plans: string): number {
  const sums = plans.matchAll(/(?<!Planning:\n)^ {2}Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/gm);
  return [...sums].reduce((sum, [, hit = 0, read = 0]) => sum + Number(hit) + Number(read), 0);
}

/** How much dearer each list is at the largest size, and at its depth. */
export function growthOf(figures: readonly ScaleFigure[]) {
  return lists.map(({ name }) => {
    const ofList = figures.filter(({ list }) => list === name);
    const [smallest] = ofList;
    const largest = ofList.at(-1);
    const ratio = (of: number | null | undefined, to: number | null | undefined) =>
      of && to ? of / to : null;
    return {
      list: name,
      size: ratio(largest?.first, smallest?.first),
      depth: ratio(largest?.deep, largest?.first),
      blocks: {
        size: ratio(largest?.blocks.first, smallest?.blocks.first),
        depth: ratio(largest?.blocks.deep, largest?.blocks.first),
      },
    };
  });
}
