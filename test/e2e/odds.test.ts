import { describe, expect, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('against the odds', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 32: eight tabs are all live, and closing some changes nothing for the others', async () => {
    const company = await server().company('Casa');
    const first = await visit(server().url);
    await signIn(first, company.owner.email, '/inbox');
    const tabs = [first.page];
    for (let n = 1; n < 8; n++) {
      const page = await first.context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto('/inbox');
      tabs.push(page);
    }
    const says = (text: string) =>
      simulateInbound(server().app, company.id, { from: '+351912345678', name: 'Ana', text });
    const shown = (text: string, pages: typeof tabs) =>
      Promise.all(pages.map((page) => page.getByRole('option', { name: new RegExp(text) }).waitFor()));
    await says('To all of you');
    await shown('To all of you', tabs);
    for (const page of tabs.splice(0, 3)) await page.close();
    await says('To those who stay');
    await shown('To those who stay', tabs);
  });

  it('scenario 33: a slow network shows that it works, and sends a form once', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/tags');
    await page.getByRole('button', { name: 'New tag' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New tag' });
    await dialog.getByLabel('Name').fill('vip');
    let sent = 0;
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/trpc/tags.create*', async (route) => {
      sent += 1;
      await held;
      await route.continue();
    });
    await dialog.getByLabel('Name').press('Enter');
    await dialog.getByLabel('Name').press('Enter');
    await dialog.locator('button[data-loading]').waitFor();
    release();
    await dialog.waitFor({ state: 'detached' });
    expect(sent).toBe(1);
    await page.unroute('**/trpc/tags.create*');
    const api = await company.client();
    const names = (await api.get('/tags')).body.data.map(({ name }: { name: string }) => name);
    expect(names.filter((name: string) => name === 'vip')).toEqual(['vip']);
  });

  it('scenario 33: at 200 kB/s and 400 ms nothing is drawn for a moment, then a skeleton for long enough', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/tags');
    await page.getByText('No tags yet').waitFor();
    const contacts = page.getByRole('link', { name: 'Contacts' });
    const code = page.waitForResponse(/contacts-page.*\.js/);
    await contacts.hover();
    await (await code).finished();
    await page.evaluate(watchSkeletons);
    const protocol = await visitor.context.newCDPSession(page);
    await protocol.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 400,
      downloadThroughput: 200_000,
      uploadThroughput: 200_000,
    });
    await contacts.click();
    await page.getByText('No contacts yet').waitFor({ timeout: 60_000 });
    // A slow machine draws each of them later, never sooner.
    const spells = await page.evaluate(() => window.skeletons ?? []);
    expect(spells.length).toBeGreaterThan(0);
    expect(spells[0]?.from).toBeGreaterThan(295);
    for (const { from, until } of spells) expect((until ?? Infinity) - from).toBeGreaterThan(450);

    await page.getByRole('link', { name: 'Tags' }).click();
    await page.getByRole('button', { name: 'New tag' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New tag' });
    const sent: string[] = [];
    page.on('request', (request) => request.url().includes('tags.create') && sent.push(request.url()));
    await dialog.getByLabel('Name').fill('slow');
    await dialog.getByLabel('Name').press('Enter');
    await dialog.getByLabel('Name').press('Enter');
    await dialog.waitFor({ state: 'detached', timeout: 60_000 });
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['ahead', 600_000],
    ['slow', -600_000],
  ])('scenario 34: a clock that is ten minutes %s says nothing absurd', async (_, difference) => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await page.clock.setSystemTime(Date.now() + difference);
    await signIn(visitor, company.owner.email, '/inbox');
    for (const [n, name] of ['First', 'Second'].entries())
      await simulateInbound(server().app, company.id, { from: `+35191234567${n}`, name, text: 'Hello' });
    await page.getByRole('option', { name: /Second/ }).waitFor();
    await expect.poll(() => page.getByRole('option').count()).toBe(2);
    const rows = await page
      .getByRole('option')
      .evaluateAll((all) =>
        all
          .toSorted(
            (a, b) => Number(a.getAttribute('aria-posinset')) - Number(b.getAttribute('aria-posinset')),
          )
          .map((row) => row.textContent ?? ''),
      );
    expect(rows[0]).toContain('Second');
    expect(rows.join(' ')).not.toMatch(/in \d+|-\d+ min|NaN|Invalid/);
  });
});

/** When skeletons were in sight, in milliseconds after the last click. */
interface Spell {
  from: number;
  until?: number;
}

declare global {
  interface Window {
    skeletons?: Spell[];
  }
}

/** Runs in the page. */
function watchSkeletons(): void {
  const spells: Spell[] = (window.skeletons = []);
  let clicked = performance.now();
  document.addEventListener('click', () => (clicked = performance.now()), { capture: true });
  new MutationObserver(() => {
    const seen = document.querySelector('main .mantine-Skeleton-root') !== null;
    const last = spells.at(-1);
    const now = performance.now() - clicked;
    if (seen && (!last || last.until !== undefined)) spells.push({ from: now });
    else if (!seen && last && last.until === undefined) last.until = now;
  }).observe(document.body, { childList: true, subtree: true });
}
