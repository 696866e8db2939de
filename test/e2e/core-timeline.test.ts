import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { insertMessages } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { receivedTexts } from '../support/simulator.ts';
import { articles, reply, thread, threadScene, type ThreadScene } from '../support/thread.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

/** Rows are drawn where one scrolls to, and held in their places, in the frames that follow. */
const drawn = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
      }),
  );

/** Id of the first entry in view and how far below the edge it is. */
const firstInView = (page: Page) =>
  thread(page).evaluate((log) => {
    const edge = log.getBoundingClientRect().top;
    const found = [...log.querySelectorAll('article')].find(
      (one) => one.getBoundingClientRect().bottom > edge,
    );
    return { id: found?.id ?? '', top: (found?.getBoundingClientRect().top ?? 0) - edge };
  });

describe.skipIf(!hasBrowser)('the timeline', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const open = async (scene: ThreadScene, email = scene.company.owner.email) => {
    const visitor = await visit(server().url);
    await signIn(visitor, email, scene.path);
    await thread(visitor.page).getByRole('article').first().waitFor();
    return visitor;
  };

  it('scenario 16 and scenario 25: older pages come without moving what is read, and a quote leads to what is not loaded', async () => {
    const scene = await threadScene(server());
    const texts = Array.from({ length: 520 }, (_, n) => ({ text: `message ${n} ${'words '.repeat(n % 9)}` }));
    const ids = await insertMessages(server().app, scene.company.id, scene.id, texts);
    await insertMessages(server().app, scene.company.id, scene.id, [
      { text: 'As I said.', at: new Date(), ...(ids[3] === undefined ? {} : { reply_to_id: ids[3] }) },
    ]);
    const { page } = await open(scene);
    await thread(page).getByText('As I said.').waitFor();
    const count = () => thread(page).getByRole('article').count();
    for (let n = 0; n < 4; n++) {
      const before = await count();
      await thread(page).evaluate((log) => log.scrollTo({ top: 300 }));
      await drawn(page);
      const { id, top } = await firstInView(page);
      await expect.poll(count).toBeGreaterThan(before);
      await drawn(page);
      const now = await page.locator(`#${id}`).evaluate((element) => {
        const log = element.closest('[role=log]');
        return element.getBoundingClientRect().top - (log?.getBoundingClientRect().top ?? 0);
      });
      expect(Math.abs(now - top)).toBeLessThanOrEqual(1);
    }
    await page.getByRole('button', { name: 'To the newest' }).click();
    await articles(page, 'As I said.')
      .getByRole('button', { name: /message 3/ })
      .click();
    await page.locator(`#entry-${ids[3]}`).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe(`entry-${ids[3]}`);
    const all = await thread(page).evaluate((log) =>
      [...log.querySelectorAll('article')].map(({ id }) => id),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it('scenario 17 and scenario 19: a message is sent once although its answer is lost, and a refused one is tried again', async () => {
    const scene = await threadScene(server());
    const { page } = await open(scene);
    let lost = 0;
    await page.route('**/trpc/*drafts.send*', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      return route.fulfill({ status: 200, contentType: 'application/json', body: '[{"result":' });
    });
    await reply(page).fill('Only once.');
    await reply(page).press('Enter');
    await articles(page, 'Only once.').getByText('Sends in').waitFor();
    await expect.poll(() => lost).toBe(2);
    await page.unroute('**/trpc/*drafts.send*');
    await articles(page, 'Only once.').getByRole('button', { name: 'Send now' }).dblclick();
    await articles(page, 'Only once.').getByText('Read', { exact: true }).waitFor();
    await expect.poll(() => articles(page, 'Only once.').count()).toBe(1);
    expect(await receivedTexts(server().app, scene.company.id)).toEqual(['Only once.']);

    const contact = (await scene.api.get(`/conversations/${scene.id}`)).body.data.contact.id;
    await scene.api.patch(`/contacts/${contact}`, { blocked: true });
    await reply(page).fill('Refused at first.');
    await reply(page).press('Enter');
    await articles(page, 'Refused at first.').getByText('The contact is blocked.').waitFor();
    await scene.api.patch(`/contacts/${contact}`, { blocked: false });
    await articles(page, 'Refused at first.').getByRole('button', { name: 'Retry' }).click();
    await articles(page, 'Refused at first.').getByText('Sends in').waitFor();
    await articles(page, 'Refused at first.').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => reply(page).inputValue()).toBe('Refused at first.');
    await expect.poll(() => articles(page, 'Refused at first.').count()).toBe(0);
  });

  it('scenario 18: what the channel refuses is told with its reason, and can be sent again', async () => {
    const scene = await threadScene(server(), { from: '+15005550001' });
    const { page } = await open(scene);
    await reply(page).fill('Hello?');
    await page.getByRole('button', { name: 'More ways to send' }).click();
    await page.getByRole('menuitem', { name: 'Send and close' }).click();
    await articles(page, 'Hello?').getByText('Not delivered').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await articles(page, 'Hello?').getByRole('button', { name: 'Retry' }).click();
    await articles(page, 'Hello?').getByRole('button', { name: 'Send now' }).click();
    await expect.poll(() => thread(page).getByText('Not delivered').count()).toBe(2);
    expect(await receivedTexts(server().app, scene.company.id)).toEqual(['Hello?', 'Hello?']);
  });

  it('scenario 8: what came while one reads above waits behind a pill, and looking at it marks it as read', async () => {
    const scene = await threadScene(server());
    const texts = Array.from({ length: 40 }, (_, n) => ({ text: `message ${n}` }));
    await insertMessages(server().app, scene.company.id, scene.id, texts);
    const { page } = await open(scene);
    await expect
      .poll(async () => (await scene.api.get(`/conversations/${scene.id}`)).body.data.read)
      .toBe(true);
    await thread(page).hover();
    await page.mouse.wheel(0, -800);
    await page.getByRole('button', { name: 'To the newest' }).waitFor();
    await scene.writes('One more thing');
    await page.getByRole('button', { name: '1 new message' }).click();
    await articles(page, 'One more thing').waitFor();
    await page.getByRole('button', { name: '1 new message' }).waitFor({ state: 'detached' });
  });
});
