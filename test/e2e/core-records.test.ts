import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { addContact, addProduct } from '../support/shop.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('lists of records', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('are read with the keyboard, in the columns and the density that one chose', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    for (const name of ['Ana', 'Bea', 'Caio'])
      await addContact(api, { name, country: 'PT', email: `${name.toLowerCase()}@example.com` });
    const visitor = await visit(server().url, wide);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/contacts?sort=name');
    await page.getByRole('link', { name: 'Caio' }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.querySelector('a')?.textContent ?? '');
    await page.getByRole('row', { name: /Ana/ }).focus();
    for (const [key, name] of [
      ['ArrowDown', 'Bea'],
      ['End', 'Caio'],
      ['ArrowDown', 'Caio'],
      ['Home', 'Ana'],
      ['ArrowUp', 'Ana'],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toBe(name);
    }
    await page.keyboard.press('Space');
    await page.getByText('1 contact selected').waitFor();
    await page.getByRole('button', { name: 'Select none' }).click();
    await page.getByRole('button', { name: 'View' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'E-mail' }).click();
    await page.getByRole('menuitemradio', { name: 'Compact' }).click();
    await expectAccessible(visitor, 'contacts-view');
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'E-mail' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('columnheader', { name: 'Country' }).waitFor();
    await expect.poll(() => page.getByRole('columnheader', { name: 'E-mail' }).count()).toBe(0);
    await expect.poll(() => page.locator('table[data-compact]').count()).toBe(1);
    await page.getByRole('row', { name: /Bea/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Bea', level: 1 }).waitFor();
  });

  it('hear of changes where they stand, and wait with what is new', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const ids: string[] = [];
    for (const [name, stock] of [
      ['Mug', 20],
      ['Bowl', 3],
      ['Plate', 0],
    ] as const)
      ids.push(await addProduct(api, { name, stock }));
    const visitor = await visit(server().url, narrow);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/products?stock=low');
    await page.getByRole('button', { name: 'Bowl', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Mug', exact: true }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Stock' }).selectOption({ label: 'Any stock' });
    await page.getByRole('checkbox', { name: 'Select Mug' }).check();
    await page.getByRole('checkbox', { name: 'Select Bowl' }).check();
    await page.getByRole('button', { name: 'Change the status' }).click();
    await page.getByRole('menuitem', { name: 'Archived' }).waitFor();
    await expectAccessible(visitor, 'products-selected');
    await page.getByRole('menuitem', { name: 'Archived' }).click();
    await page.getByText('2 of 2 products changed to Archived.').waitFor();
    const price = async () => {
      // Once more at every look: the page may not listen yet when the first change is made.
      const { price: now } = (await api.get(`/products/${ids[0]}`)).body.data;
      await api.patch(`/products/${ids[0]}`, { price: now + 100 });
      return page.getByRole('button', { name: /Price of Mug: US\$(?!18\.00)/ }).count();
    };
    await expect.poll(price, { interval: 2_000, timeout: 30_000 }).toBe(1);
    await addProduct(api, { name: 'Spoon' });
    await page.getByRole('button', { name: '1 new' }).click();
    await page.getByRole('button', { name: 'Spoon', exact: true }).waitFor();
  });
});
