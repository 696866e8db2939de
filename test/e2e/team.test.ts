import { describe, expect, it } from 'vitest';
import { createAgent } from '../../server/account/agents.ts';
import { hasBrowser } from '../support/browser.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';
import { Client } from '../support/client.ts';
import { ownerPassword } from '../support/page.ts';
import { useServer } from '../support/server.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('the settings at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 2: invite somebody by a link, who signs in and sees what their role allows', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url, viewport);
    await signIn(owner, company.owner.email, '/settings/team');
    await owner.page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = owner.page.getByRole('dialog', { name: 'Invite somebody' });
    const email = `bob-${viewport.width}@example.com`;
    await dialog.getByLabel('E-mail').fill(email);
    await expectAccessible(owner, 'invite');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    const link = await dialog.getByLabel('Link').inputValue();
    await expectAccessible(owner, 'invited');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await owner.page.getByRole('button', { name: `Withdraw the invitation of ${email}` }).waitFor();
    await expectAccessible(owner, 'team');
    expect(await owner.page.content()).not.toContain(link);

    const bob = await visit(server().url, viewport);
    await bob.page.goto(link);
    await bob.page.getByText('as Agent').waitFor();
    expect(bob.page.url()).not.toContain('#');
    await expectAccessible(bob, 'invitation');
    await bob.page.getByLabel('Your name').fill('Bob Brito');
    await bob.page.getByLabel('Password', { exact: true }).fill(ownerPassword);
    await bob.page.getByRole('button', { name: 'Join' }).click();
    await bob.page.getByRole('heading', { name: 'Inbox', level: 1 }).waitFor();
    await bob.page.goto('/settings/profile');
    const tabs = bob.page.getByRole('navigation', { name: 'Settings' });
    await tabs.getByRole('link', { name: 'Profile' }).waitFor();
    await expect.poll(() => tabs.getByRole('link').allInnerTexts()).toEqual(['Profile', 'Events']);
    await bob.page.goto('/settings/keys');
    await bob.page.getByRole('alert').filter({ hasText: 'Only the Owner may do that.' }).waitFor();
    await expectAccessible(bob, 'keys-forbidden');
    await bob.page.goto(link);
    await bob.page.getByRole('alert').filter({ hasText: 'was used' }).waitFor();
    await expectAccessible(bob, 'invitation-used');
  });

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

  it('scenario 43: show a new API key once, which works until it is revoked', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/keys');
    await page.getByText('No keys yet').waitFor();
    await expectAccessible(owner, 'keys-empty');
    await page.getByRole('button', { name: 'New key' }).click();
    const dialog = page.getByRole('dialog', { name: 'New API key' });
    await dialog.getByLabel('Name').fill('Shop');
    await page.keyboard.press('Enter');
    await dialog.getByLabel('Live', { exact: true }).check();
    await dialog.getByLabel('Acts as').waitFor();
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByRole('group', { name: 'View' }).getByLabel('View contacts').waitFor();
    await expectAccessible(owner, 'new-key');
    await dialog.getByRole('button', { name: 'Next' }).click();
    await dialog.getByLabel('Expires', { exact: true }).selectOption('');
    await dialog.getByText('A key that never expires').waitFor();
    await dialog.getByLabel('Expires', { exact: true }).selectOption('30');
    await dialog.getByRole('button', { name: 'Make the key' }).click();
    const shown = page.getByRole('dialog', { name: 'Your new key' });
    const key = await shown.getByLabel('Key', { exact: true }).inputValue();
    expect(key).toMatch(/^svc_live_/);
    await expectAccessible(owner, 'key-shown');
    await owner.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await shown.getByRole('button', { name: 'Copy' }).first().click();
    await shown.getByText('Copied.').first().waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(key);
    await page.keyboard.press('Escape');
    await expect.poll(() => shown.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true);
    await shown.getByLabel('I stored it').check();
    await shown.getByRole('button', { name: 'Done' }).click();
    await shown.waitFor({ state: 'detached' });
    const client = new Client(server().url, key);
    expect((await client.get('/contacts')).status).toBe(200);
    expect((await client.post('/contacts', { name: 'no' })).status).toBe(403);
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect((await page.content()) + kept + page.url()).not.toContain(key);

    await page.getByRole('button', { name: 'Revoke Shop' }).click();
    const question = page.getByRole('dialog', { name: 'Revoke Shop?' });
    await expect.poll(() => question.getByRole('button', { name: 'Revoke' }).isDisabled()).toBe(true);
    await question.getByLabel('Type Shop to go on').fill('Shop');
    await question.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('cell', { name: 'revoked' }).waitFor();
    await expectAccessible(owner, 'keys');
    expect((await client.get('/contacts')).status).toBe(401);
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
