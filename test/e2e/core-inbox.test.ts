import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { settled } from '../support/settled.ts';
import { addSimulator, deliver } from '../support/simulator.ts';
import { expectAccessible, signIn, useBrowser, wide, widths } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it.each(widths(wide))('scenario 7: shows what comes in at once, at $width px', async (viewport) => {
    const { app, url } = server();
    const company = await server().company('Casa');
    const channel = await addSimulator(app, company.id);
    const visitor = await visit(url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('heading', { name: 'No conversations yet' }).waitFor();
    if (viewport === wide) await expectAccessible(visitor, 'inbox-empty');
    await settled(app);
    await deliver(app, company.id, channel.id, {
      from: '+351912345678',
      name: 'Ana Sousa',
      text: 'Is the blue one in stock?',
    });
    const row = page.getByRole('option', { name: 'Ana Sousa' });
    await row.waitFor();
    await row.getByText('1 unread').waitFor();
    await expect.poll(() => page.title()).toBe('(1) Inbox · Parlour');
    await expectAccessible(visitor, 'inbox');
    await row.click();
    await page.waitForURL('**/inbox?open=*');
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await expectAccessible(visitor, 'inbox-open');
  });

  it('scenario 9: shows an action at once, takes it back by key, and when it is refused', async () => {
    const { app, url } = server();
    const company = await server().company('Casa');
    const client = await company.client();
    const [id] = await insertConversations(app, company.id, 3);
    const stateOf = async () => (await client.get(`/conversations/${id}`)).body.data.status;
    const visitor = await visit(url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, `/inbox?open=${id}`);
    const row = page.locator(`[data-id="${id}"]`);
    await row.waitFor();
    await page.keyboard.press('E');
    await row.getByText(/^Closed/).waitFor();
    await expect.poll(stateOf).toBe('closed');
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.keyboard.press('Z');
    await expect.poll(stateOf).toBe('open');
    await row.getByText(/^Closed/).waitFor({ state: 'detached' });

    const error = { type: 'conflict', code: 'conflict', message: 'Somebody was faster.', param: null };
    // Whatever goes in one request with it.
    await page.route(/\/trpc\/[^?]*conversations\.archive/, (route) =>
      route.fulfill({ status: 409, json: { error: { ...error, request_id: 'r1' } } }),
    );
    const refusal = page.getByRole('alert').filter({ hasText: 'Somebody was faster.' }).first();
    await expect
      .poll(async () => {
        await page.keyboard.press('Y');
        return refusal.waitFor({ timeout: 3_000 }).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    await row.hover();
    await page.getByRole('button', { name: /^All actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).waitFor();
    await expectAccessible(visitor, 'inbox-row-menu');
  });
});
