import { afterAll, describe, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { seedCompany } from '../../server/seed/seed.ts';
import {
  BudgetSheet,
  budgetsAsked,
  follow,
  observe,
  quantile,
  seenBy,
  thrice,
  throttle,
} from '../support/budgets.ts';
import { application, firstLoad, readManifest } from '../support/bundle.ts';
import { insertConversations } from '../support/rows.ts';
import { startServer, useServer } from '../support/server.ts';
import { threadScene } from '../support/thread.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

const sheet = new BudgetSheet();
const option = '[role=option]';

describe.skipIf(!budgetsAsked)('the budgets', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  afterAll(() => sheet.print());

  const enter = async (email: string, path: string) => {
    const visitor = await visit(server().url);
    await observe(visitor.page);
    await signIn(visitor, email, path);
    return visitor;
  };

  it('of what is loaded', () => {
    const manifest = readManifest();
    const base = firstLoad(application, manifest);
    sheet.add('first load, JavaScript', [base.js / 1000], 250, 'kB');
    sheet.add('first load, style', [base.css / 1000], 30, 'kB');
    sheet.add('sign-in, JavaScript', [firstLoad(['sign-in.html'], manifest).js / 1000], 150, 'kB');
    const pages = Object.keys(manifest).filter((entry) => entry.endsWith('-page.tsx'));
    for (const [name, limit] of [
      ['bookings-page', 110],
      ['', 60],
    ] as const) {
      const own = pages.filter((entry) => entry.includes('bookings-page') === (name !== ''));
      const sizes = own.map((entry) => (firstLoad([...application, entry], manifest).js - base.js) / 1000);
      sheet.add(name === '' ? 'largest other page' : 'calendar', [Math.max(...sizes)], limit, 'kB');
    }
  });

  it('of the first page, cold', async () => {
    const company = await server().company('Casa');
    await insertConversations(server().app, company.id, 60);
    const signedIn = await enter(company.owner.email, '/inbox');
    const cookies = await signedIn.context.cookies();
    for (const [rate, limit] of [
      [1, 1_000],
      [4, 2_500],
    ] as const) {
      const runs = await thrice(async () => {
        const { page, context } = await visit(server().url);
        await context.addCookies(cookies);
        await observe(page);
        await (
          await throttle(page)
        )(rate);
        await page.goto('/inbox', { waitUntil: 'load' });
        await page.locator(option).first().waitFor();
        await page.waitForLoadState('networkidle');
        const seen = await seenBy(page);
        await context.close();
        return seen;
      });
      sheet.add(
        `largest paint, processor 1/${rate}`,
        runs.map(({ lcp }) => lcp),
        limit,
        'ms',
      );
      sheet.add(
        `layout shift, processor 1/${rate}`,
        runs.map(({ shift }) => shift),
        0.02,
        '',
      );
    }
  });

  it('of ways from page to page', async () => {
    const company = await server().company('Casa');
    const { page } = await enter(company.owner.email, '/inbox');
    const between = async () => [
      await follow(page, '/home', 'h1'),
      await follow(page, '/tags', 'h1'),
      await follow(page, '/inbox', '.inbox'),
    ];
    await between();
    const runs = await thrice(between);
    sheet.add('warm change of page', runs.flat(), 100, 'ms');
  });

  it('of what colleagues see', async () => {
    const scene = await threadScene(server());
    const { page } = await enter(scene.company.owner.email, '/inbox');
    await page.locator(option).first().waitFor();
    const runs = await thrice(async (run) => {
      const times: number[] = [];
      for (let n = 0; n < 10; n++) {
        const text = `Event ${run}-${n}`;
        const shown = page.evaluate(async (wanted) => {
          const shows = () => document.querySelector('#conversations')?.textContent?.includes(wanted);
          while (!shows()) await new Promise(requestAnimationFrame);
          return Date.now();
        }, text);
        const start = Date.now();
        await simulateInbound(server().app, scene.company.id, { from: '+351912345678', text });
        times.push((await shown) - start);
      }
      return quantile(times, 0.95);
    });
    sheet.add('event to screen, p95', runs, 250, 'ms');
  });

  it('of a server that was started anew', async () => {
    const first = await startServer({ SIGN_IN_ATTEMPTS: '1000' });
    const company = await first.company('Casa');
    const { port } = new URL(first.url);
    let { app } = first;
    const visitor = await visit(first.url);
    await signIn(visitor, company.owner.email, '/inbox');
    const runs: number[] = [];
    for (let n = 0; n < 3; n++) {
      await app.close();
      const next = await startServer({ PORT: port, SIGN_IN_ATTEMPTS: '1000' }, first.databaseUrl);
      ({ app } = next);
      const start = Date.now();
      await simulateInbound(app, company.id, { from: '+351912345678', text: `After ${n}` });
      await visitor.page.getByText(`After ${n}`).first().waitFor({ timeout: 40_000 });
      runs.push(Date.now() - start);
    }
    sheet.add('live again after a restart', runs, 3_000, 'ms');
    visitor.faults.length = 0;
    await visitor.context.close();
    await app.close();
  });

  it('of the calendar, and of looking for one of 100,000 contacts', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    for (let n = 0; n < 200; n++) {
      const starts_at = new Date(Date.UTC(2031, 2, 3 + Math.floor(n / 30), 8, (n % 30) * 20)).toISOString();
      await api.post('/bookings', { title: `Slot ${n}`, starts_at, duration_minutes: 20 });
    }
    const { page } = await enter(company.owner.email, '/bookings?day=2031-03-04&zone=UTC');
    await page.getByText('Slot 100').first().waitFor();
    const drawn = await thrice(async () => {
      await follow(page, '/home', 'h1');
      return page.evaluate(async () => {
        const start = performance.now();
        history.back();
        while ((document.body.textContent.match(/Slot \d+/g) ?? []).length < 200)
          await new Promise(requestAnimationFrame);
        await new Promise((resolve) => setTimeout(resolve));
        return performance.now() - start;
      });
    });
    sheet.add('calendar week of 200 bookings, shown', drawn, 400, 'ms');

    const some = { conversations: 0, messages: 0, products: 0, orders: 0 };
    await seedCompany(server().databaseUrl, {
      companyId: company.id,
      seed: 'budgets',
      contacts: 100_000,
      ...some,
    });
    await page.goto('/contacts');
    const field = page.getByRole('searchbox').first();
    await field.waitFor();
    const found: number[] = [];
    for (const text of ['silva', 'maria', '912']) {
      await page.evaluate(() => performance.clearResourceTimings());
      await field.fill('');
      const answered = page.waitForResponse((response) => {
        const url = decodeURIComponent(response.url());
        return url.includes('contacts.records') && url.includes(`"q":"${text}"`);
      });
      await field.pressSequentially(text, { delay: 50 });
      await (await answered).finished();
      const asked = await page.evaluate(() =>
        performance
          .getEntriesByType('resource')
          .filter(({ name }) => name.includes('contacts.records'))
          .map(({ duration }) => duration),
      );
      found.push(asked.at(-1) ?? Number.NaN);
    }
    sheet.add('search in 100,000 contacts, answer', found, 300, 'ms');
  });
});
