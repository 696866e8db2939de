import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('one’s account', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('has a picture, which is cut to a square and shown to colleagues, and an availability', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/settings/profile');
    const buffer = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#0f766e' } })
      .jpeg()
      .toBuffer();
    await page
      .getByLabel('Picture', { exact: true })
      .setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByText('Your picture is changed.').waitFor();
    const pictures = page.locator('img.face');
    await expect.poll(() => pictures.count()).toBe(2);
    const size = () =>
      pictures.first().evaluate((one: HTMLImageElement) => [one.naturalWidth, one.naturalHeight]);
    await expect.poll(size).toEqual([256, 256]);
    await expectAccessible(visitor, 'picture');

    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Away' }).click();
    const available = async () => {
      const { rows } = await server().app.pool.query('SELECT availability FROM users WHERE id = $1', [
        company.owner.id,
      ]);
      return rows[0].availability;
    };
    await expect.poll(available).toBe('away');
    await page.goto('/settings/team');
    await page.getByRole('cell', { name: 'Away' }).waitFor();
    await expect.poll(() => pictures.count()).toBe(2);
    await expectAccessible(visitor, 'team-picture');

    await page.goto('/settings/profile');
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByText('Your picture is removed.').waitFor();
    await expect.poll(() => pictures.count()).toBe(0);

    await page.keyboard.press('Control+K');
    await page.getByRole('option', { name: /Take the tour/ }).waitFor();
  });
});
