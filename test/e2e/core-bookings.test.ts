import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { addContact } from '../support/shop.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('bookings', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 41: are made by the keyboard alone, and a taken time gives way to the next free one', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    await addContact(api, { name: 'Ana Sousa' });
    const slot = { starts_at: '2031-03-04T10:00:00Z', duration_minutes: 45 };
    await api.post('/bookings', { title: 'Fitting', ...slot });
    const visitor = await visit(server().url, wide);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/bookings?day=2031-03-04&zone=Europe%2FParis');
    await page.getByRole('button', { name: /^Fitting.*Confirmed.*4 March 2031.*11:00/ }).waitFor();
    await page.getByRole('button', { name: 'New booking' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New booking' });
    await dialog.getByLabel('Title').waitFor();
    await page.keyboard.type('Consultation');
    await dialog.getByLabel('Day').fill('2031-03-04');
    await dialog.getByLabel('Time').fill('11:30');
    await page.keyboard.press('Enter');
    await dialog.getByText(/ is busy 11:00–11:45\./).waitFor();
    await expectAccessible(visitor, 'booking-taken');
    await dialog.getByRole('button', { name: 'Next free: 11:45' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => dialog.getByLabel('Time').inputValue()).toBe('11:45');
    await dialog.getByRole('button', { name: 'Save' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Consultation.*Confirmed/ }).waitFor();
    await expectAccessible(visitor, 'bookings');
    const { data } = (await api.get('/bookings', { from: '2031-03-04', to: '2031-03-05' })).body;
    expect(data.map(({ starts_at }: { starts_at: string }) => starts_at)).toEqual([
      '2031-03-04T10:00:00.000Z',
      '2031-03-04T10:45:00.000Z',
    ]);
  });

  it('are moved, cancelled and listed on a phone, and have no test mode', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const slot = { starts_at: '2031-03-30T12:00:00Z', duration_minutes: 30 };
    const { id } = (await api.post('/bookings', { title: 'Fitting', ...slot })).body.data;
    const visitor = await visit(server().url, narrow);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, `/bookings?day=2031-03-30&zone=Europe%2FParis&open=${id}`);
    await page.getByRole('button', { name: 'Edit or move' }).click();
    const dialog = page.getByRole('dialog');
    await expect.poll(() => dialog.getByLabel('Time').inputValue()).toBe('14:00');
    await dialog.getByLabel('Time').fill('15:00');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText(/15:00/).waitFor();
    expect((await api.get(`/bookings/${id}`)).body.data.starts_at).toBe('2031-03-30T13:00:00.000Z');
    await dialog.getByRole('button', { name: 'Cancel it…' }).click();
    await page.getByRole('button', { name: 'Cancel the booking' }).click();
    await page.getByText('Fitting: cancelled.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('The clocks are changed in these days').waitFor();
    await page.getByRole('combobox', { name: 'View' }).selectOption({ label: 'List' });
    await page.getByRole('button', { name: 'Fitting' }).waitFor();
    await expectAccessible(visitor, 'bookings-list');
    await page.goto('/bookings?mode=test');
    await page.getByText('Bookings have no sandbox').waitFor();
    await page.getByRole('combobox', { name: 'View' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'New booking' }).count()).toBe(0);
  });
});
