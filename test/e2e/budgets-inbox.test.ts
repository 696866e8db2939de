import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import {
  BudgetSheet,
  budgetsAsked,
  listAtOnce,
  follow,
  forget,
  heapOf,
  keyTimes,
  observe,
  quantile,
  seenBy,
  thrice,
  throttle,
} from '../support/budgets.ts';
import { insertConversations, insertMessages } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { threadScene } from '../support/thread.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

const sheet = new BudgetSheet();
const option = '[role=option]';

describe.skipIf(!budgetsAsked)('the budgets of the inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  afterAll(() => sheet.print());

  const enter = async (email: string, path: string) => {
    const visitor = await visit(server().url);
    await observe(visitor.page);
    await signIn(visitor, email, path);
    return visitor;
  };

  it('scenario 10: of 10,000 conversations', async () => {
    const company = await server().company('Casa');
    const ids = await insertConversations(server().app, company.id, 10_000, (n) => ({
      last_message_at: new Date(Date.now() - (n + 1) * 1000),
    }));
    const { page } = await enter(company.owner.email, '/home');
    await listAtOnce(page, server().url, company);
    await follow(page, '/inbox', option, 5);
    expect(await page.locator(option).first().getAttribute('aria-setsize')).toBe('10000');
    const slow = await throttle(page);
    for (const [rate, limit] of [
      [1, 150],
      [4, 400],
    ] as const) {
      const runs = await thrice(async () => {
        await page.waitForLoadState('networkidle');
        await follow(page, '/home', 'h1');
        await slow(rate);
        const time = await follow(page, '/inbox', option, 5);
        await slow(1);
        return time;
      });
      sheet.add(`10,000 conversations, shown, processor 1/${rate}`, runs, limit, 'ms');
    }
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    sheet.add('10,000 conversations, elements', [elements], 1_500, '');

    await page.waitForLoadState('networkidle');
    for (const rate of [1, 4]) {
      await page.keyboard.press('j');
      await slow(rate);
      const runs = await thrice(async () => {
        await forget(page);
        for (let n = 0; n < 30; n++) {
          await page.keyboard.press('j');
          await wait(80);
        }
        return keyTimes(await seenBy(page), 30);
      });
      const p = (share: number) => runs.map((times) => quantile(times, share));
      sheet.add(`J to paint, p75, processor 1/${rate}`, p(0.75), rate === 1 ? 50 : 100, 'ms');
      if (rate === 1) sheet.add('J to paint, p98', p(0.98), 200, 'ms');
    }
    await slow(1);

    // All at once would be one change: fifty in a second are fifty moments.
    const { rows } = await server().app.pool.query<{ id: string }>(
      `UPDATE contacts SET phone = '+35191' || (1000000 + n), phone_key = '35191' || (1000000 + n)
       FROM (SELECT contact_id, row_number() OVER () AS n FROM conversations WHERE id = ANY($1)) AS those
       WHERE contacts.id = contact_id RETURNING contacts.id`,
      [ids.slice(0, 50)],
    );
    expect(rows.length).toBe(50);
    const bursts = await thrice(async () => {
      await forget(page);
      const start = performance.now();
      const sent: Promise<unknown>[] = [];
      for (let n = 0; n < 150; n++) {
        const from = `+35191${1_000_001 + (n % 50)}`;
        sent.push(simulateInbound(server().app, company.id, { from, text: `Burst ${n}` }));
        await wait(Math.max(0, start + (n + 1) * 20 - performance.now()));
      }
      const seconds = (performance.now() - start) / 1000;
      const seen = await seenBy(page);
      await Promise.all(sent);
      return { ...seen, fps: seen.frames / seconds };
    });
    sheet.add(
      'burst of 150 events, frames a second',
      bursts.map(({ fps }) => fps),
      50,
      '',
      'least',
    );
    sheet.add(
      'burst of 150 events, longest task',
      bursts.map(({ longest }) => longest),
      100,
      'ms',
    );
  });

  it('of writing and reading', async () => {
    const scene = await threadScene(server());
    const texts = Array.from({ length: 400 }, (_, n) => ({ text: `message ${n} ${'words '.repeat(n % 9)}` }));
    await insertMessages(server().app, scene.company.id, scene.id, texts);
    const { page } = await enter(scene.company.owner.email, `/inbox?open=${scene.id}`);
    const log = page.getByRole('log');
    await log.getByText('message 399').waitFor();
    await page.getByRole('textbox', { name: /^Reply to/ }).focus();
    const typed = await thrice(async () => {
      await page.evaluate(() => {
        const list = document.querySelector('#conversations');
        const counted = { changes: 0 };
        Object.assign(globalThis, { counted });
        if (list)
          new MutationObserver((found) => (counted.changes += found.length)).observe(list, {
            subtree: true,
            childList: true,
            attributes: true,
            characterData: true,
          });
      });
      await forget(page);
      await page.keyboard.type('What one writes to customers. ', { delay: 60 });
      const { changes } = await page.evaluate(
        () => (globalThis as unknown as { counted: { changes: number } }).counted,
      );
      return { times: keyTimes(await seenBy(page), 30), changes };
    });
    sheet.add(
      'typing, p75',
      typed.map(({ times }) => quantile(times, 0.75)),
      16,
      'ms',
    );
    sheet.add(
      'typing, changes in the list',
      typed.map(({ changes }) => changes),
      0,
      '',
    );

    const shifts = await thrice(async () => {
      const before = await log.getByRole('article').count();
      const top = () =>
        log.evaluate((element, known) => {
          const edge = element.getBoundingClientRect().top;
          const all = [...element.querySelectorAll('article')];
          const one = known === null ? all.find((a) => a.getBoundingClientRect().bottom > edge) : null;
          const found = known === null ? one : document.getElementById(known);
          return { id: found?.id ?? '', top: (found?.getBoundingClientRect().top ?? 0) - edge };
        }, id);
      let id: string | null = null;
      await log.evaluate((element) => element.scrollTo({ top: 300 }));
      // Rows are drawn where one scrolls to a moment later: before, the first below the edge is far below.
      await expect.poll(async () => (await top()).top).toBeLessThan(100);
      const first = await top();
      id = first.id;
      await expect.poll(() => log.getByRole('article').count()).toBeGreaterThan(before);
      return Math.abs((await top()).top - first.top);
    });
    sheet.add('older messages come, shift', shifts, 1, 'px');
  });

  it('of a long day', async () => {
    const company = await server().company('Casa');
    const ids = await insertConversations(server().app, company.id, 200);
    const { page, context } = await enter(company.owner.email, '/inbox');
    await page.locator(option).first().waitFor();
    const session = await context.newCDPSession(page);
    const heap: number[] = [];
    for (let n = 0; n < 200; n++) {
      const at = page.locator(option).nth(n % 8);
      await at.click();
      await page.getByRole('log').waitFor();
      await Promise.all(
        Array.from({ length: 25 }, (_, k) =>
          simulateInbound(server().app, company.id, { from: `+35191${2_000_000 + k}`, text: `Say ${n}` }),
        ),
      );
      if (n % 10 === 9) heap.push(await heapOf(session));
    }
    expect(ids.length).toBe(200);
    const third = Math.floor((heap.length * 2) / 3);
    const [from, to] = [heap[third] ?? Number.NaN, heap.at(-1) ?? Number.NaN];
    sheet.add('heap after 5,000 events and 200 conversations', [to], 150, 'MB');
    sheet.add('growth of the heap in the last third', [(to / from - 1) * 100], 10, '%');
  }, 1_800_000);
});
