import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { insertContacts } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { addSimulator, receivedTexts, settled } from '../support/simulator.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('a campaign at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 42: is written, sent, paused, resumed and cancelled', async () => {
    const company = await server().company('Casa');
    const api = await company.client();
    // One in a second, so that there is time to stop it.
    await addSimulator(server().app, company.id, { campaign_rate: 1 });
    await insertContacts(server().app, company.id, 40, (n) => ({
      name: `Person ${n}`,
      phone: `+3519${10_000_000 + n}`,
      created_at: new Date(),
    }));
    await api.post('/contacts', { name: 'Quiet', phone: '+351920000001', subscribed: false });
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/campaigns');
    await page.getByText('No campaigns yet').waitFor();
    await page.getByRole('link', { name: 'New campaign' }).first().click();
    await page.getByLabel('Name', { exact: true }).fill('Spring');
    await page
      .getByLabel('Text', { exact: true })
      .fill('Hello {{contact.first_name|there}}, spring is here.');
    await page.getByText('40 contacts of 41 would get it.').waitFor();
    await page.getByText('Unsubscribed: 1 skipped').waitFor();
    await expectAccessible(visitor, 'campaign-new');
    await page.getByRole('button', { name: 'Save as a draft' }).click();
    await page.getByRole('heading', { name: 'Spring', level: 1 }).waitFor();

    await page.getByRole('button', { name: 'Schedule…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('When').fill('2020-01-01T10:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await dialog.getByText('Must be in the future.').waitFor();
    await dialog.getByLabel('When').fill('2031-03-30T10:00');
    await dialog.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('button', { name: 'Change the time…' }).waitFor();

    await page.getByRole('button', { name: 'Send now…' }).click();
    await page.getByRole('dialog', { name: 'Send Spring in live mode?' }).waitFor();
    await dialog.getByText('40 contacts will get it, 1 will be skipped.').waitFor();
    await expectAccessible(visitor, 'campaign-send');
    await dialog.getByRole('button', { name: 'Send now' }).dblclick();
    await page.getByRole('heading', { name: 'Recipients' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Somebody paused it.').waitFor();
    await expectAccessible(visitor, 'campaign-paused');
    const sentTo = async () => (await receivedTexts(server().app, company.id)).length;
    await settled(server().app, company.id);
    const before = await sentTo();
    // At one a second, several would follow if it went on.
    await page.waitForTimeout(3_000);
    expect(await sentTo()).toBe(before);
    await page.getByRole('combobox', { name: 'Status of recipients' }).selectOption({ label: 'Skipped' });
    await page.getByRole('link', { name: 'Quiet' }).waitFor();
    await page.getByRole('button', { name: 'Resume…' }).click();
    await page.getByRole('dialog', { name: 'Resume Spring in live mode?' }).getByText('remain.').waitFor();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Cancel it…' }).click();
    await page.getByRole('dialog', { name: 'Cancel Spring in live mode?' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel the campaign' }).click();
    await page.getByText('Cancelled', { exact: true }).first().waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Quiet' }).waitFor();
    const { data } = (await api.get('/campaigns')).body;
    expect(data).toHaveLength(1);
    expect(data[0].status).toBe('cancelled');
    expect(data[0].stats.sent).toBeLessThan(40);
    await page.getByText('The numbers as a table').click();
    await page.getByRole('table', { name: 'Over time' }).waitFor();
    await expectAccessible(visitor, 'campaign-cancelled');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export as CSV' }).click();
    const lines = fs
      .readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(1 + 1);
    expect(lines[1]).toContain("Quiet,'+351920000001,skipped,unsubscribed");
    await page.goto('/campaigns');
    await page.getByRole('tab', { name: 'Sending' }).click();
    await page.getByText('Nothing fits these filters').waitFor();
    await page.getByRole('tab', { name: 'Cancelled' }).click();
    await page.waitForURL('**?status=cancelled');
    await page.getByRole('link', { name: 'Spring' }).waitFor();
    await expectAccessible(visitor, 'campaigns');
  });
});
