import { describe, it } from 'vitest';
import { ensureDemo } from '../../server/demo/demo.ts';
import { hasBrowser } from '../support/browser.ts';
import { expectAccessible, narrow, useBrowser, wide } from '../support/visitor.ts';
import { useServer } from '../support/server.ts';

describe.skipIf(!hasBrowser)('the demo', () => {
  const server = useServer({ DEMO: '1', DEMO_TRAFFIC: '0' });
  const visit = useBrowser();

  it.each([wide, narrow])('offers its logins on the sign-in page, at $width px', async (viewport) => {
    await ensureDemo(server().app);
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await page.goto('/');
    await page.getByText('This is a demo. Come in as').waitFor();
    await expectAccessible(visitor, 'sign-in-demo');
    await page.getByRole('button', { name: 'Lídia Farol' }).click();
    await page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await page.getByRole('option').first().waitFor();
    await expectAccessible(visitor, 'demo-inbox');
    await page.goto('/settings/team');
    await page.getByRole('button', { name: 'Actions for Noa Brasa' }).waitFor();
    await expectAccessible(visitor, 'demo-team');
    await page.goto('/settings/keys');
    await page.getByRole('button', { name: 'Revoke Demo (live)' }).waitFor();
    await expectAccessible(visitor, 'demo-keys');
    await page.goto('/nowhere');
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
    await expectAccessible(visitor, 'not-found');
  });

  it('lets one ask for a new password without telling who has an account', async () => {
    const visitor = await visit(server().url, narrow);
    const { page } = visitor;
    await page.goto('/recovery');
    await page.getByText('This installation sends no mail.').waitFor();
    await expectAccessible(visitor, 'recovery');
    await page.getByLabel('E-mail').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('status').filter({ hasText: 'Look into your mail' }).waitFor();
    await expectAccessible(visitor, 'recovery-requested');
    await page.goto('/recovery#not-a-token');
    await page.getByLabel('New password').first().fill('another horse battery');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByRole('alert').filter({ hasText: 'was used or is too old' }).waitFor();
    await expectAccessible(visitor, 'recovery-refused');
  });
});
