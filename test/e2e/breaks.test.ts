import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { acrossTenants } from '../../server/platform/tenancy.ts';
import { purgeEvents } from '../../server/realtime/retention.ts';
import { hasBrowser } from '../support/browser.ts';
import { colleague, namesIn } from '../support/inbox.ts';
import { KilledServer } from '../support/killed-server.ts';
import { testSecret, useServer } from '../support/server.ts';
import { openLine } from '../support/tcp-proxy.ts';
import { articles, reply, thread, threadScene } from '../support/thread.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

/** What Chromium itself says of a server that is gone. */
const gone =
  /WebSocket connection to|net::ERR_CONNECTION_REFUSED|net::ERR_EMPTY_RESPONSE|net::ERR_CONNECTION_RESET/;

const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true });

describe.skipIf(!hasBrowser)('after a break', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const messagesIn = async (conversation: string): Promise<number> => {
    const sql = 'SELECT count(*)::int AS n FROM messages WHERE conversation_id = $1';
    return (await server().app.pool.query(sql, [conversation])).rows[0].n;
  };

  it('scenario 30: a server that was killed has told both agents all of 30 events, once', async () => {
    const scene = await threadScene(server());
    const { email } = await colleague(server(), scene.company, 'Bob Brito');
    // Another process serves the dashboard; what happens goes on in this one.
    const killed = await KilledServer.over(server().databaseUrl, {
      DEMO: '0',
      SECRET: testSecret,
      SIGN_IN_ATTEMPTS: '1000',
    });
    killed.start();
    try {
      await killed.ready();
      const agents = [await visit(killed.url), await visit(killed.url)];
      for (const [n, agent] of agents.entries()) {
        await signIn(agent, n === 0 ? scene.company.owner.email : email, `/inbox?open=${scene.id}`);
        await articles(agent.page, 'Good morning!').waitFor();
        await live(agent.page).waitFor({ state: 'attached' });
      }
      for (let n = 1; n <= 15; n++) {
        if (n === 4) killed.kill();
        if (n === 12) killed.start();
        await simulateInbound(server().app, scene.company.id, {
          from: `+3519660000${n + 10}`,
          name: `Customer ${n}`,
          text: 'Hello',
        });
        await simulateInbound(server().app, scene.company.id, {
          from: '+351912345678',
          text: `Message ${n}.`,
        });
      }
      await killed.ready();
      for (const { page, faults } of agents) {
        await page.evaluate(() => dispatchEvent(new Event('focus')));
        for (let n = 1; n <= 15; n++) await articles(page, `Message ${n}.`).waitFor({ timeout: 60_000 });
        const size = () => page.locator('[role=option]').first().getAttribute('aria-setsize');
        await expect.poll(size, { timeout: 60_000 }).toBe('16');
        const shown = await namesIn(page);
        expect(new Set(shown).size).toBe(shown.length);
        const said = await thread(page).getByRole('article').allTextContents();
        const numbers = said.flatMap((text) => /Message (\d+)\./.exec(text)?.[1] ?? []);
        expect(numbers).toEqual(Array.from({ length: 15 }, (_, n) => String(n + 1)));
        await live(page)
          .or(page.getByRole('status').getByText(/^Back online/))
          .first()
          .waitFor({ state: 'attached' });
        expect(faults.filter((fault) => !gone.test(fault))).toEqual([]);
        faults.length = 0;
      }
    } finally {
      killed.stop();
    }
  });

  it('scenario 31: a page that was frozen is complete again', async () => {
    const scene = await threadScene(server());
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, scene.company.owner.email, `/inbox?open=${scene.id}`);
    await articles(page, 'Good morning!').waitFor();
    await reply(page).fill('Half a reply');
    const thaw = await freeze(visitor);
    for (let n = 1; n <= 10; n++) await scene.writes(`Message ${n}.`);
    await expect.poll(() => messagesIn(scene.id)).toBe(11);
    await thaw();
    for (let n = 1; n <= 10; n++) await articles(page, `Message ${n}.`).waitFor();
    expect(await articles(page, 'Message').count()).toBe(10);
    expect(await reply(page).inputValue()).toBe('Half a reply');
  });

  it('scenario 31: after a gap that is too long all is loaded anew, and the draft stays', async () => {
    const scene = await threadScene(server());
    const line = await openLine(server().url);
    const visitor = await visit(new URL(line.url).origin);
    const { page } = visitor;
    await signIn(visitor, scene.company.owner.email, `/inbox?open=${scene.id}`);
    await articles(page, 'Good morning!').waitFor();
    await scene.writes('Before the gap.');
    await articles(page, 'Before the gap.').waitFor();
    await reply(page).fill('Half a reply');
    await page.getByText('Saved', { exact: true }).waitFor();
    const thaw = await freeze(visitor);
    line.dropped = 1;
    await scene.writes('In the gap.');
    await simulateInbound(server().app, scene.company.id, {
      from: '+351966000111',
      name: 'Rui',
      text: 'Me too',
    });
    await expect.poll(() => messagesIn(scene.id)).toBe(3);
    await expect.poll(() => line.connections).toBe(0);
    // A month later nothing that was missed is in the log any more.
    const month = new Date(Date.now() + 31 * 24 * 60 * 60 * 1000);
    await acrossTenants(() => purgeEvents(server().app.prisma, month));
    line.dropped = 0;
    await thaw();
    await articles(page, 'In the gap.').waitFor();
    await page.getByRole('option', { name: /Rui/ }).waitFor();
    expect(await articles(page, 'In the gap.').count()).toBe(1);
    expect(await reply(page).inputValue()).toBe('Half a reply');
    expect(visitor.faults.filter((fault) => !gone.test(fault))).toEqual([]);
    visitor.faults.length = 0;
    await visitor.context.close();
    await line.close();
  });
});

/**
 * As a laptop that sleeps: nothing runs in the page until it is woken. A browser without a window takes
 * `Page.setWebLifecycleState` for a page in sight, which it never freezes; its debugger holds any page.
 * @returns wakes the page
 */
async function freeze({ page, context }: Awaited<ReturnType<ReturnType<typeof useBrowser>>>) {
  const protocol = await context.newCDPSession(page);
  await protocol.send('Debugger.enable');
  const held = new Promise((resolve) => protocol.once('Debugger.paused', resolve));
  await protocol.send('Debugger.pause');
  const run = protocol.send('Runtime.evaluate', { expression: 'void 0' });
  await held;
  return async () => {
    await protocol.send('Debugger.resume');
    await run;
    await protocol.detach();
  };
}
