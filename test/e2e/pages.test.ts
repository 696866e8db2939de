import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { ensureDemo } from '../../server/demo/demo.ts';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

/** The narrowest screen that pages are made for. */
const least = { width: 320, height: 700 };
/** A window of 1280 by 1400 pixels at 200 %. */
const zoomed = { width: 640, height: 700 };

/** What WCAG 1.4.12 says that readers may set. */
const spacing =
  '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }';

/** Somebody else's page is in them: the tests of developers look at those. */
const foreign = new Set(['/developers/rest', '/developers/graphql']);

/** All places of the navigation, of the settings and for developers, as the Owner sees them. */
async function pathsOf(page: Page): Promise<string[]> {
  const links = async (name: string) =>
    page
      .locator(`nav[aria-label="${name}"] a[href^="/"]:not([target])`)
      .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
  const main = await links('Main');
  const inside = async (path: string, name: string) => {
    await page.goto(path);
    await page.locator(`nav[aria-label="${name}"] a`).first().waitFor();
    return links(name);
  };
  const settings = await inside('/settings/profile', 'Settings');
  const developers = await inside('/developers', 'Developers');
  const all = new Set([...main, ...settings, ...developers]);
  return [...all].filter((path) => path !== '/settings' && !foreign.has(path));
}

async function opened(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
}

/** What runs over the right edge, by its element; empty when nothing does. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return '';
    const over = [...document.querySelectorAll('body *')].filter(
      (one) => one.getBoundingClientRect().right > clientWidth + 1,
    );
    return `${scrollWidth} px: ${over.at(-1)?.outerHTML.slice(0, 160)}`;
  });

/** Whether what has the focus can be seen, whatever sticks to the edges. */
const focusIsSeen = (page: Page) =>
  page.evaluate(() => {
    const focused = document.activeElement;
    if (!focused || focused === document.body) return true;
    const { left, top, width, height } = focused.getBoundingClientRect();
    // What is larger than the screen, or has no size of its own, is looked at by its ring.
    if (width === 0 || height > innerHeight / 2) return true;
    const points = [0.1, 0.5, 0.9].map((part) =>
      document.elementFromPoint(left + width * part, top + height / 2),
    );
    const near = (at: Element | null) =>
      at !== null &&
      (focused.contains(at) || at.contains(focused) || focused.parentElement?.contains(at) === true);
    return points.some(near);
  });

/** Pages that ask the server for nothing of their own, so that nothing of it can fail. */
const plain = new Set(['/developers', '/developers/errors', '/settings/profile', '/settings/events']);

/** What opens a dialog on a page. */
const dialogs = [
  ['/contacts', 'New contact'],
  ['/products', 'New product'],
  ['/bookings', 'New booking'],
  ['/quick-replies', 'New quick reply'],
  ['/tags', 'New tag'],
  ['/settings/channels', 'New channel'],
  ['/settings/team', 'Invite'],
  ['/settings/roles', 'New role'],
  ['/settings/keys', 'New key'],
  ['/settings/webhooks', 'New endpoint'],
] as const;

/** There are many pages, and a busy machine takes its time for each. */
const patience = { timeout: 1_800_000 };

