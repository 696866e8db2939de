import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { addContact, addProduct } from '../support/shop.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('the shop at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 39: has products that are made, and changed where they stand', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/products');
    await page.getByRole('button', { name: 'New product' }).first().click();
    const drawer = page.getByRole('dialog', { name: 'New product' });
    await drawer.getByLabel('Name').fill('Stoneware mug');
    await drawer.getByLabel('Price (USD)').fill('18,505');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('price');
    await expectAccessible(visitor, 'product-new');
    await drawer.getByLabel('Price (USD)').fill('18,50');
    await drawer.getByLabel('On hand').fill('5');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Price of Stoneware mug: US$18.50' }).click();
    await page.getByRole('textbox', { name: 'Price of Stoneware mug' }).fill('x');
    await page.keyboard.press('Enter');
    const field = page.getByRole('textbox', { name: 'Price of Stoneware mug', description: /./ });
    await field.waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Price of Stoneware mug: US$18.50' }).waitFor();
    const [{ id }] = (await api.get('/products')).body.data;
    await page.getByRole('button', { name: 'Stock of Stoneware mug: 5' }).click();
    await page.getByRole('textbox', { name: 'Stock of Stoneware mug' }).fill('8');
    await api.patch(`/products/${id}`, { stock_adjustment: -2 });
    await page.keyboard.press('Enter');
    await page.getByText('6 are on hand, for the stock moved meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Stock of Stoneware mug: 6' }).waitFor();
    await expectAccessible(visitor, 'products');
    await page.getByRole('button', { name: 'Stoneware mug', exact: true }).click();
    await page.waitForURL(`**/products?open=${id}`);
    await page.getByRole('dialog', { name: 'Product' }).getByLabel('SKU').waitFor();
    await expectAccessible(visitor, 'product');
  });

  it('scenario 40: has orders that one finds by status, customer and day', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const product = await addProduct(api, { name: 'Stoneware mug' });
    for (const name of ['Ana Sousa', 'Bea Lima']) {
      const contact = await addContact(api, { name });
      await api.post('/orders', { contact, items: [{ product, quantity: 2 }] });
    }
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/orders?from=2020-01-01');
    await page.getByRole('link', { name: 'Order 2' }).waitFor();
    await expectAccessible(visitor, 'orders');
    await page.getByRole('combobox', { name: 'Status', exact: true }).selectOption({ label: 'Completed' });
    await page.getByText('Nothing fits these filters').waitFor();
    await page.getByRole('button', { name: 'CSV' }).click();
    const exporting = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export what is shown' }).click();
    const exported = fs.readFileSync(await (await exporting).path(), 'utf8').trim();
    expect(exported.split(/\r?\n/)).toHaveLength(1);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('searchbox').fill('bea');
    await page.getByRole('link', { name: 'Order 1' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Order 2' }).click();
    await page.getByRole('button', { name: 'Other steps' }).click();
    await page.getByRole('menuitem', { name: 'Cancel the order' }).click();
    await page.getByRole('dialog').getByLabel('Why').selectOption({ label: 'Inventory' });
    await expectAccessible(visitor, 'order-cancel');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click();
    await page.getByText('Order 2 is cancelled.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Confirm' }).count()).toBe(0);
  });
});
