import fs from 'node:fs';
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { ownerPassword } from './page.ts';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';

/** Where `SCREENSHOTS=folder` puts what the tests saw. */
const screenshots = process.env['SCREENSHOTS'];

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 390, height: 844 };

/** Both widths in `npm run e2e`; `npm test`, which is to be quick, looks at one of them. */
export function widths(core: typeof wide): (typeof wide)[] {
  return process.env['E2E'] ? [wide, narrow] : [core];
}

interface Visitor {
  context: BrowserContext;
  page: Page;
  url: string;
  /** Console errors, exceptions and requests to other hosts. */
  faults: string[];
}

/** A browser for the tests of a file. Each visitor has cookies and storage of its own. */
export function useBrowser(): (url: string, viewport?: typeof wide, zone?: string) => Promise<Visitor> {
  let browser: Browser | undefined;
  const visitors: Visitor[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    const faults = visitors.splice(0).map(async ({ context, faults }) => {
      await context.close();
      return faults;
    });
    expect((await Promise.all(faults)).flat()).toEqual([]);
  });
  afterAll(() => browser?.close());
  return async (url, viewport = wide, timezoneId = 'Europe/Lisbon') => {
    if (!browser) throw new Error('The browser is not started yet.');
    const context = await browser.newContext({
      viewport,
      baseURL: url,
      locale: 'en-GB',
      timezoneId,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(15_000);
    const visitor: Visitor = { context, page, url, faults: [] };
    watch(visitor);
    visitors.push(visitor);
    return visitor;
  };
}

function watch({ page, context, url, faults }: Visitor): void {
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    // A refusal that the page tells its user is in the console all the same.
    const refusal = /Failed to load resource: the server responded with a status of 4\d\d/;
    if (message.type() === 'error' && !refusal.test(message.text()))
      faults.push(`console: ${message.text()}`);
  });
  context.on('request', (request) => {
    const target = request.url();
    if (/^(data|blob|about):/.test(target) || new URL(target).host === new URL(url).host) return;
    faults.push(`foreign request: ${target}`);
  });
}

/** Signs in as a person does, and waits for the page one wanted. */
export async function signIn({ page }: Visitor, email: string, path: string): Promise<void> {
  await page.goto(`/sign-in?return=${encodeURIComponent(path)}`);
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(ownerPassword);
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${path}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** What is on the screen has no accessibility violation, light or dark, and nothing runs over the right edge. */
export async function expectAccessible({ page }: Visitor, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.waitForFunction(
      (scheme) => document.documentElement.dataset['mantineColorScheme'] === scheme,
      colorScheme,
    );
    await settle(page);
    const width = page.viewportSize()?.width ?? 0;
    if (screenshots !== undefined) {
      fs.mkdirSync(screenshots, { recursive: true });
      await page.screenshot({
        path: path.join(screenshots, `${name}-${width}-${colorScheme}.png`),
        fullPage: true,
      });
    }
    const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`);
    expect(found, `${name}, ${width} px, ${colorScheme}`).toEqual([]);
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth),
      `${name} at ${width} px`,
    ).toBeLessThanOrEqual(width);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** Until nothing moves: colours that fade have no contrast yet. */
async function settle(page: Page): Promise<void> {
  await page.waitForFunction(() => document.getAnimations().every((one) => one.playState !== 'running'));
}
