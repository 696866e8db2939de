import { describe, expect, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { hasBrowser } from '../support/browser.ts';
import { ownerPassword } from '../support/page.ts';
import { startReceiver } from '../support/receiver.ts';
import { type TestCompany, useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';
import { loopbackAllowed } from '../support/webhooks.ts';

describe.skipIf(!hasBrowser).each([wide, narrow])('at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000', ...loopbackAllowed });
  const visit = useBrowser();

  /** A little history of today: four threads, two answered, one of them closed. */
  const busy = async (company: TestCompany): Promise<string[]> => {
    const api = await company.client();
    const tag = (await api.post('/tags', { name: 'vip' })).body.data.id;
    const threads: string[] = [];
    for (let n = 0; n < 4; n++) {
      const from = `+3519123420${viewport.width === wide.width ? 1 : 2}${n}`;
      threads.push(
        (await simulateInbound(server().app, company.id, { from, text: `Question ${n}` }))!.conversation,
      );
    }
    for (const conversation of threads.slice(0, 2))
      await api.post('/messages', { conversation, text: 'An answer' });
    await api.post(`/conversations/${threads[0]}/close`);
    await api.post(`/conversations/${threads[1]}/tags`, { tag });
    return threads;
  };

  it('reports show figures, and the conversations behind each', async () => {
    const company = await server().company('Casa');
    await busy(company);
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/reports');
    const card = page.getByRole('region', { name: 'New conversations' });
    await card.getByRole('button', { name: /show the conversations/ }).waitFor();
    await expect.poll(() => card.getByRole('button').textContent()).toMatch(/^4/);
    await page.getByRole('button', { name: /Closed of .*show the conversations/ }).waitFor();
    await expectAccessible(owner, 'reports');
    await card.getByText('Numbers: New conversations').click();
    await expectAccessible(owner, 'reports-numbers');
    await card.getByRole('button', { name: /show the conversations/ }).click();
    const dialog = page.getByRole('dialog', { name: 'New conversations: conversations' });
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(4);
    await expectAccessible(owner, 'reports-behind');
    expect(page.url()).toContain('metric=opened');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '7 days' }).click();
    await page.waitForURL(/from=/);
    await page.getByLabel('By', { exact: true }).selectOption('week');
    await page.waitForURL(/group=week/);
  });

  it('scenario 45: webhooks are made, tried and sent again', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/webhooks');
    await page.getByText('No endpoints yet').waitFor();
    await expectAccessible(owner, 'webhooks-empty');
    await page.getByRole('button', { name: 'New endpoint' }).click();
    const dialog = page.getByRole('dialog', { name: 'New endpoint' });
    await dialog.getByLabel('URL').fill('http://10.0.0.1/hook');
    await dialog.getByRole('switch', { name: 'All events' }).click();
    await dialog.getByText('Order (0 of 5)').click();
    await dialog.getByLabel('order.created').check();
    await expectAccessible(owner, 'webhook-new');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => dialog.getByLabel('URL').getAttribute('aria-invalid')).toBe('true');
    const receiver = await startReceiver();
    receiver.answer(500);
    await dialog.getByLabel('URL').fill(receiver.url);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const shown = page.getByRole('dialog', { name: 'The signing secret' });
    await expect.poll(() => shown.getByLabel('Secret').inputValue()).toMatch(/^whsec_/);
    await shown.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole('menuitem', { name: 'Send a test event' }).waitFor();
    await expectAccessible(owner, 'webhooks');
    await page.getByRole('menuitem', { name: 'Send a test event' }).click();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(0);
    await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
    await page.getByRole('menuitem', { name: 'Deliveries' }).click();
    await expect
      .poll(async () => {
        await page.getByRole('button', { name: 'Look again' }).click();
        return page.getByText('HTTP 500').count();
      })
      .toBe(1);
    await expectAccessible(owner, 'deliveries');
    receiver.answer(200);
    await page.getByRole('button', { name: 'Show the delivery of webhook.ping' }).click();
    const delivery = page.getByRole('dialog', { name: 'webhook.ping' });
    await delivery.getByText('HTTP 500').first().waitFor();
    await expectAccessible(owner, 'delivery');
    const before = receiver.received.length;
    await delivery.getByRole('button', { name: 'Resend' }).click();
    await expect.poll(() => receiver.received.length).toBeGreaterThan(before);
    await receiver.close();
  });

  it('the catalogue has every event with an example', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/events');
    await page.getByLabel('Search').fill('order.');
    await page.getByText('5 events').waitFor();
    await page.getByText('order.created', { exact: true }).click();
    await page.getByRole('region', { name: 'Example of order.created' }).waitFor();
    expect(await page.getByRole('region', { name: 'Example of order.created' }).textContent()).toContain(
      '"type": "order.created"',
    );
    await expectAccessible(owner, 'events');
  });

  it('the company is changed, and the audit log tells who did it', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/company');
    await page.getByLabel('Name', { exact: true }).fill('Casa Nova');
    await page.getByRole('switch', { name: 'Always open' }).click();
    await page.getByLabel('Monday').fill('9-13, 14:00 – 18:30');
    await page.getByLabel('Currency').fill('XXQ');
    await expectAccessible(owner, 'company');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Must be an ISO 4217 currency').waitFor();
    await page.getByLabel('Currency').fill('EUR');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The settings are saved.').waitFor();
    await expect.poll(() => page.getByLabel('Monday').inputValue()).toBe('09:00–13:00, 14:00–18:30');
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('cell', { name: /Company: update/ }).waitFor();
    await expectAccessible(owner, 'audit');
    await page.getByLabel('Area').selectOption('contacts');
    await page.getByText('No change fits these filters.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('cell', { name: /Company: update/ }).waitFor();
  });

  it('the company is closed by its Owner, who types its name and the password', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/company');
    const name = await page.getByLabel('Name', { exact: true }).inputValue();
    await page.getByRole('button', { name: 'Close the company…' }).click();
    const dialog = page.getByRole('dialog', { name: `Close ${name}?` });
    const close = dialog.getByRole('button', { name: 'Close the company' });
    await dialog.getByLabel('Password', { exact: true }).fill('wrong horse battery');
    expect(await close.isDisabled()).toBe(true);
    await dialog.getByLabel(`Type ${name} to go on`).fill(name);
    await expectAccessible(owner, 'company-closing');
    await close.click();
    await dialog.getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Password', { exact: true }).fill(ownerPassword);
    await close.click();
    await page.waitForURL('**/sign-in');
    await page.getByLabel('E-mail').fill(company.owner.email);
    await page.getByLabel('Password', { exact: true }).fill(ownerPassword);
    await page.keyboard.press('Enter');
    await page.getByText('The e-mail or the password is wrong.').waitFor();
  });

  it('channels are made and changed', async () => {
    const company = await server().company('Casa');
    const owner = await visit(server().url, viewport);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/channels');
    await page.getByRole('button', { name: 'New channel' }).click();
    const dialog = page.getByRole('dialog', { name: 'New channel' });
    await dialog.getByLabel('Access token').waitFor();
    await expectAccessible(owner, 'channel-new');
    await dialog.getByLabel('Kind').selectOption('simulator');
    await dialog.getByLabel('Name').fill('Practice');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Edit Practice' }).click();
    const edit = page.getByRole('dialog', { name: 'Edit Practice' });
    await edit.getByRole('switch', { name: 'In use' }).click();
    await edit.getByRole('button', { name: 'Save' }).click();
    await page.getByText('disabled').waitFor();
    await expectAccessible(owner, 'channels');
  });
});
