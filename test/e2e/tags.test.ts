import { describe, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('labels and saved answers at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('tags are made, renamed and deleted, but for those of the system', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/tags');
    await page.getByRole('button', { name: 'New tag' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('vip');
    await dialog.getByRole('radio', { name: 'Orange' }).check();
    await expectAccessible(visitor, 'tag-new');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit vip' }).waitFor();
    await page.getByRole('button', { name: 'New tag' }).first().click();
    await dialog.getByLabel('Name').fill('VIP');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Another tag has this name.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expectAccessible(visitor, 'tags');
    await page.getByRole('link', { name: '0', exact: true }).first().click();
    await page.waitForURL('**/contacts?tag=*');
    await page.goBack();
    await page.getByRole('button', { name: 'Edit vip' }).click();
    await dialog.getByLabel('Name').fill('regular');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Delete regular' }).click();
    await page.getByText('It is taken off 0 contacts and 0 conversations.').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Delete regular' }).waitFor({ state: 'detached' });
  });

  it('quick replies show how they will be read while they are written', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/quick-replies');
    await page.getByText('No quick replies yet').waitFor();
    await page.getByRole('button', { name: 'New quick reply' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Shortcut').fill('hello');
    await dialog.getByLabel('Text').fill('Hello ');
    await dialog.getByRole('button', { name: 'contact.first_name' }).click();
    await page.keyboard.type(', order {{order.total}} <b>is</b> ready.');
    await dialog.getByText('Hello Ana, order').waitFor();
    await dialog.getByText('<b>is</b> ready.').last().waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('There is no variable {{order.total}}').waitFor();
    await expectAccessible(visitor, 'quick-reply-refused');
    await dialog.getByLabel('Text').fill('Hello {{contact.first_name|there}}!');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit hello' }).waitFor();
    await expectAccessible(visitor, 'quick-replies');
    await page.getByRole('button', { name: 'Delete hello' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No quick replies yet').waitFor();
  });
});
