import type { WebSocketRoute } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { colleague, namesIn, scrollToEnd } from '../support/inbox.ts';
import { insertConversations } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { addSimulator, deliver } from '../support/simulator.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the live inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const newestFirst = (n: number) => ({ last_message_at: new Date(Date.now() - (n + 1) * 60_000) });

  it('scenario 7: tells both agents of a message, and the badge counts', async () => {
    const company = await server().company('Casa');
    const channel = await addSimulator(server().app, company.id);
    const { email } = await colleague(server(), company, 'Bob Brito');
    const [ann, bob] = [await visit(server().url), await visit(server().url)];
    await signIn(ann, company.owner.email, '/inbox');
    await signIn(bob, email, '/settings/profile');
    const from = '+351912345678';
    await deliver(server().app, company.id, channel.id, { from, name: 'Ana Sousa', text: 'Hello?' });
    await ann.page.getByRole('option', { name: /Ana Sousa.*Hello\?/ }).waitFor();
    await bob.page.getByRole('img', { name: '1 unread' }).waitFor();
    await expect.poll(() => ann.page.title()).toBe('(1) Inbox · Parlour');
    await bob.page.getByRole('link', { name: 'Inbox' }).click();
    await bob.page.getByRole('option', { name: 'Ana Sousa' }).waitFor();
  });

  it('scenario 10: shows 2,000 conversations with few elements, and keeps what was selected', async () => {
    const company = await server().company('Casa');
    await insertConversations(server().app, company.id, 2_000, newestFirst);
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('option', { name: 'Contact 0' }).waitFor();
    await page.keyboard.press('J');
    await page.keyboard.press('X');
    await page.getByText('1 selected').waitFor();
    await scrollToEnd(page);
    await page.getByRole('option', { name: 'Contact 1999' }).waitFor();
    const elements = await page.evaluate(() => document.querySelectorAll('*').length);
    process.stdout.write(`2000 conversations: ${elements} elements (limit 1500)\n`);
    expect(elements).toBeLessThanOrEqual(1_500);
    await page.locator('.rows-scroller').evaluate((list) => list.scrollTo(0, 0));
    await page.getByRole('option', { name: 'Contact 0', selected: true }).waitFor();
  });

  it('scenario 30: misses nothing of 30 messages and repeats nothing, for both agents, over a broken connection', async () => {
    const company = await server().company('Casa');
    const channel = await addSimulator(server().app, company.id);
    const { email } = await colleague(server(), company, 'Bob Brito');
    const agents = [await visit(server().url), await visit(server().url)];
    const open: WebSocketRoute[] = [];
    let reachable = true;
    for (const [n, agent] of agents.entries()) {
      await agent.page.routeWebSocket('**/graphql', (socket) => {
        if (!reachable) return void socket.close({ code: 1012 });
        socket.connectToServer();
        open.push(socket);
      });
      await signIn(agent, n === 0 ? company.owner.email : email, '/inbox');
    }
    const say = (n: number) =>
      deliver(server().app, company.id, channel.id, { from: `+3519120000${n}`, name: `Customer ${n}` });
    await say(10);
    for (const { page } of agents) await page.getByRole('option', { name: 'Customer 10' }).waitFor();
    reachable = false;
    for (const socket of open.splice(0)) await socket.close({ code: 1012 });
    for (let n = 11; n <= 40; n++) await say(n);
    const client = await company.client();
    const total = async () => (await client.get('/conversations', { limit: 100 })).body.data.length;
    await expect.poll(total).toBe(31);
    reachable = true;
    for (const { page } of agents) {
      await page.evaluate(() => dispatchEvent(new Event('focus')));
      await page.getByRole('option', { name: 'Customer 40' }).waitFor();
      const size = () => page.locator('[role=option]').first().getAttribute('aria-setsize');
      await expect.poll(size).toBe('31');
      const shown = await namesIn(page);
      expect(new Set(shown).size).toBe(shown.length);
    }
  });

  it('scenario 32: is live in eight tabs at once, whichever of them are closed', async () => {
    const company = await server().company('Casa');
    const channel = await addSimulator(server().app, company.id);
    const visitor = await visit(server().url);
    await signIn(visitor, company.owner.email, '/inbox');
    const tabs = [visitor.page];
    for (let n = 1; n < 8; n++) {
      const page = await visitor.context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto('/inbox');
      await page.getByRole('heading', { name: 'No conversations yet' }).waitFor();
      tabs.push(page);
    }
    const say = (n: number) =>
      deliver(server().app, company.id, channel.id, { from: `+35191200000${n}`, name: `Customer ${n}` });
    await say(1);
    for (const page of tabs) await page.getByRole('option', { name: 'Customer 1' }).waitFor();
    for (const page of tabs.splice(3, 4)) await page.close();
    await say(2);
    for (const page of tabs) {
      await page.getByRole('option', { name: 'Customer 2' }).waitFor();
      await expect.poll(() => page.title()).toBe('(2) Inbox · Parlour');
    }
  });
});
