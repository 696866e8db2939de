import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

async function choose(page: Page, account: RegExp, language: string): Promise<void> {
  await page.getByRole('button', { name: account }).click();
  await page.getByRole('menuitemradio', { name: language }).click();
  await page.keyboard.press('Escape');
}

describe.skipIf(!hasBrowser)('languages', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 6: change what is on the screen, and lose nothing of it', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/profile');
    const root = page.locator('html');
    const name = page.locator('input[name="name"]');
    await name.fill('Typed, and not saved');
    await page.evaluate(() => Object.assign(window, { loaded: 'once' }));

    await choose(page, /Account of/, 'Português (Brasil)');
    await page.getByRole('navigation', { name: 'Configurações' }).waitFor();
    await expect.poll(() => root.getAttribute('lang')).toBe('pt-BR');
    await expect.poll(() => root.getAttribute('dir')).toBe('ltr');
    await expect.poll(() => name.inputValue()).toBe('Typed, and not saved');

    await choose(page, /Account of|Conta de/, 'العربية');
    await page.getByRole('navigation', { name: 'الإعدادات' }).waitFor();
    await expect.poll(() => root.getAttribute('dir')).toBe('rtl');
    await expect.poll(() => name.inputValue()).toBe('Typed, and not saved');
    expect(await page.evaluate(() => 'loaded' in window)).toBe(true);
    await expectAccessible(owner, 'profile-ar');
  });

  it('scenario 6: are remembered, and dates are written as they write them', async () => {
    const company = await server().company('Casa');
    await (await company.client()).post('/tags', { name: 'vip' });
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/audit');
    const at = page.getByRole('table').locator('time').first();
    const day = { en: /day/, pt: /feira|sábado|domingo/, ar: /[\u0600-\u06FF]/ };
    await expect.poll(() => at.getAttribute('title')).toMatch(day.en);
    await choose(page, /Account of/, 'Português (Brasil)');
    await page.getByRole('heading', { level: 1, name: 'Registro de auditoria' }).waitFor();
    await expect.poll(() => at.getAttribute('title')).toMatch(day.pt);
    const saved = page.waitForResponse(
      (response) =>
        response.url().includes('/account.updateProfile') &&
        (response.request().postData() ?? '').includes('"ar"'),
    );
    await choose(page, /Account of|Conta de/, 'العربية');
    await page.getByRole('heading', { level: 1, name: 'سجل التدقيق' }).waitFor();
    await expect.poll(() => at.getAttribute('title')).toMatch(day.ar);
    await saved;
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'سجل التدقيق' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('dir')).toBe('rtl');
    await page.getByRole('table').waitFor();
    await expectAccessible(owner, 'audit-ar');

    const elsewhere = await visit(server().url);
    await signIn(elsewhere, company.owner.email, '/settings/audit');
    await elsewhere.page.getByRole('heading', { level: 1, name: 'سجل التدقيق' }).waitFor();
  });

  it('tell what the server refused, by its code', async () => {
    const company = await server().company('Casa');
    await (await company.client()).post('/tags', { name: 'vip' });
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/tags');
    await choose(page, /Account of/, 'Español');
    await page.locator('html[lang="es"]').waitFor();
    await page
      .getByRole('button', { name: /New tag|Nueva etiqueta/ })
      .first()
      .click();
    await page.getByRole('dialog').locator('input[name="name"]').fill('vip');
    await page.keyboard.press('Enter');
    await page.getByText('Otro registro ya tiene este valor.').waitFor();
  });
});
