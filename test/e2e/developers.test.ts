import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../support/client.ts';
import { hasBrowser } from '../support/browser.ts';
import { startReceiver } from '../support/receiver.ts';
import { type TestCompany, useServer } from '../support/server.ts';
import { verifyWebhook } from '../support/verify-webhook.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';
import { createEndpoint, loopbackAllowed } from '../support/webhooks.ts';

describe.skipIf(!hasBrowser)('the tools for developers', () => {
  const server = useServer({
    SIGN_IN_ATTEMPTS: '1000',
    RATE_LIMIT_PER_MINUTE: '120',
    DEMO: '1',
    DEMO_TRAFFIC: '0',
    ...loopbackAllowed,
  });
  const visit = useBrowser();
  let company: TestCompany;

  beforeAll(async () => {
    company = await server().company('Casa');
  });

  /** Of a page of somebody else's making: nothing critical, and of what is serious only what is known. */
  const expectNothingWorse = async (page: Page, known: readonly string[]) => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'critical' || impact === 'serious');
    const told = grave.map(({ id, impact }) => `${impact} ${id}`);
    expect(told.filter((one) => !known.includes(one))).toEqual([]);
  };

  it('scenario 47: the GraphQL explorer runs a query, a mutation and a subscription', async () => {
    const owner = await visit(server().url);
    const { page } = owner;
    // The editor is large, and draws late on a busy machine.
    page.setDefaultTimeout(60_000);
    await signIn(owner, company.owner.email, '/developers/graphql');
    const frame = page.frameLocator('iframe[title="GraphQL explorer"]');
    const result = frame.locator('.result-window');
    const run = async (tab: string) => {
      await frame.getByRole('tab', { name: tab }).click();
      // What is run is what the editor has.
      await frame.locator('.graphiql-query-editor').getByText(tab).first().waitFor();
      await frame.getByRole('button', { name: 'Execute query' }).click();
    };
    await run('NewContact');
    await result.getByText('createContact').waitFor();
    await run('LatestContacts');
    await result.getByText('hasMore').waitFor();
    await result.getByText('Ana Sousa').waitFor();
    // The application's keys are not heard in the editor.
    await frame.locator('.graphiql-query-editor').click();
    await page.keyboard.type('gc?');
    expect(new URL(page.url()).pathname).toBe('/developers/graphql');
    await run('EverythingThatHappens');
    await frame.getByRole('button', { name: 'Stop query' }).waitFor();
    const api = await company.client();
    // Until the socket is there nothing is heard.
    await expect
      .poll(
        async () => {
          await api.post('/contacts', { name: 'Heard' });
          return result.getByText('contact.created').count();
        },
        { timeout: 60_000, interval: 1_000 },
      )
      .toBeGreaterThan(0);
    await expectNothingWorse(page, ['serious color-contrast', 'serious nested-interactive']);
    // In test mode the same mutation changes nothing.
    await page.getByText('Test', { exact: true }).click();
    await page.getByText('Mutations are answered as in live mode and change nothing.').waitFor();
    await run('NewContact');
    await result.getByText('createContact').waitFor();
    expect((await api.get('/contacts', { q: 'Ana Sousa' })).body.data).toHaveLength(1);
  });

  it('scenario 46: the REST reference tries an operation with a new test key', async () => {
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/developers/rest');
    // Once the reference, which is large, is there.
    await page.getByRole('button', { name: 'Try it with a new test key' }).click({ timeout: 90_000 });
    await page.getByText('Requests that you try').waitFor();
    const frame = page.frameLocator('iframe[title="REST reference"]');
    await frame.getByRole('heading', { name: 'Parlour API' }).waitFor();
    await expectNothingWorse(page, ['serious color-contrast', 'serious scrollable-region-focusable']);
    await frame.getByText('Show the company, scopes and mode of the key').first().click();
    const answer = page.waitForResponse((response) => response.url().endsWith('/api/v1/me'));
    await frame
      .getByRole('button', { name: /Test Request/ })
      .first()
      .click();
    await frame.getByRole('button', { name: /^Send/ }).first().click();
    const tried = await answer;
    expect([tried.status(), tried.headers()['x-service-mode']]).toEqual([200, 'test']);
  });

  it('scenario 44 and scenario 48: keys are rotated with an overlap, and their budget is followed', async () => {
    const { id, key } = await company.key({ name: 'Till' });
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/keys');
    const status = async (one: string) => (await new Client(server().url, one).get('/tags')).status;
    const rotate = async (overlap: string) => {
      await page.getByRole('button', { name: 'Rotate Till' }).first().click();
      await page.getByLabel(overlap).check();
      await page.getByRole('button', { name: 'Rotate', exact: true }).click();
      const shown = page.getByRole('dialog', { name: 'Your new key' });
      const fresh = await shown.getByLabel('Key', { exact: true }).inputValue();
      await shown.getByLabel('I stored it').check();
      await shown.getByRole('button', { name: 'Done' }).click();
      await shown.waitFor({ state: 'detached' });
      return fresh;
    };
    const second = await rotate('in 24 hours');
    expect([await status(key), await status(second)]).toEqual([200, 200]);
    await expect.poll(() => page.getByRole('button', { name: 'Rotate Till' }).count()).toBe(2);
    await expectAccessible(owner, 'keys-rotated');
    // The newest stands first.
    const third = await rotate('at once');
    expect([await status(second), await status(third)]).toEqual([401, 200]);
    await page.goto(`/developers/limits?key=${id}`);
    await page.getByRole('heading', { name: 'Right now' }).waitFor();
    await page.getByText(/of 120 requests left/).waitFor();
    await expectAccessible(owner, 'limits');
    const busy = await company.key({ name: 'Busy' });
    await page.goto(`/developers/limits?key=${busy.id}`);
    const client = new Client(server().url, busy.key);
    const refused: (string | null)[] = [];
    // A minute may end meanwhile: it goes on until the page has seen a budget that is used up.
    await expect
      .poll(
        async () => {
          const answers = await Promise.all(Array.from({ length: 121 }, () => client.get('/tags')));
          const over = answers.filter((one) => one.status === 429);
          refused.push(...over.map(({ headers }) => headers.get('retry-after')));
          return page.getByText('The budget is used up').isVisible();
        },
        { timeout: 120_000, interval: 1_000 },
      )
      .toBe(true);
    expect(Number(refused[0])).toBeGreaterThan(0);
  });

  it('scenario 45: a delivery is verified, an endpoint switched off and on, and what it missed sent again', async () => {
    const receiver = await startReceiver();
    const { secret } = await createEndpoint(server(), company, {
      url: receiver.url,
      events: ['contact.created'],
    });
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/webhooks');
    const act = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${receiver.url}` }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await act('Send a test event');
    const [ping] = await receiver.until(1);
    const now = server().clock.now().getTime();
    expect(verifyWebhook(ping!.body, ping!.headers['x-service-signature']!, secret, now)).toBe(true);
    await act('Disable…');
    await page.getByText('Events that happen meanwhile are not sent later').waitFor();
    await expectAccessible(owner, 'webhook-disable');
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByText('The endpoint is disabled.').waitFor();
    await (await company.client()).post('/contacts', { name: 'Missed' });
    await act('Enable…');
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('The endpoint is enabled.').waitFor();
    await act('Deliveries');
    await page.getByRole('button', { name: 'Show the delivery of webhook.ping' }).click();
    const dialog = page.getByRole('dialog', { name: 'webhook.ping' });
    await dialog.getByLabel('Signing secret', { exact: true }).fill('whsec_wrong');
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await dialog.getByText('The signature does not fit this secret').waitFor();
    await dialog.getByLabel('Signing secret', { exact: true }).fill(secret);
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await dialog.getByText('The signature fits').waitFor();
    await dialog.getByText('Request headers').click();
    await dialog.getByRole('region', { name: 'Request headers' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Resend all failed since…' }).click();
    const resend = page.getByRole('dialog', { name: 'Resend all failed since…' });
    await expect
      .poll(async () => {
        const count = resend.getByRole('button', { name: 'Count' });
        if (await count.isEnabled({ timeout: 100 }).catch(() => false)) await count.click();
        return resend.getByText('did not arrive').count();
      })
      .toBe(1);
    await expectAccessible(owner, 'resend');
    await resend.getByRole('button', { name: /^Resend \d+/ }).click();
    await expect
      .poll(() => receiver.received.some(({ event }) => event.data.object.name === 'Missed'))
      .toBe(true);
    const sent = page.getByRole('dialog', { name: 'Sent again' });
    await sent.getByText(/^(\d+) of \1 arrived\.$/).waitFor();
    await expectAccessible(owner, 'resent');
    await sent.getByRole('button', { name: 'Done' }).click();
    await page.goto('/settings/events?q=contact.created');
    await page.getByText('contact.created', { exact: true }).first().click();
    const before = receiver.received.length;
    await page.getByRole('button', { name: 'Send me this' }).click();
    await page.getByRole('menuitem', { name: receiver.url }).click();
    await page.getByText('The latest contact.created is on its way.').waitFor();
    await receiver.until(before + 1);
    await expectAccessible(owner, 'event');
    await receiver.close();
  });

  it('scenario 49: a failure leads to its request, and a request to its error', async () => {
    const receiver = await startReceiver();
    await createEndpoint(server(), company, { url: receiver.url, events: ['order.paid'] });
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, company.owner.email, '/settings/webhooks');
    const menu = page.getByRole('button', { name: `Actions for ${receiver.url}` });
    await menu.click();
    const { pool } = server().app;
    await pool.query('ALTER TABLE webhook_deliveries RENAME TO webhook_deliveries_away');
    try {
      await page.getByRole('menuitem', { name: 'Send a test event' }).click();
      await page.getByRole('alert').getByText('Something went wrong on our side.').waitFor();
    } finally {
      await pool.query('ALTER TABLE webhook_deliveries_away RENAME TO webhook_deliveries');
    }
    await page
      .getByRole('alert')
      .getByRole('link', { name: /^Request/ })
      .click();
    await page.waitForURL(/\/developers\/requests\?request=/);
    await page.getByRole('cell', { name: /server_error/ }).waitFor();
    await expectAccessible(owner, 'requests');
    await page.getByRole('button', { name: /\/trpc/ }).click();
    await page.getByRole('dialog').getByText('webhooks.sendTest').waitFor();
    await expectAccessible(owner, 'request');
    await page.getByRole('dialog').getByRole('link', { name: 'server_error' }).click();
    await page.getByRole('heading', { name: 'server_error' }).waitFor();
    await expectAccessible(owner, 'errors');
    // The one failure that was made.
    const made = /status of 500/;
    expect(owner.faults.filter((fault) => !made.test(fault))).toEqual([]);
    owner.faults.length = 0;
    await receiver.close();
  });

  it('the tester shows what this server sends itself', async () => {
    const casa = await server().company('Casa');
    const owner = await visit(server().url);
    const { page } = owner;
    await signIn(owner, casa.owner.email, '/developers/tester');
    await page.getByRole('button', { name: 'Send everything here' }).click();
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await page.getByText('Signature verified').waitFor();
    await page.getByText('webhook.ping', { exact: true }).click();
    await expectAccessible(owner, 'tester');
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await page.getByRole('heading', { name: 'First call' }).waitFor();
    await expectAccessible(owner, 'developers');
  });
});
