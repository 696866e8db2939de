import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { addContact, addProduct } from '../support/shop.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('an order', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 40: is made for a contact and advanced by the steps that are allowed', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const contact = await addContact(api, { name: 'Ana Sousa', phone: '+351912345678' });
    await addProduct(api, { name: 'Stoneware mug', sku: 'MUG-1', price: 1850, stock: 4 });
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, `/orders/new?contact=${contact}`);
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Customer' }).inputValue())
      .toContain('Ana Sousa');
    await page.getByRole('combobox', { name: 'Add a product' }).fill('mug');
    await page.getByRole('option', { name: 'Stoneware mug' }).click();
    await page.getByLabel('Quantity').fill('5');
    await page.getByText('Subtotal US$92.50').waitFor();
    await page.getByLabel('Shipping (USD)').fill('4.9');
    await page.getByRole('button', { name: 'Make the order' }).click();
    await page.getByRole('textbox', { name: 'Quantity', description: /./ }).waitFor();
    await page.getByLabel('Quantity').fill('2');
    await expectAccessible(visitor, 'order-new');
    await page.getByRole('button', { name: 'Make the order' }).click();
    await page.getByRole('heading', { name: 'Order 1', level: 1 }).waitFor();
    await page.getByText('US$41.90', { exact: true }).waitFor();
    const steps = ['Confirm', 'Start processing', 'Ship', 'Mark as delivered', 'Complete'];
    for (const step of steps) {
      await page.getByRole('button', { name: `${step}…` }).click();
      await page.getByRole('dialog').getByRole('button', { name: step, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Take back…' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Other steps' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Mark as paid' }).click();
    await page.getByRole('button', { name: 'Mark as refunded' }).waitFor();
    await expectAccessible(visitor, 'order');
    const { data } = (await api.get('/orders')).body;
    const refused = await api.post(`/orders/${data[0].id}/advance`, { status: 'confirmed' });
    expect(refused.status).toBe(409);
    expect(data[0]).toMatchObject({ status: 'completed', payment_status: 'paid', total: 4190 });
  });
});
