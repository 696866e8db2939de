import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { addContact } from '../support/shop.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('work on contacts at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('tags and untags what is ticked, and finds it by the tag', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    for (const name of ['Ana', 'Bea', 'Caio']) await addContact(api, { name });
    await api.post('/tags', { name: 'vip', color: '#c2410c' });
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/contacts');
    await page.getByRole('checkbox', { name: 'Select Ana' }).check();
    await page.getByRole('checkbox', { name: 'Select Caio' }).check();
    await page.getByRole('region', { name: 'Selection' }).getByText('2 contacts selected').waitFor();
    await page.getByRole('button', { name: 'Add a tag' }).click();
    await page.getByRole('menuitem', { name: 'vip' }).waitFor();
    await expectAccessible(visitor, 'contacts-selected');
    await page.getByRole('menuitem', { name: 'vip' }).click();
    await page.getByText('2 of 2 contacts now have the tag vip.').waitFor();
    await page.getByRole('combobox', { name: 'Tag', exact: true }).selectOption({ label: 'vip' });
    await page.getByRole('link', { name: 'Bea' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Ana' }).click();
    await page.getByRole('button', { name: 'Take the tag vip off' }).click();
    await page.getByText('No tags').waitFor();
    await page.getByRole('tab', { name: 'Bookings' }).click();
    await page.getByRole('link', { name: 'New booking' }).click();
    await page.getByRole('dialog', { name: 'New booking' }).waitFor();
    await expect.poll(() => page.getByRole('combobox', { name: 'Contact' }).inputValue()).toBe('Ana');
    await page.goBack();
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.waitForURL('**?tab=notes');
    await page.getByText('No notes yet.').waitFor();
    await page.getByRole('tab', { name: 'Activity' }).click();
    await page.getByText('The tag vip was taken off.').waitFor();
    await page.getByText('The contact was made.').waitFor();
    await expectAccessible(visitor, 'contact-activity');
  });

  it('scenario 37: shows what a colleague changed meanwhile, and lets one choose', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const contact = await addContact(api, { name: 'Ana Sousa', email: 'ana@example.com' });
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, `/contacts/${contact}`);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit Ana Sousa' });
    await dialog.getByLabel('Name').fill('Ana Sousa Lima');
    await api.patch(`/contacts/${contact}`, { email: 'ana.sousa@example.com' });
    await dialog.getByText('changed the e-mail: it is “ana.sousa@example.com” now').waitFor();
    await expectAccessible(visitor, 'contact-conflict');
    await dialog.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByRole('heading', { name: 'Ana Sousa Lima', level: 1 }).waitFor();
    const { data } = (await api.get(`/contacts/${contact}`)).body;
    expect(data).toMatchObject({ name: 'Ana Sousa Lima', email: 'ana.sousa@example.com' });

    await page.getByRole('button', { name: 'Block…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('Ana Sousa Lima is blocked.').waitFor();
    await page.getByRole('button', { name: 'Unblock' }).click();
    await page.getByText('Ana Sousa Lima is no longer blocked.').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('dialog', { name: 'Delete Ana Sousa Lima in live mode?' }).waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No contacts yet').waitFor();
    expect((await api.get(`/contacts/${contact}`)).status).toBe(404);
    await page.goto(`/contacts/${contact}`);
    await page.getByRole('heading', { name: 'Not found' }).waitFor();
  });
});
