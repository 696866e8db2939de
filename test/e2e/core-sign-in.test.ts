import { describe, expect, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { hasBrowser } from '../support/browser.ts';
import { expectAccessible, useBrowser, wide, widths } from '../support/visitor.ts';
import { ownerPassword } from '../support/page.ts';
import { startServer, useServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('signing in', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it.each(widths(wide))(
    'scenario 4: leads back to where one wanted to go, at $width px',
    async (viewport) => {
      const company = await server().company('Casa');
      const visitor = await visit(server().url, viewport);
      const { page } = visitor;
      await page.goto('/settings/team?mode=test');
      await page.waitForURL('**/sign-in?return=*');
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await page.getByLabel('E-mail').fill(company.owner.email);
      await page.getByLabel('Password', { exact: true }).fill('wrong horse battery');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('alert').filter({ hasText: 'The e-mail or the password is wrong.' }).waitFor();
      await page.getByRole('link', { name: 'Help' }).waitFor();
      await expectAccessible(visitor, 'sign-in-refused');
      await page.getByLabel('Password', { exact: true }).fill(ownerPassword);
      await page.keyboard.press('Enter');
      await page.waitForURL('**/settings/team?mode=test');
      await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
      expect(await page.title()).toBe('[TEST] Team · Parlour');
      await page.getByText('Test mode. Nothing here reaches customers').waitFor();
      await expectAccessible(visitor, 'team-test-mode');
      await page.getByRole('button', { name: 'Switch to live' }).click();
      await page.waitForURL((url) => !url.search.includes('mode'));
      await expect.poll(() => page.title(), { timeout: 10_000 }).toBe('Team · Parlour');
      expect(await page.evaluate(() => document.cookie)).toBe('');
    },
  );

  it('scenario 3: again over the page, which keeps what was typed', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await page.goto('/sign-in?return=/settings/profile');
    await page.getByLabel('E-mail').fill(company.owner.email);
    await page.getByLabel('Password', { exact: true }).fill(ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Olga Ortega');
    // What the page asks for at its start would meet the end of the session before we do.
    await page.waitForLoadState('networkidle');
    await server().app.pool.query('DELETE FROM sessions');
    await page.getByRole('button', { name: 'Save' }).click();
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.waitFor();
    await expectAccessible(visitor, 'session-ended');
    await dialog.getByLabel('Password', { exact: true }).fill(ownerPassword);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Olga Ortega');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your profile is saved.').waitFor();
    await page.getByRole('button', { name: 'Account of Olga Ortega' }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).waitFor();
    await expectAccessible(visitor, 'account-menu');
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL('**/sign-in');
    await page.goto('/settings/profile');
    await page.waitForURL('**/sign-in?return=*');
  });

  it.each(widths(wide))(
    'scenario 1: asks for the owner on an empty installation, once, at $width px',
    async (viewport) => {
      const empty = await startServer({ SIGN_IN_ATTEMPTS: '1000' });
      try {
        const visitor = await visit(empty.url, viewport);
        const { page } = visitor;
        await page.goto('/');
        await page.getByRole('heading', { name: 'Welcome to Parlour' }).waitFor();
        await expectAccessible(visitor, 'set-up');
        await page.getByLabel('Company').fill('Acme');
        await page.getByLabel('Your name').fill('Olga Ortega');
        await page.getByLabel('E-mail').fill('olga@example.com');
        await page.getByLabel('Password', { exact: true }).fill(ownerPassword);
        await page.getByRole('button', { name: 'Create the owner account' }).click();
        await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
        const tour = page.getByRole('dialog', { name: 'The list' });
        await tour.waitFor();
        await expectAccessible(visitor, 'tour');
        await tour.getByRole('button', { name: 'Skip the tour' }).click();
        await tour.waitFor({ state: 'detached' });
        await expectAccessible(visitor, 'first-inbox');
        const { rows } = await empty.app.pool.query('SELECT id FROM companies WHERE sandbox_of IS NULL');
        const from = '+351912345678';
        await simulateInbound(empty.app, rows[0].id, { from, name: 'Ana Sousa', text: 'Is anybody there?' });
        await page.getByRole('option', { name: 'Ana Sousa' }).waitFor();
        await page.context().clearCookies();
        await page.goto('/set-up');
        await page.getByRole('heading', { name: 'Sign in' }).waitFor();
        await page.context().close();
      } finally {
        await empty.close();
      }
    },
  );
});
