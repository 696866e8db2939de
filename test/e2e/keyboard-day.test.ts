import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { announcements, hearAnnouncements } from '../support/announcements.ts';
import { hasBrowser } from '../support/browser.ts';
import { ownerPassword } from '../support/page.ts';
import { useServer } from '../support/server.ts';
import { addProduct } from '../support/shop.ts';
import { receivedTexts } from '../support/simulator.ts';
import { articles, thread, threadScene } from '../support/thread.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

/** Goes on with Tab until something has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await wanted.first().waitFor();
  for (let presses = 0; presses < 150; presses++) {
    const there = await wanted.first().evaluate((element) => element === document.activeElement);
    if (there) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`The keyboard does not lead to ${wanted.toString()}.`);
}

async function press(page: Page, wanted: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, wanted);
  await page.keyboard.press(key);
}

const isFocused = (wanted: Locator) => wanted.evaluate((element) => element === document.activeElement);

describe.skipIf(!hasBrowser)('without eyes or a mouse', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 50: a day of an agent is done by the keyboard alone', async () => {
    const scene = await threadScene(server());
    const { company, api } = scene;
    await addProduct(api, { name: 'Stoneware mug', sku: 'MUG-1', price: 1850, stock: 4 });
    await api.post('/tags', { name: 'vip' });
    const visitor = await visit(server().url);
    const { page } = visitor;

    await page.goto('/sign-in?return=/inbox');
    await tabTo(page, page.getByLabel('E-mail'));
    await page.keyboard.type(company.owner.email);
    await tabTo(page, page.getByLabel('Password', { exact: true }));
    await page.keyboard.type(ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: /Ana Antunes/ }).waitFor();

    // Open, answer, note, tag.
    await page.keyboard.press('J');
    await page.locator('[role=option][data-active]').waitFor();
    await page.keyboard.press('Enter');
    await articles(page, 'Good morning!').waitFor();
    await expect.poll(() => isFocused(thread(page))).toBe(true);
    await page.keyboard.press('R');
    const reply = page.getByRole('textbox', { name: /^Reply to/ });
    await expect.poll(() => isFocused(reply)).toBe(true);
    await page.keyboard.type('Good morning, Ana.');
    await page.keyboard.press('Control+Enter');
    await articles(page, 'Good morning, Ana.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('N');
    const note = page.getByRole('textbox', { name: 'Private note' });
    await expect.poll(() => isFocused(note)).toBe(true);
    await page.keyboard.type('She comes on Tuesday.');
    await page.keyboard.press('Control+Enter');
    await articles(page, 'She comes on Tuesday.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('T');
    await page.getByRole('dialog', { name: 'Tag' }).getByRole('option', { name: 'vip' }).waitFor();
    await page.keyboard.type('vip');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await api.get(`/conversations/${scene.id}`)).body.data.tags.length)
      .toBe(1);
    await page.getByRole('dialog', { name: 'Tag' }).waitFor({ state: 'detached' });

    // An order.
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await press(page, page.getByRole('link', { name: 'New order' }));
    await tabTo(page, page.getByRole('combobox', { name: 'Customer' }));
    await page.keyboard.type('Ana');
    await page.getByRole('option', { name: /Ana Antunes/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await tabTo(page, page.getByRole('combobox', { name: 'Add a product' }));
    await page.keyboard.type('mug');
    await page.getByRole('option', { name: /Stoneware mug/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByLabel('Quantity').waitFor();
    await press(page, page.getByRole('button', { name: 'Make the order' }));
    await page.getByRole('heading', { name: 'Order 1', level: 1 }).waitFor();
    await press(page, page.getByRole('button', { name: 'Confirm…' }));
    await press(page, page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }));
    await page.getByRole('button', { name: 'Start processing…' }).waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // A booking.
    await page.keyboard.press('g');
    await page.keyboard.press('b');
    await press(page, page.getByRole('button', { name: 'New booking' }));
    const dialog = page.getByRole('dialog', { name: 'New booking' });
    await tabTo(page, dialog.getByLabel('Title'));
    await page.keyboard.type('Fitting');
    await press(page, dialog.getByRole('button', { name: 'Save' }));
    await page
      .getByRole('button', { name: /^Fitting.*Confirmed/ })
      .first()
      .waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });

    // And it is closed.
    await page.keyboard.press('g');
    await page.keyboard.press('i');
    await page.getByRole('option', { name: /Ana Antunes/ }).waitFor();
    await page.keyboard.press('J');
    await page.locator('[role=option][data-active]').waitFor();
    await page.keyboard.press('E');
    await expect
      .poll(async () => (await api.get(`/conversations/${scene.id}`)).body.data.status)
      .toBe('closed');
    await expect.poll(() => receivedTexts(server().app, company.id)).toEqual(['Good morning, Ana.']);
    expect((await api.get('/orders')).body.data[0].status).toBe('confirmed');
    expect((await api.get('/bookings')).body.data).toHaveLength(1);
    await expectAccessible(visitor, 'keyboard-day');
  });

  it('scenario 51: a burst of 20 messages is told in at most 7 announcements', async () => {
    const scene = await threadScene(server());
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, scene.company.owner.email, `/inbox?open=${scene.id}`);
    await articles(page, 'Good morning!').waitFor();
    await page.waitForLoadState('networkidle');
    await hearAnnouncements(page);
    const texts = Array.from({ length: 20 }, (_, n) => `Message ${n + 1}.`);
    await scene.writes(...texts);
    for (const text of texts) await articles(page, text).waitFor();
    await expect
      .poll(async () => (await announcements(page)).join(' '))
      .toMatch(/new messages? from Ana Antunes/);
    const said = await announcements(page);
    expect(said[0]).toContain('Ana Antunes');
    expect(said.length, said.join('\n')).toBeLessThanOrEqual(7);
  });
});