describe.skipIf(!hasBrowser)('every page', patience, () => {
  const server = useServer({ DEMO: '1', DEMO_TRAFFIC: '0', SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const enter = async (viewport: typeof wide) => {
    await ensureDemo(server().app);
    const visitor = await visit(server().url, viewport);
    // Much is loaded for the first time, and the machine may be busy.
    visitor.page.setDefaultTimeout(60_000);
    await visitor.page.goto('/');
    await visitor.page.getByRole('button', { name: 'Lídia Farol' }).click();
    await visitor.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    return visitor;
  };

  it('scenario 52: fits 320 px in both schemes, with wide letters, and at 200 %', async () => {
    const visitor = await enter(wide);
    const { page } = visitor;
    const paths = await pathsOf(page);
    expect(paths.length).toBeGreaterThan(15);
    const wider: string[] = [];
    const note = (where: string, what: string) => what !== '' && wider.push(`${where}, ${what}`);
    for (const path of paths) {
      await page.setViewportSize(least);
      await opened(page, path);
      await expectAccessible(visitor, `small${path.replaceAll('/', '-')}`);
      await page.evaluate((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
      }, spacing);
      note(`${path} with wide letters`, await tooWide(page));
      await page.setViewportSize(zoomed);
      note(`${path} at 200 %`, await tooWide(page));
    }
    expect(wider).toEqual([]);
  });

  it('scenario 52: can be read in the colours of the system', async () => {
    const visitor = await enter(wide);
    const { page } = visitor;
    await page.emulateMedia({ forcedColors: 'active' });
    for (const path of await pathsOf(page)) {
      await opened(page, path);
      await expectAccessible(visitor, `forced${path.replaceAll('/', '-')}`);
    }
    // What is chosen can be told from what is not, without a colour of our own.
    await opened(page, '/inbox');
    await page.getByRole('option', { name: /Matilde Jarnberg/ }).click();
    await page.getByRole('article').first().waitFor();
    const look = (name: string) =>
      page
        .locator('label')
        .filter({ hasText: name })
        .evaluate((label) => getComputedStyle(label).backgroundColor);
    expect(await look('Private note')).not.toBe(await look('Reply'));
    await expectAccessible(visitor, 'forced-conversation');
  });

  it('scenario 52: moves nothing where less motion is asked for', async () => {
    const { page } = await enter(wide);
    const paths = await pathsOf(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.addInitScript(() => {
      const moved = new Set<string>();
      Object.assign(globalThis, { moved });
      const frame = () => {
        for (const { effect } of document.getAnimations()) {
          const { duration, iterations } = effect?.getComputedTiming() ?? {};
          if (typeof duration !== 'number' || (duration <= 1 && iterations === 1)) continue;
          const target = effect instanceof KeyframeEffect ? effect.target?.outerHTML.slice(0, 120) : '';
          moved.add(`${duration} ms × ${iterations}: ${target}`);
        }
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
    const movedOn = () => page.evaluate(() => [...(globalThis as unknown as { moved: Set<string> }).moved]);
    for (const path of paths) {
      await opened(page, path);
      expect(await movedOn(), path).toEqual([]);
    }
    for (const [path, name] of dialogs) {
      await opened(page, path);
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').first().waitFor({ state: 'hidden' });
      expect(await movedOn(), `${path}: ${name}`).toEqual([]);
    }
  });

  it('says that there is nothing yet', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    page.setDefaultTimeout(60_000);
    await signIn(visitor, company.owner.email, '/home');
    for (const path of await pathsOf(page)) {
      await opened(page, path);
      await expectAccessible(visitor, `empty${path.replaceAll('/', '-')}`);
    }
  });

  it('says what went wrong', async () => {
    const visitor = await enter(wide);
    const { page } = visitor;
    const paths = await pathsOf(page);
    const error = { type: 'conflict', code: 'conflict', message: 'It did not work.', param: null };
    await page.route('**/trpc/**', (route) =>
      route.request().url().includes('account.profile')
        ? route.continue()
        : route.fulfill({
            status: 409,
            json: { error: { ...error, request_id: '01JQZ7K3M9V5T2XH8C4D000000' } },
          }),
    );
    const silent: string[] = [];
    for (const path of paths) {
      await opened(page, path);
      const alert = page.getByRole('alert').filter({ hasText: 'It did not work.' }).first();
      if (plain.has(path)) continue;
      await alert.waitFor({ timeout: 15_000 }).catch(() => silent.push(path));
      await expectAccessible(visitor, `failed${path.replaceAll('/', '-')}`);
    }
    expect(silent).toEqual([]);
  });

  it('can be read with a dialog open', async () => {
    const visitor = await enter(wide);
    const { page } = visitor;
    for (const [path, name] of dialogs) {
      await opened(page, path);
      await page.getByRole('button', { name, exact: true }).first().click();
      await page.getByRole('dialog').first().waitFor();
      await expectAccessible(visitor, `dialog${path.replaceAll('/', '-')}`);
    }
  });

  it('shows what has the focus', async () => {
    const { page } = await enter(wide);
    for (const path of await pathsOf(page)) {
      await opened(page, path);
      for (let n = 0; n < 40; n++) {
        await page.keyboard.press('Tab');
        const name = await page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120));
        expect(await focusIsSeen(page), `${path}: ${name}`).toBe(true);
      }
    }
  });

  it.skipIf(process.env['SCREENSHOTS'] === undefined).each([wide, narrow])(
    'is kept as a picture, at $width px',
    async (viewport) => {
      const visitor = await enter(wide);
      const { page } = visitor;
      const paths = await pathsOf(page);
      await page.setViewportSize(viewport);
      for (const path of paths) {
        await opened(page, path);
        await expectAccessible(visitor, path.slice(1).replaceAll('/', '-'));
      }
      // What agents look at all day.
      await opened(page, '/inbox');
      await page.getByRole('option', { name: /Matilde Jarnberg/ }).click();
      await page.getByRole('article').first().waitFor();
      await expectAccessible(visitor, 'conversation');
    },
  );
});
