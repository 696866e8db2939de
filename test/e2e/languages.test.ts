import { describe, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { addContact, addProduct } from '../support/shop.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('from right to left at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('nothing of the inbox, an order and the calendar lies over something else', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const from = viewport.width === wide.width ? '+351912343001' : '+351912343002';
    for (const text of ['مرحبا، هل لديكم أكواب؟', 'Is it in stock?'])
      await simulateInbound(server().app, company.id, { from, text });
    const contact = await addContact(api, { name: 'Ana Sousa', phone: '+351912345678' });
    const product = await addProduct(api, { name: 'Stoneware mug', sku: 'MUG-1', price: 1850, stock: 4 });
    const order = await api.post('/orders', { contact, items: [{ product, quantity: 2 }] });
    const arab = await visit(server().url, viewport);
    const { page } = arab;
    const speak = (language: string) =>
      page.evaluate((value) => localStorage.setItem('parlour.language', value), language);
    await page.goto('/sign-in');
    await speak('ar');
    await page.reload();
    await page.locator('html[dir="rtl"]').waitFor();
    await page.locator('input[type="password"]').waitFor();
    await expectAccessible(arab, 'sign-in-ar');
    await speak('en');
    await signIn(arab, company.owner.email, '/home');
    await speak('ar');
    await page.goto('/inbox');
    await page.locator('html[dir="rtl"]').waitFor();
    await page.locator('[data-id]').first().waitFor();
    await expectAccessible(arab, 'inbox-ar');
    await page.locator('[data-id]').first().click();
    await page.getByRole('log').getByText('Is it in stock?').waitFor();
    await expectAccessible(arab, 'conversation-ar');
    await page.goto(`/orders/${order.body.data.id}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Stoneware mug').first().waitFor();
    await expectAccessible(arab, 'order-ar');
    await page.goto('/bookings');
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectAccessible(arab, 'bookings-ar');
  });
});
