import fs from 'node:fs';
import type { CDPSession, Page } from 'playwright-core';
import { hasBrowser } from './browser.ts';
import { Page as DashboardPage } from './page.ts';
import type { TestCompany } from './server.ts';

/** `npm run budgets`: the figures of a loaded machine say little, so nothing else asks for them. */
export const budgetsAsked = hasBrowser && process.env['BUDGETS'] !== undefined;

interface Row {
  measure: string;
  /** Median of the runs. */
  value: number;
  limit: number;
  unit: string;
  met: boolean;
}

/** What was measured beside what it may be. Nothing fails here: a figure depends on the machine it was taken on. */
export class BudgetSheet {
  readonly #rows: Row[] = [];

  /** @param bound whether the limit is the highest or the lowest value that is well */
  add(
    measure: string,
    runs: readonly number[],
    limit: number,
    unit: string,
    bound: 'most' | 'least' = 'most',
  ): void {
    const value = Math.round(quantile(runs, 0.5) * 100) / 100;
    this.#rows.push({ measure, value, limit, unit, met: bound === 'most' ? value <= limit : value >= limit });
  }

  /** The table, to read; with `BUDGETS_FILE`, a line of JSON for each figure at the end of that file as well. */
  print(): void {
    const width = Math.max(...this.#rows.map(({ measure }) => measure.length));
    const lines = this.#rows.map(
      ({ measure, value, limit, unit, met }) =>
        `${met ? 'met ' : 'MISS'}  ${measure.padEnd(width)}  ${String(value).padStart(10)} of ${limit} ${unit}`,
    );
    process.stdout.write(`\n${lines.join('\n')}\n`);
    const file = process.env['BUDGETS_FILE'];
    if (file === undefined) return;
    fs.appendFileSync(file, this.#rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  }
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Three runs, one after the other. */
export async function thrice<T>(run: (n: number) => Promise<T>): Promise<T[]> {
  return [await run(0), await run(1), await run(2)];
}

interface Seen {
  /** When the largest thing was painted, in milliseconds from the start of the navigation. */
  lcp: number;
  /** Sum of the layout shifts that nobody asked for. */
  shift: number;
  /** The longest task since `forget`, in milliseconds. */
  longest: number;
  /** From key to paint, of those that took 16 ms or more. */
  keys: number[];
  frames: number;
}

/** What the browser itself observes, from the first moment of each page of a visitor. */
export async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: Seen = { lcp: 0, shift: 0, longest: 0, keys: [], frames: 0 };
    Object.assign(globalThis, { seen });
    const on = (type: string, each: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({
        type,
        buffered: true,
        durationThreshold: 16,
      } as PerformanceObserverInit);
    on('largest-contentful-paint', ({ startTime }) => {
      seen.lcp = startTime;
    });
    on('layout-shift', (entry) => {
      const { value, hadRecentInput } = entry as PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      };
      if (!hadRecentInput) seen.shift += value;
    });
    on('longtask', ({ duration }) => {
      seen.longest = Math.max(seen.longest, duration);
    });
    on('event', ({ name, duration }) => {
      if (name === 'keydown') seen.keys.push(duration);
    });
    const frame = () => {
      seen.frames += 1;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
}

/** What was observed up to now. */
export function seenBy(page: Page): Promise<Seen> {
  return page.evaluate(() => (globalThis as unknown as { seen: Seen }).seen);
}

/** Begins to count anew. */
export function forget(page: Page): Promise<void> {
  return page.evaluate(() => {
    const { seen } = globalThis as unknown as { seen: Seen };
    Object.assign(seen, { longest: 0, keys: [], frames: 0 });
  });
}

/** Milliseconds from key to paint; what the browser does not report took less than 16. */
export function keyTimes({ keys }: Seen, presses: number): number[] {
  return [...keys, ...Array.from({ length: Math.max(0, presses - keys.length) }, () => 8)];
}

/** Slows the processor of a page down, so many times; 1 is as it is. */
export async function throttle(page: Page): Promise<(rate: number) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  return async (rate) => void (await session.send('Emulation.setCPUThrottlingRate', { rate }));
}

/** Heap in use after a collection, in MB. */
export async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_000_000;
}

/** Follows a link of the page. @returns milliseconds until something that matches is painted so many times */
export function follow(page: Page, href: string, selector: string, count = 1): Promise<number> {
  return page.evaluate(
    async ({ href, selector, count }) => {
      const frame = () => new Promise(requestAnimationFrame);
      const link = document.querySelector<HTMLAnchorElement>(`nav a[href^="${href}"]`);
      const start = performance.now();
      link?.click();
      while (location.pathname !== href || document.querySelectorAll(selector).length < count) await frame();
      // This frame is painted when the next task runs.
      await new Promise((resolve) => setTimeout(resolve));
      return performance.now() - start;
    },
    { href, selector, count },
  );
}

/** Answers the first page of the list with all conversations there are. */
export async function listAtOnce(page: Page, url: string, { owner: { email } }: TestCompany): Promise<void> {
  const owner = new DashboardPage(url);
  await owner.signIn(email);
  const items: unknown[] = [];
  for (let cursor: string | null = null; ;) {
    const { body } = await owner.query('views.conversations', { limit: 100, ...(cursor ? { cursor } : {}) });
    items.push(...body.result.data.data);
    cursor = body.result.data.meta.next_cursor;
    if (cursor === null) break;
  }
  await page.route('**/trpc/*views.conversations*', async (route) => {
    const url = new URL(route.request().url());
    const inputs = JSON.parse(url.searchParams.get('input') ?? '{}') as Record<string, { limit?: number }>;
    const answer = await route.fetch();
    const json = await answer.json();
    const names = url.pathname.replace('/trpc/', '').split(',');
    for (const [n, name] of names.entries())
      if (name === 'views.conversations' && inputs[n]?.limit === 50) {
        const { data } = json[n].result;
        json[n].result.data = { ...data, data: items, meta: { ...data.meta, next_cursor: null } };
      }
    await route.fulfill({ response: answer, json });
  });
}
