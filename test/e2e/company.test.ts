import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the page of the company', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('sets how long messages are kept, and for ever again', async () => {
    const company = await server().company('Casa');
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/settings/company');
    const kept = async () => {
      const sql = 'SELECT retention_days FROM companies WHERE id = $1';
      return (await server().app.pool.query(sql, [company.id])).rows[0].retention_days;
    };
    const days = page.getByRole('textbox', { name: 'Days to keep messages' });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await days.fill('90');
    await save.click();
    await expect.poll(kept).toBe(90);
    await page.reload();
    await expect.poll(() => days.inputValue()).toBe('90');
    await days.fill('');
    await save.click();
    await expect.poll(kept).toBeNull();
    await expectAccessible(visitor, 'company');
  });
});
