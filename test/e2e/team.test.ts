import { describe, expect, it } from 'vitest';
import { createAgent } from '../../server/account/agents.ts';
import { hasBrowser } from '../support/browser.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';
import { ownerPassword } from '../support/page.ts';
import { useServer } from '../support/server.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('the settings at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 2: edit roles and deactivate, with a question before what is serious', async () => {
    const company = await server().company('Casa');
    const email = `ines-${viewport.width}@example.com`;
    await createAgent(server().app, {
      company: company.id,
      email,
      name: 'Ines Ilha',
      password: ownerPassword,
    });
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/roles');
    await page.getByRole('button', { name: 'Edit the role Agent' }).waitFor();
    await expectAccessible(owner, 'roles');
    await page.getByRole('button', { name: 'New role' }).click();
    const dialog = page.getByRole('dialog', { name: 'New role' });
    await dialog.getByLabel('Name').fill('owner');
    await dialog.getByLabel('View contacts').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Another role has this name.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('name');
    await expectAccessible(owner, 'role-refused');
    await dialog.getByLabel('Name').fill('Reader');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit the role Reader' }).waitFor();

    await page.getByRole('link', { name: 'Team', exact: true }).click();
    await page.getByRole('button', { name: 'Actions for Ines Ilha' }).click();
    await page.getByRole('menuitem', { name: 'Name and role' }).waitFor();
    await expectAccessible(owner, 'agent-menu');
    await page.getByRole('menuitem', { name: 'Name and role' }).click();
    const edit = page.getByRole('dialog', { name: 'Ines Ilha' });
    await edit.getByLabel('Role').selectOption({ label: 'Reader' });
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('cell', { name: 'Reader' }).waitFor();
    const ines = await visit(server().url, viewport);
    await signIn(ines, email, '/orders');
    const alert = ines.page.getByRole('alert').filter({ hasText: 'This needs the scope commerce.view.' });
    await alert.getByText('decide what your role allows').waitFor();
    await expectAccessible(ines, 'orders-forbidden');
    await ines.page.goto('/contacts');
    await ines.page.getByText('No contacts yet').waitFor();
    await expect.poll(() => ines.page.locator('a[href^="/orders"]').count()).toBe(0);
    await page.getByRole('button', { name: 'Actions for Ines Ilha' }).click();
    await page.getByRole('menuitem', { name: 'Deactivate' }).click();
    await page.getByRole('dialog', { name: 'Deactivate Ines Ilha?' }).waitFor();
    await expectAccessible(owner, 'deactivate');
    await page.getByRole('button', { name: 'Deactivate', exact: true }).click();
    await page.getByText('(deactivated)').waitFor();
    await expectAccessible(owner, 'team-deactivated');
  });

  it('change the password, set up a second factor and end other sessions', async () => {
    const company = await server().company('Casa');
    const [owner, other] = [await visit(server().url, viewport), await visit(server().url, viewport)];
    await signIn(other, company.owner.email, '/settings/profile');
    await signIn(owner, company.owner.email, '/settings/profile');
    const { page } = owner;
    await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).waitFor();
    await expectAccessible(owner, 'profile');
    await page.getByRole('button', { name: 'Sign out Chrome on Linux' }).click();
    await page.getByText('That browser is signed out.').waitFor();
    await expectAccessible(owner, 'toast');
    await other.page.reload();
    await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();

    await page.getByRole('textbox', { name: 'Present password' }).fill('wrong horse battery');
    await page.getByRole('textbox', { name: 'New password' }).fill('another horse battery');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password is wrong.').waitFor();
    await page.getByRole('textbox', { name: 'Present password' }).fill(ownerPassword);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password is changed.').waitFor();

    await page.getByRole('button', { name: 'Set it up' }).click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).fill('another horse battery');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('img', { name: 'QR code of the key below' }).waitFor();
    await page.getByLabel('The code it shows').fill('000000');
    await page.getByRole('button', { name: 'Switch it on' }).click();
    await page.getByText('The code is wrong or too old.').waitFor();
    await expectAccessible(owner, 'two-factor');
  });
});
