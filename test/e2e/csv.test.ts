import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

/** So many rows, each fortieth of them without a number that is one until there are so many bad ones. */
const rows = 5_000;
const bad = 120;

function table(): Buffer {
  const lines = Array.from({ length: rows }, (_, n) =>
    n % 40 === 0 && n < 40 * bad ? `Person ${n},12,x` : `Person ${n},+3519${10_000_000 + n},x`,
  );
  return Buffer.from(`Who,Mobile,Colour\n${lines.join('\n')}\n`);
}

describe.skipIf(!hasBrowser).each([wide, narrow])('files at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 38: are tried, stopped, imported again to the end, and exported', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/contacts');
    await page.getByRole('button', { name: 'CSV' }).click();
    await page.getByRole('menuitem', { name: 'Import a file…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Import contacts' });
    const choosing = page.waitForEvent('filechooser');
    await dialog.getByRole('button', { name: 'File' }).click();
    await (await choosing).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: table() });
    await dialog.getByRole('combobox', { name: 'Mobile is' }).waitFor();
    await dialog.getByRole('combobox', { name: 'Who is' }).selectOption({ label: 'Name' });
    await expectAccessible(visitor, 'import-columns');
    await dialog.getByRole('button', { name: 'Try it first' }).click();
    const counts = `${(rows - bad).toLocaleString('en-GB')} new, 0 changed, 0 there already, ${bad} refused.`;
    await dialog.getByText(`It would be: ${counts}`).waitFor({ timeout: 120_000 });
    expect((await api.get('/contacts')).body.data).toEqual([]);
    await expectAccessible(visitor, 'import-tried');
    await dialog.getByRole('button', { name: 'Import it' }).click();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    await dialog.getByText('Stopped').waitFor();
    await dialog.getByRole('button', { name: 'Import it' }).click();
    await dialog.getByText(/^Imported: /).waitFor({ timeout: 120_000 });
    const downloading = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download the refused rows' }).click();
    const rejected = fs
      .readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(rejected).toHaveLength(bad + 1);
    expect(rejected[1]).toContain('Must be a phone number');
    const { rows: found } = await server().app.pool.query(
      'SELECT count(*)::int AS count FROM contacts WHERE company_id = $1',
      [company.id],
    );
    expect(found[0].count).toBe(rows - bad);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('searchbox').fill('Person 111');
    await page.waitForURL('**q=Person*111');
    await page.getByRole('button', { name: 'CSV' }).click();
    const exporting = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export what is shown' }).click();
    const exported = fs
      .readFileSync(await (await exporting).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(exported).toHaveLength(1 + 11);

    // A spreadsheet would run what begins like a formula.
    await api.post('/contacts', { name: '=HYPERLINK("http://example.com")' });
    await page.getByRole('searchbox').fill('HYPERLINK');
    await page.waitForURL('**q=HYPERLINK');
    await page.getByRole('button', { name: 'CSV' }).click();
    const guarded = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Export what is shown' }).click();
    expect(fs.readFileSync(await (await guarded).path(), 'utf8')).toContain(`"'=HYPERLINK`);
  });
});
