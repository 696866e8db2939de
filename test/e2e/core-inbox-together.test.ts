import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { colleague } from '../support/inbox.ts';
import { eventsOf } from '../support/log.ts';
import { ownerPage } from '../support/page.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('two agents in one inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 28: take a conversation at once: one has it, the other is told who', async () => {
    const company = await server().company('Casa');
    const { email } = await colleague(server(), company, 'Bob Brito');
    const [id = ''] = await insertConversations(server().app, company.id, 1);
    const [ann, bob] = [await visit(server().url), await visit(server().url)];
    await signIn(ann, company.owner.email, '/inbox');
    await signIn(bob, email, '/inbox');
    // Neither hears of the other before both have pressed.
    const waiting: (() => void)[] = [];
    for (const { page } of [ann, bob]) {
      await page.route('**/trpc/*conversations.take*', async (route) => {
        await new Promise<void>((go) => {
          waiting.push(go);
          if (waiting.length === 2) for (const one of waiting) one();
        });
        await route.continue();
      });
      await page.getByRole('option').first().waitFor();
      await page.keyboard.press('J');
      await page.locator('[role=option][data-active]').waitFor();
    }
    for (const { page } of [ann, bob]) await page.keyboard.press('I');
    const refusal = /was faster and has it now\./;
    const told = async () =>
      Promise.all([ann, bob].map(({ page }) => page.getByRole('alert').filter({ hasText: refusal }).count()));
    await expect.poll(async () => (await told()).toSorted()).toEqual([0, 1]);
    const client = await company.client();
    const has = (await client.get(`/conversations/${id}`)).body.data.assignee as { name: string };
    const loser = (await told())[0] === 1 ? ann : bob;
    await loser.page.getByRole('alert').filter({ hasText: has.name }).waitFor();
    for (const { page } of [ann, bob])
      await page.getByRole('option').getByText(`Assigned to ${has.name}`).waitFor({ state: 'attached' });
    const assigned = (await eventsOf(server().app, id)).filter(
      ({ type }) => type === 'conversation.assigned',
    );
    expect(assigned).toHaveLength(1);
  });

  it('scenario 7: see who is replying, and hear of their own', async () => {
    const company = await server().company('Casa');
    const bob = await colleague(server(), company, 'Bob Brito');
    const [id = '', other = ''] = await insertConversations(server().app, company.id, 2);
    await bob.page.mutate('conversations.updatePresence', { conversation: id, action: 'claim' });
    const visitor = await visit(server().url);
    const { page } = visitor;
    await page.addInitScript(() => {
      const heard: unknown[] = [];
      Object.assign(window, { heard });
      addEventListener('parlour-sound', (event) => heard.push((event as CustomEvent).detail));
    });
    await signIn(visitor, company.owner.email, '/inbox');
    const row = page.locator(`[data-id="${id}"]`);
    await row.getByText('Bob Brito is replying').waitFor();
    await expectAccessible(visitor, 'inbox-replying');
    await bob.page.mutate('conversations.updatePresence', { conversation: id, action: 'release' });
    await row.getByText('Bob Brito is replying').waitFor({ state: 'detached' });
    await bob.page.mutate('conversations.updatePresence', { conversation: other, action: 'claim' });
    await page.locator(`[data-id="${other}"]`).getByText('Bob Brito is replying').waitFor();
    const elsewhere = await ownerPage(server().url, company);
    const draft = { conversation: id, mode: 'reply', version: 0, text: 'Let me look at it' };
    await elsewhere.mutate('drafts.save', draft);
    await row.getByText('Draft: Let me look at it').waitFor();
    await bob.page.mutate('conversations.assign', { conversation: id, assignee: company.owner.email });
    await expect.poll(() => page.evaluate(() => Reflect.get(window, 'heard'))).toEqual(['assigned']);
  });
});
