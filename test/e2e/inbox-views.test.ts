import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { colleague, namesIn } from '../support/inbox.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('views of the inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const newestFirst = (n: number) => ({ last_message_at: new Date(Date.now() - (n + 1) * 60_000) });

  it.each([wide, narrow])(
    'scenario 14: are saved, shared, used by another and changed, at $width px',
    async (viewport) => {
      const company = await server().company('Casa');
      const { email } = await colleague(server(), company, 'Bob Brito');
      await insertConversations(server().app, company.id, 6, (n) => ({
        ...newestFirst(n),
        channel: n % 2 === 0 ? 'simulator' : 'email',
        assignee_id: n < 2 ? company.owner.id : null,
      }));
      const ann = await visit(server().url, viewport);
      await signIn(ann, company.owner.email, '/inbox');
      await ann.page.getByRole('option').first().waitFor();
      await ann.page.getByRole('link', { name: /^Unassigned/ }).click();
      await ann.page.getByRole('button', { name: 'Filters' }).click();
      await ann.page.getByLabel('Channel').selectOption('email');
      await ann.page.keyboard.press('Escape');
      await expect.poll(() => namesIn(ann.page)).toEqual(['Contact 3', 'Contact 5']);
      await ann.page.getByRole('button', { name: 'Save view' }).click();
      const dialog = ann.page.getByRole('dialog', { name: 'Save view' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect.poll(() => dialog.getByLabel('Name').getAttribute('aria-invalid')).toBe('true');
      await dialog.getByLabel('Name').fill('Mail to take');
      await dialog.getByLabel(/^Share it/).check();
      await expectAccessible(ann, 'inbox-save-view');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      await ann.page.getByRole('button', { name: 'More views, now: Mail to take' }).waitFor();
      await expectAccessible(ann, 'inbox-saved-view');

      const bob = await visit(server().url, viewport);
      await signIn(bob, email, '/inbox');
      await bob.page.getByRole('option').first().waitFor();
      await bob.page.getByRole('button', { name: 'More views' }).click();
      await bob.page.getByText('Shared by others').waitFor();
      await expectAccessible(bob, 'inbox-views-menu');
      await bob.page.getByRole('menuitem', { name: /^Mail to take/ }).click();
      await expect.poll(() => namesIn(bob.page)).toEqual(['Contact 3', 'Contact 5']);
      const searchOf = (url: string) => [...new URL(url).searchParams].toSorted().join();
      expect(searchOf(bob.page.url())).toBe(searchOf(ann.page.url()));
      await expect.poll(() => bob.page.getByRole('button', { name: /^Change the view/ }).count()).toBe(0);

      await ann.page.getByRole('button', { name: 'Remove the filter Channel: E-mail' }).click();
      await ann.page.getByRole('button', { name: 'Update view' }).click();
      await ann.page.getByText('“Mail to take” is changed.').waitFor();
      await expect.poll(() => ann.page.getByRole('button', { name: 'Update view' }).count()).toBe(0);
      await bob.page.reload();
      await bob.page.getByRole('button', { name: 'Save as new view' }).waitFor();
      await bob.page.getByRole('button', { name: 'More views, now: Mail to take' }).click();
      await bob.page.getByRole('menuitem', { name: /^Mail to take/ }).click();
      await expect.poll(async () => (await namesIn(bob.page)).length).toBe(4);
      expect(searchOf(bob.page.url())).toBe(searchOf(ann.page.url()));

      await ann.page.getByRole('button', { name: 'Change the view Mail to take' }).click();
      await ann.page.getByRole('menuitem', { name: 'Delete…' }).click();
      await ann.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await ann.page.getByRole('dialog').waitFor({ state: 'detached' });
      await ann.page.getByRole('button', { name: 'More views' }).click();
      await ann.page.getByRole('menuitem', { name: 'Everything' }).waitFor();
      await expect.poll(() => ann.page.getByRole('menuitem', { name: /^Mail to take/ }).count()).toBe(0);
    },
  );

  it('have the numbers of the server, live, and show mentions and what one follows', async () => {
    const company = await server().company('Casa');
    const bob = await colleague(server(), company, 'Bob Brito');
    const ids = await insertConversations(server().app, company.id, 4, newestFirst);
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('link', { name: 'All open 4' }).waitFor();
    await page.getByRole('link', { name: 'Mine 0' }).waitFor();
    await bob.page.mutate('conversations.assign', { conversation: ids[0], assignee: company.owner.email });
    await page.getByRole('link', { name: 'Mine 1' }).waitFor();
    await page.getByRole('link', { name: 'Unassigned 3' }).waitFor();
    const note = { conversation: ids[2], body: 'Could you look?', mentions: [company.owner.email] };
    await bob.page.mutate('conversations.addNote', note);
    await page.getByRole('option', { name: /Contact 2.*Note: Could you look\?/ }).waitFor();
    await page.getByRole('button', { name: 'More views' }).click();
    await page.getByRole('menuitem', { name: 'Mentions 1' }).click();
    await expect.poll(() => namesIn(page)).toEqual(['Contact 2']);
    await page.getByRole('option', { name: /Contact 2.*Note: Could you look\?/ }).waitFor();
    await bob.page.mutate('conversations.addNote', { ...note, conversation: ids[3] });
    await expect.poll(async () => (await namesIn(page)).toSorted()).toEqual(['Contact 2', 'Contact 3']);
    await page.getByRole('button', { name: 'More views, now: Mentions' }).click();
    await page.getByRole('menuitem', { name: 'Followed 2' }).click();
    await expect.poll(async () => (await namesIn(page)).length).toBe(2);
  });

  it('stand in the order that is asked for', async () => {
    const company = await server().company('Casa');
    const waits = [1, 30, null, 10];
    await insertConversations(server().app, company.id, 4, (n) => ({
      ...newestFirst(n),
      waiting_since: waits[n] == null ? null : new Date(Date.now() - waits[n] * 3_600_000),
    }));
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await expect.poll(() => namesIn(page)).toEqual(['Contact 0', 'Contact 1', 'Contact 2', 'Contact 3']);
    await page.getByRole('button', { name: 'Order: Last activity' }).click();
    await page.getByRole('menuitemradio', { name: 'Waiting longest' }).click();
    await page.waitForURL('**sort=waiting*');
    await expect.poll(() => namesIn(page)).toEqual(['Contact 1', 'Contact 3', 'Contact 0', 'Contact 2']);
    await page.getByRole('option', { name: /Contact 1.*waiting 30 hr/ }).waitFor();
    await page.getByRole('button', { name: 'Order: Waiting longest' }).click();
    await page.getByRole('menuitemradio', { name: 'Oldest' }).click();
    await expect.poll(async () => (await namesIn(page))[0]).toBe('Contact 3');
    await page.reload();
    await expect.poll(async () => (await namesIn(page))[0]).toBe('Contact 3');
  });

  it('have a list that is made wider by key, stays so, and goes out of the way', async () => {
    const company = await server().company('Casa');
    await insertConversations(server().app, company.id, 1);
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    const row = page.getByRole('option', { name: 'Contact 0' });
    await row.waitFor();
    const handle = page.getByRole('separator', { name: 'Width of the list' });
    const width = () => handle.getAttribute('aria-valuenow');
    expect(await width()).toBe('360');
    await handle.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(width).toBe('376');
    await page.keyboard.press('Shift+ArrowRight');
    await expect.poll(width).toBe('440');
    await expectAccessible(visitor, 'inbox-wider');
    await page.reload();
    await row.waitFor();
    expect(await width()).toBe('440');
    await page.keyboard.press('[');
    await row.waitFor({ state: 'hidden' });
    await page.keyboard.press('[');
    await row.waitFor();
  });
});
