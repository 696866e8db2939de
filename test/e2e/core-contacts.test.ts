import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { addContact } from '../support/shop.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('contacts', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 37: are made with a national number, found, and warn of a duplicate', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url, narrow);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/contacts');
    await page.getByText('No contacts yet').waitFor();
    await page.getByRole('button', { name: 'New contact' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'New contact' });
    await dialog.getByLabel('Name').fill('Ana Sousa');
    await dialog.getByLabel('Phone').fill('912 345 678');
    await dialog.getByRole('combobox', { name: 'Country' }).fill('Portug');
    await page.getByRole('listbox').getByRole('option', { name: 'Portugal' }).click();
    await expectAccessible(visitor, 'contact-new');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ana Sousa', level: 1 }).waitFor();
    await page.getByText('+351 912 345 678').waitFor();
    await expectAccessible(visitor, 'contact');

    await page.getByRole('link', { name: 'Contacts' }).last().click();
    await page.getByRole('button', { name: 'New contact' }).first().click();
    await dialog.getByLabel('Phone').fill('+351 912 345 678');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Another contact has this phone number.').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('phone');
    await dialog.getByRole('link', { name: 'Open that contact' }).click();
    await page.getByRole('heading', { name: 'Ana Sousa', level: 1 }).waitFor();
  });

  it('are filtered by the address and read page by page', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    for (let n = 1; n <= 52; n++)
      await addContact(api, {
        name: `Person ${String(n).padStart(2, '0')}`,
        ...(n % 5 === 0 ? { email: `p${n}@example.com`, country: 'PT' } : {}),
        subscribed: n % 2 === 0,
      });
    const visitor = await visit(server().url, wide);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/contacts?sort=name');
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    await link('Person 50').waitFor();
    await expect.poll(() => link('Person 51').count()).toBe(0);
    await page.getByRole('button', { name: 'Load more' }).click();
    await link('Person 52').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent?.slice(0, 20)))
      .toBe('Person 51');
    await page.getByRole('searchbox').fill('person 07');
    await page.waitForURL('**/contacts?sort=name&q=person*07');
    await link('Person 06').waitFor({ state: 'detached' });
    await link('Person 07').waitFor();
    await expectAccessible(visitor, 'contacts');
    await page.getByRole('combobox', { name: 'Marketing' }).selectOption({ label: 'Subscribed' });
    await page.getByText('Nothing fits these filters').waitFor();
    await page.reload();
    await page.getByText('Nothing fits these filters').waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('person 07');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await link('Person 01').waitFor();
    await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('');
  });
});
