import { describe, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { ownerPassword } from '../support/page.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('passkeys', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('are added in the profile, sign in, and are removed', async () => {
    const company = await server().company('Casa');
    // Browsers bind them to names, not to addresses.
    const visitor = await visit(server().url.replace('127.0.0.1', 'localhost'));
    const { page, context } = visitor;
    const devtools = await context.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await signIn(visitor, company.owner.email, '/settings/profile');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' });
    await dialog.getByLabel('Name').fill('Laptop');
    await dialog.getByLabel('Password', { exact: true }).fill('wrong horse battery');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    await expectAccessible(visitor, 'passkey-dialog');
    await dialog.getByLabel('Password', { exact: true }).fill(ownerPassword);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The passkey is added.').waitFor();
    await page.getByRole('button', { name: 'Rename Laptop' }).click();
    const renaming = page.getByRole('dialog', { name: 'Rename the passkey' });
    await renaming.getByLabel('Name').fill('Old laptop');
    await renaming.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Old laptop').waitFor();
    await expectAccessible(visitor, 'passkeys');

    await context.clearCookies();
    await page.goto('/sign-in?return=/settings/profile');
    const button = page.getByRole('button', { name: 'Sign in with a passkey' });
    await button.waitFor();
    await expectAccessible(visitor, 'sign-in-passkey');
    await button.click();
    await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Remove Old laptop' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('You have none yet.').waitFor();

    await context.clearCookies();
    await page.goto('/sign-in');
    await button.click();
    await page.getByRole('alert').filter({ hasText: 'That passkey does not sign in here.' }).waitFor();
  });
});
