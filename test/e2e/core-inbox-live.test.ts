import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { colleague, namesIn } from '../support/inbox.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { addSimulator, deliver } from '../support/simulator.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the list of the inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const newestFirst = (n: number) => ({ last_message_at: new Date(Date.now() - (n + 1) * 60_000) });

  it('scenario 11: moves nothing while the pointer is inside, until one asks for it', async () => {
    const company = await server().company('Casa');
    const channel = await addSimulator(server().app, company.id);
    await insertConversations(server().app, company.id, 20, newestFirst);
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('option', { name: 'Contact 3' }).hover();
    const before = await namesIn(page);
    await deliver(
      server().app,
      company.id,
      channel.id,
      { from: '+351912000001', name: 'New One' },
      { from: '+351912000002', name: 'New Two' },
    );
    await page.getByRole('button', { name: '2 new' }).waitFor();
    expect(await namesIn(page)).toEqual(before);
    await expectAccessible(visitor, 'inbox-pill');
    await page.getByRole('option', { name: 'Contact 3' }).hover();
    await page.getByRole('button', { name: '2 new' }).click();
    await expect
      .poll(async () => (await namesIn(page)).slice(0, 2).toSorted())
      .toEqual(['New One', 'New Two']);
    await expect.poll(() => page.getByRole('button', { name: /new$/ }).count()).toBe(0);
    await deliver(server().app, company.id, channel.id, { from: '+351912000003', name: 'New Three' });
    await page.getByRole('button', { name: '1 new' }).waitFor();
    await page.getByRole('searchbox', { name: 'Search conversations' }).hover();
    await expect.poll(async () => (await namesIn(page))[0]).toBe('New Three');
  });

  it('scenario 12: keeps what a colleague has closed in its place, named, until one moves on', async () => {
    const company = await server().company('Casa');
    const bob = await colleague(server(), company, 'Bob Brito');
    const [first] = await insertConversations(server().app, company.id, 5, newestFirst);
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, `/inbox?open=${first}`);
    const row = page.getByRole('option', { name: 'Contact 0' });
    await row.waitFor();
    await bob.page.mutate('conversations.close', { conversation: first });
    await row.getByText('Closed by Bob Brito').waitFor();
    expect((await namesIn(page))[0]).toBe('Contact 0');
    await expectAccessible(visitor, 'inbox-left');
    await page.keyboard.press('O');
    await row.getByText('Closed by Bob Brito').waitFor({ state: 'detached' });
    // It is shown at once, and done a moment later.
    const api = await company.client();
    await expect.poll(async () => (await api.get(`/conversations/${first}`)).body.data.status).toBe('open');
    await bob.page.mutate('conversations.close', { conversation: first });
    await row.getByText('Closed by Bob Brito').waitFor();
    await page.keyboard.press('J');
    await row.waitFor({ state: 'detached' });
    expect((await namesIn(page))[0]).toBe('Contact 1');
  });

  it('scenario 15: finds by phone, name and words, whatever the order of the answers', async () => {
    const company = await server().company('Casa');
    const channel = await addSimulator(server().app, company.id);
    await deliver(
      server().app,
      company.id,
      channel.id,
      { from: '+351912345678', name: 'Ana Sousa', text: 'About the turquoise vase' },
      { from: '+34911222333', name: 'Bruno Lima', text: '100% wool_or cotton?' },
    );
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('option', { name: 'Bruno Lima' }).waitFor();
    const field = page.getByRole('searchbox', { name: 'Search conversations' });
    for (const [text, name] of [
      ['turquoise', 'Ana Sousa'],
      ['bruno', 'Bruno Lima'],
      ['912 345 678', 'Ana Sousa'],
      ['100% wool_or', 'Bruno Lima'],
    ] as const) {
      await field.fill(text);
      await expect.poll(() => namesIn(page)).toEqual([name]);
    }
    await field.fill(`'"\\%_<b>`);
    await page.getByRole('heading', { name: 'No match' }).waitFor();
    await expectAccessible(visitor, 'inbox-no-match');
    await page.route('**/trpc/*views.conversations*', async (route) => {
      if (decodeURIComponent(route.request().url()).includes('"q":"ana"'))
        await new Promise((done) => setTimeout(done, 1_500));
      await route.continue().catch(() => {});
    });
    await field.fill('ana');
    await page.waitForURL('**q=ana*');
    await field.fill('lima');
    await expect.poll(() => namesIn(page)).toEqual(['Bruno Lima']);
    await page.waitForTimeout(1_600);
    expect(await namesIn(page)).toEqual(['Bruno Lima']);
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await expect.poll(async () => (await namesIn(page)).length).toBe(2);
  });

  it('scenario 5: is the same for whoever is given the address', async () => {
    const company = await server().company('Casa');
    const { email } = await colleague(server(), company, 'Bob Brito');
    const ids = await insertConversations(server().app, company.id, 6, (n) => ({
      ...newestFirst(n),
      assignee_id: n % 2 === 0 ? company.owner.id : null,
    }));
    const ann = await visit(server().url);
    await signIn(ann, company.owner.email, '/inbox');
    await ann.page.getByRole('option').first().waitFor();
    await ann.page.getByRole('button', { name: 'Filters' }).click();
    await ann.page.getByLabel('Ownership').selectOption({ label: 'Unassigned' });
    await expectAccessible(ann, 'inbox-filters');
    await ann.page.keyboard.press('Escape');
    await ann.page.getByRole('option', { name: 'Contact 3' }).click();
    await ann.page.waitForURL(`**open=${ids[3]}*`);
    const { pathname, search } = new URL(ann.page.url());
    const bob = await visit(server().url);
    await signIn(bob, email, pathname + search);
    for (const { page } of [ann, bob]) {
      await page.reload();
      await expect.poll(() => namesIn(page)).toEqual(['Contact 1', 'Contact 3', 'Contact 5']);
      await page.getByRole('button', { name: 'Remove the filter Unassigned' }).waitFor();
      expect(await page.locator('[aria-current=true]').getAttribute('data-id')).toBe(ids[3]);
    }
  });
});
