import { describe, expect, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the frame of the dashboard', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it.each([wide, narrow])('shows one around, when asked for under Help, at $width px', async (viewport) => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/home');
    await page.getByRole('button', { name: 'Help', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Take the tour' }).waitFor();
    await expectAccessible(visitor, 'help');
    await page.getByRole('menuitem', { name: 'Take the tour' }).click();
    for (const [title, next] of [
      ['The list', 'Next'],
      ['The conversation', 'Next'],
      ['Find everything', 'Next'],
      ['Private notes', 'Next'],
      ['Without the mouse', 'Done'],
    ] as const) {
      const step = page.getByRole('dialog', { name: title });
      await step.waitFor();
      await step.getByRole('button', { name: next }).click();
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
  });

  it('keeps what one prefers, in every browser', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/settings/profile');
    const colours = page.getByLabel('Colours', { exact: true });
    const kept = () => page.waitForResponse((answer) => answer.url().includes('account.updateProfile'));
    const [answer] = await Promise.all([kept(), colours.selectOption('contrast')]);
    expect(answer.status()).toBe(200);
    await page.locator('html[data-contrast]').waitFor({ state: 'attached' });
    await expectAccessible(visitor, 'high-contrast');
    await Promise.all([kept(), page.getByLabel('A conversation counts as read').selectOption('manual')]);
    await page.getByRole('switch', { name: 'Keyboard shortcuts of single keys' }).focus();
    await Promise.all([kept(), page.keyboard.press('Space')]);

    const other = await visit(server().url);
    await signIn(other, company.owner.email, '/settings/profile');
    await other.page.locator('html[data-contrast]').waitFor({ state: 'attached' });
    await expect
      .poll(() => other.page.getByLabel('A conversation counts as read').inputValue())
      .toBe('manual');
    await other.page.getByRole('heading', { level: 1 }).focus();
    await other.page.keyboard.press('?');
    await other.page.getByRole('link', { name: 'Team', exact: true }).click();
    await other.page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
    await expect.poll(() => other.page.getByRole('dialog').count()).toBe(0);
  });

  it('scenario 4: says in which mode it is by bar, title and sign, and counts in the tab', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    const icon = () => page.locator('link[rel=icon]').getAttribute('href');
    await expect.poll(icon).toBe('/icon.svg');
    await simulateInbound(server().app, company.id, { from: '+351912345678', text: 'Hello' });
    await expect.poll(() => page.title()).toBe('(1) Inbox · Parlour');
    await expect.poll(icon).toContain('circle');
    await page.goto('/home?mode=test');
    const bar = page.getByText('Test mode. Nothing here reaches customers and webhooks are not sent.');
    await bar.waitFor();
    expect(await page.title()).toMatch(/^\[TEST\] /);
    await expect.poll(icon).toMatch(/icon-test|8a5a00/);
    await page.getByRole('button', { name: 'Switch to live' }).click();
    await bar.waitFor({ state: 'detached' });
    await expect.poll(() => page.title()).not.toContain('[TEST]');
  });

  it('leads past the navigation, to the parts of the inbox', async () => {
    const company = await server().company('Casa');
    await simulateInbound(server().app, company.id, { from: '+351912345678', text: 'Hello' });
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('option').first().click();
    await page.getByRole('log').waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('role') ?? '');
    for (const [name, role] of [
      ['To the conversation list', 'listbox'],
      ['To the timeline', 'log'],
    ] as const) {
      await page.getByRole('link', { name }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(focused).toBe(role);
    }
    await page.getByRole('link', { name: 'To the composer' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA');
  });

  it('tells of another build, and of a session that is about to end', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await page.clock.install();
    await signIn(visitor, company.owner.email, '/settings/profile');
    await page.route('**/version', (route) => route.fulfill({ json: { dashboard: '000000000000' } }));
    await page.clock.fastForward('10:01');
    await page.getByText('There is a new version.').waitFor();
    await page.getByRole('button', { name: 'Reload' }).waitFor();
    await page.unroute('**/version');
    // Whatever the page asks for when its clock jumps would be use of the session.
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/trpc/**', async (route) => {
      await held;
      await route.continue();
    });
    await page.clock.fastForward('11:59:00');
    const dialog = page.getByRole('dialog', { name: 'Your session ends in two minutes' });
    await dialog.waitFor();
    await expectAccessible(visitor, 'session-ends');
    await dialog.getByRole('button', { name: 'Stay signed in' }).click();
    release();
    const open = async () => {
      await page.clock.runFor(10_000);
      return dialog.count();
    };
    await expect.poll(open).toBe(0);
  });

  it('can be installed as an application', async () => {
    const answer = await fetch(`${server().url}/manifest.webmanifest`);
    expect(answer.headers.get('content-type')).toContain('application/manifest+json');
    const manifest = (await answer.json()) as { display: string; icons: { src: string; type: string }[] };
    expect(manifest.display).toBe('standalone');
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(server().url + src);
      expect(icon.status, src).toBe(200);
      expect(icon.headers.get('content-type')).toBe(type);
    }
  });
});
