import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { colleague, namesIn, scrollToEnd } from '../support/inbox.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the inbox by keyboard', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
  const newestFirst = (n: number) => ({ last_message_at: new Date(Date.now() - n * 60_000) });

  it('scenario 9: goes through 300 conversations and acts on them, and the focus is never lost', async () => {
    const company = await server().company('Casa');
    const client = await company.client();
    const ids = await insertConversations(server().app, company.id, 300, newestFirst);
    await client.post('/tags', { name: 'vip' });
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('option', { name: 'Contact 0' }).waitFor();
    const active = page.locator('[role=option][data-active]');
    const at = (n: number) => expect.poll(() => active.getAttribute('aria-posinset')).toBe(String(n));
    const stateOf = async (n: number) => (await client.get(`/conversations/${ids[n]}`)).body.data;
    for (let n = 1; n <= 300; n++) {
      await page.keyboard.press('J');
      await at(n);
    }
    await page.keyboard.press('J');
    await at(300);
    expect(await focused(page)).toBe('conversations');
    await page.keyboard.press('K');
    await at(299);
    await page.waitForURL(`**/inbox?open=${ids[298]}`);

    await page.keyboard.press('E');
    await active.getByText('Closed by').waitFor();
    expect((await stateOf(298)).status).toBe('closed');
    await page.keyboard.press('Z');
    await active.getByText('Closed by').waitFor({ state: 'detached' });
    await expect.poll(async () => (await stateOf(298)).status).toBe('open');

    await page.keyboard.press('Shift+E');
    await expect.poll(async () => (await stateOf(298)).status).toBe('closed');
    await page.waitForURL(`**/inbox?open=${ids[299]}`);
    await page.getByRole('option', { name: 'Contact 298' }).waitFor({ state: 'detached' });

    await page.keyboard.press('U');
    await active.getByText('1 unread').waitFor();
    await page.keyboard.press('I');
    await active.getByText(/^Assigned to/).waitFor({ state: 'attached' });
    await page.keyboard.press('P');
    await active.getByText('Pinned').waitFor({ state: 'attached' });
    await page.keyboard.press('T');
    const dialog = page.getByRole('dialog', { name: 'Tag' });
    await dialog.getByRole('option', { name: 'vip' }).waitFor();
    await expectAccessible(visitor, 'inbox-tag');
    await page.keyboard.type('vi');
    await page.keyboard.press('Enter');
    await active.getByText('vip').waitFor();
    await page.keyboard.press('M');
    await page.getByRole('dialog', { name: 'Mute' }).waitFor();
    await page.keyboard.press('Enter');
    await active.getByText('Muted').waitFor({ state: 'attached' });
    await expect
      .poll(async () => {
        const { read, assignee, pinned, tags, muted } = await stateOf(299);
        return { read, assignee: assignee?.email, pinned, tags: tags.length, muted };
      })
      .toEqual({ read: false, assignee: company.owner.email, pinned: true, tags: 1, muted: true });
    expect(await focused(page)).toBe('conversations');

    await page.keyboard.press('/');
    expect(await focused(page)).toBe('inbox-search');
    await page.keyboard.type('jj');
    await page.waitForURL('**q=jj*');
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL('**/settings/profile');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await page.keyboard.type('inbox');
    await page.keyboard.press('Enter');
    await page.getByRole('option').first().waitFor();
  });

  it('leaves single keys alone when they are switched off', async () => {
    const company = await server().company('Casa');
    await insertConversations(server().app, company.id, 2, newestFirst);
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('?');
    await page.getByRole('switch', { name: 'Single keys do something' }).click();
    await page.getByRole('switch', { name: 'Single keys do something', checked: false }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('J');
    await page.keyboard.press('?');
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await expect.poll(() => page.locator('[role=option][data-active]').count()).toBe(0);
    await expect.poll(() => page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0);
  });

  it('scenario 13: assigns 250 at once in two batches, and says that one was not found', async () => {
    const company = await server().company('Casa');
    const { email } = await colleague(server(), company, 'Bob Brito');
    const ids = await insertConversations(server().app, company.id, 250, newestFirst);
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await scrollToEnd(page);
    await page.locator('#conversations').focus();
    await page.keyboard.press('Control+a');
    await page.getByText('250 selected').waitFor();
    await server().app.pool.query('DELETE FROM conversations WHERE id = $1', [ids[7]]);
    const batches: number[] = [];
    page.on('request', (request) => {
      if (request.url().includes('conversations.bulk'))
        batches.push((request.postDataJSON()['0'].conversation_ids as string[]).length);
    });
    await page.keyboard.press('A');
    await page.getByRole('dialog', { name: 'Assign to' }).getByRole('combobox').fill('bob');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Change 250 conversations?' }).waitFor();
    await expectAccessible(visitor, 'inbox-bulk');
    await page.getByRole('button', { name: 'Change 250' }).click();
    await page.getByText('249 changed, 1 not found.').waitFor();
    expect(batches).toEqual([200, 50]);
    const client = await company.client();
    const { body } = await client.get('/conversations', { assignee: email, limit: 100 });
    expect(body.meta.has_more).toBe(true);
    await expect.poll(() => page.getByText('Assigned to Bob Brito').count()).toBeGreaterThan(5);
    expect((await namesIn(page)).length).toBeGreaterThan(5);
  });
});
