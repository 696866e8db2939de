import type { Page } from 'playwright-core';
import { describe, expect, it, vi } from 'vitest';
import { assist, ok } from '../support/ai.ts';
import { aiSays } from '../support/ai-says.ts';
import { hasBrowser } from '../support/browser.ts';
import { insertMessages } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { receivedTexts } from '../support/simulator.ts';
import { threadScene } from '../support/thread.ts';
import { expectAccessible, narrow, signIn, useBrowser } from '../support/visitor.ts';

vi.mock(import('../../server/ai/select.ts'), async (original) =>
  (await import('../support/ai.ts')).selection(await original()),
);

const thread = (page: Page) => page.getByRole('log');
const reply = (page: Page) => page.getByRole('textbox', { name: /^Reply to/ });
const articles = (page: Page, text: string) => thread(page).getByRole('article').filter({ hasText: text });
const writeNote = (page: Page) => page.locator('label').filter({ hasText: 'Private note' }).click();

/** Text of the first entry in view and how far below the edge it is. */
const firstInView = (page: Page) =>
  thread(page).evaluate((log) => {
    const edge = log.getBoundingClientRect().top;
    const found = [...log.querySelectorAll('article')].find(
      (one) => one.getBoundingClientRect().bottom > edge,
    );
    return { id: found?.id ?? '', top: (found?.getBoundingClientRect().top ?? 0) - edge };
  });

describe.skipIf(!hasBrowser)('in a conversation', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const open = async (scene: Awaited<ReturnType<typeof threadScene>>, email = scene.company.owner.email) => {
    const visitor = await visit(server().url);
    await signIn(visitor, email, scene.path);
    await thread(visitor.page).getByRole('article').first().waitFor();
    return visitor;
  };

  it('older pages come without moving what is read, and a quote leads to what is not loaded', async () => {
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
      const { id, top } = await firstInView(page);
      await expect.poll(count).toBeGreaterThan(before);
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

  it('a message is sent once although its answer is lost, and a refused one is tried again', async () => {
    const scene = await threadScene(server());
    const { page } = await open(scene);
    let lost = 0;
    await page.route('**/trpc/messages.send*', async (route) => {
      if (lost++ > 0) return route.continue();
      await route.fetch();
      return route.fulfill({ status: 200, contentType: 'application/json', body: '[{"result":' });
    });
    await reply(page).fill('Only once.');
    await reply(page).press('Enter');
    await articles(page, 'Only once.').getByText('Sends in').waitFor();
    await expect.poll(() => lost).toBe(2);
    await page.unroute('**/trpc/messages.send*');
    await articles(page, 'Only once.').getByRole('button', { name: 'Send now' }).dblclick();
    await articles(page, 'Only once.').getByText('Read', { exact: true }).waitFor();
    expect(await articles(page, 'Only once.').count()).toBe(1);
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
    expect(await articles(page, 'Refused at first.').count()).toBe(0);
  });

  it('what the channel refuses is told with its reason, and can be sent again', async () => {
    const scene = await threadScene(server(), { from: '+15005550001' });
    const { page } = await open(scene);
    await reply(page).fill('Hello?');
    await page.getByRole('button', { name: 'More ways to send' }).click();
    await page.getByRole('menuitem', { name: 'Send and close' }).click();
    await articles(page, 'Hello?').getByText('Not delivered').waitFor();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await articles(page, 'Hello?').getByRole('button', { name: 'Send again' }).click();
    await articles(page, 'Hello?').getByRole('button', { name: 'Send now' }).click();
    await expect.poll(() => thread(page).getByText('Not delivered').count()).toBe(2);
  });

  it('AI messages are rated one by one', async () => {
    const scene = await threadScene(server());
    for (let n = 0; n < 2; n++) await aiSays(server().app, scene.company.id, scene.id, 'Of course.');
    const { page } = await open(scene);
    const thumbs = thread(page).getByRole('button', { name: 'A good answer' });
    const pressed = () => thumbs.evaluateAll((all) => all.map((one) => one.getAttribute('aria-pressed')));
    await expect.poll(pressed).toEqual(['false', 'false']);
    await thumbs.last().click();
    await expect.poll(pressed).toEqual(['false', 'true']);
    await thumbs.last().click();
    await expect.poll(pressed).toEqual(['false', 'false']);
  });

  it('drafts stay with their conversation and mode', async () => {
    const scene = await threadScene(server());
    const { page } = await open(scene);
    await reply(page).fill('Half a reply');
    await writeNote(page);
    await page.getByRole('textbox', { name: 'Private note' }).fill('Half a note');
    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Private note' }).inputValue()).toBe('Half a note');
    await page.locator('label').filter({ hasText: 'Reply' }).click();
    expect(await reply(page).inputValue()).toBe('Half a reply');
    await reply(page).press('Enter');
    await articles(page, 'Half a reply').waitFor();
    await page.reload();
    await reply(page).waitFor();
    expect(await reply(page).inputValue()).toBe('');
  });

  it('files go with a reply, and one that is refused says why', async () => {
    const scene = await threadScene(server());
    const visitor = await open(scene);
    const { page } = visitor;
    const files = [
      { name: 'offer <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('An offer.') },
      { name: 'program.exe', mimeType: 'application/octet-stream', buffer: Buffer.from([77, 90, 0, 0]) },
    ];
    await page.locator('input[type=file]').setInputFiles(files);
    const list = page.getByRole('list', { name: 'Attachments' });
    await list.getByRole('button', { name: 'Retry' }).waitFor();
    await expectAccessible(visitor, 'attachments');
    await list.getByRole('button', { name: 'Remove program.exe' }).click();
    await reply(page).fill('Here it is.');
    await reply(page).press('Enter');
    await articles(page, 'Here it is.')
      .getByRole('link', { name: /offer <b>\.txt/ })
      .waitFor();
    expect(await list.count()).toBe(0);
  });

  it('notes stay inside and have a limit; Enter that ends a composition sends nothing', async () => {
    const scene = await threadScene(server());
    const { page } = await open(scene);
    await reply(page).fill('にほん');
    await reply(page).evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })),
    );
    expect(await reply(page).inputValue()).toBe('にほん');
    await page.getByRole('button', { name: 'More ways to send' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Enter sends' }).click();
    await page.keyboard.press('Escape');
    await reply(page).press('End');
    await reply(page).press('Enter');
    expect(await reply(page).inputValue()).toBe('にほん\n');
    await writeNote(page);
    const note = page.getByRole('textbox', { name: 'Private note' });
    await note.fill('n'.repeat(2001));
    await page.getByText('1 too many').waitFor();
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('The text is 1 characters too long.').waitFor();
    await note.fill('Short.');
    await note.press('Control+Enter');
    await articles(page, 'Short.').waitFor();
    expect(await receivedTexts(server().app, scene.company.id)).toEqual([]);
  });

  it('quick replies are filled in, and what is missing is asked for', async () => {
    const scene = await threadScene(server());
    await scene.api.post('/quick-replies', { shortcut: 'hello', text: 'Hello {{contact.first_name}}!' });
    await scene.api.post('/quick-replies', {
      shortcut: 'order',
      text: 'Order {{order.number}} is on its way.',
    });
    const { page } = await open(scene);
    const choices = page.getByRole('listbox', { name: 'Suggestions' });
    await reply(page).pressSequentially('/hel');
    await choices.getByRole('option', { name: /hello/ }).waitFor();
    await reply(page).press('Enter');
    await expect.poll(() => reply(page).inputValue()).toBe('Hello Ana!');
    await reply(page).pressSequentially(' /ord');
    await choices.getByRole('option', { name: /order/ }).click();
    await expect.poll(() => reply(page).inputValue()).toContain('{{order.number}}');
    await reply(page).press('Enter');
    await page.getByText('Fill in {{order.number}} first.').waitFor();
    await page.keyboard.type('1001');
    expect(await reply(page).inputValue()).toBe('Hello Ana! Order 1001 is on its way.');
  });

  it('two agents see who writes, and one can take over', async () => {
    const scene = await threadScene(server());
    const email = await scene.agent('Bob Brito');
    const owner = await open(scene);
    const bob = await open(scene, email);
    await reply(owner.page).pressSequentially('I am on it');
    await bob.page.getByText(/is replying\.$/).waitFor();
    expect(await reply(bob.page).getAttribute('readonly')).not.toBeNull();
    await expectAccessible(bob, 'locked');
    await bob.page.getByRole('button', { name: 'Take over' }).click();
    const dialog = bob.page.getByRole('dialog', { name: /^Take over from/ });
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await owner.page.getByText('Bob Brito took over. Your text is kept.').waitFor();
    expect(await reply(owner.page).inputValue()).toBe('I am on it');
    await bob.page.getByText(/is replying\.$/).waitFor({ state: 'detached' });
    await Promise.all(
      [owner, bob].map(({ page }) => page.getByRole('button', { name: 'Assign to me' }).click()),
    );
    await expect
      .poll(async () => (await scene.api.get(`/conversations/${scene.id}`)).body.data.assignee)
      .not.toBeNull();
    const { assignee } = (await scene.api.get(`/conversations/${scene.id}`)).body.data;
    await owner.page
      .getByText(assignee.email === email ? 'Assigned to Bob Brito' : 'Assigned to you')
      .first()
      .waitFor();
  });

  it('what came while one reads above waits behind a pill, and looking at it marks it as read', async () => {
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

  it('suggestions are put into the text, added or dismissed, and never sent', async () => {
    const scene = await threadScene(server());
    const vip = (await scene.api.post('/tags', { name: 'VIP', color: '#B45309' })).body.data.id;
    const { page, ...visitor } = await open(scene);
    const panel = page.getByRole('complementary', { name: 'Details' });
    const suggest = panel.getByRole('button', { name: 'Suggest' });
    assist({});
    await suggest.click();
    await panel.getByText('AI is unavailable.').waitFor();
    assist({ suggest: async () => ok([]) });
    await suggest.click();
    await panel.getByText('Nothing to suggest.').waitFor();
    assist({
      suggest: async () =>
        ok([
          { kind: 'reply', text: 'With pleasure.' },
          { kind: 'tag', tag: vip },
          { kind: 'tip', text: 'She is in a hurry.' },
        ]),
    });
    await suggest.click();
    await panel.getByRole('article', { name: 'Suggested tip' }).waitFor();
    await expectAccessible({ page, ...visitor }, 'suggestions');
    await panel
      .getByRole('article', { name: 'Suggested reply' })
      .getByRole('button', { name: 'Insert' })
      .click();
    await expect.poll(() => reply(page).inputValue()).toBe('With pleasure.');
    await panel.getByRole('article', { name: 'Suggested tag' }).getByRole('button', { name: 'Add' }).click();
    await panel.getByRole('button', { name: 'Take off the tag VIP' }).waitFor();
    const tip = panel.getByRole('article', { name: 'Suggested tip' });
    const { data } = (await scene.api.get(`/conversations/${scene.id}/ai-suggestions`)).body;
    await scene.api.post(`/conversations/${scene.id}/ai-suggestions/${data[0].id}/dismiss`);
    await tip.waitFor({ state: 'detached' });
    expect(await receivedTexts(server().app, scene.company.id)).toEqual([]);
  });

  it('an action is shown at once, and the details open over the thread on a phone', async () => {
    const scene = await threadScene(server());
    const visitor = await visit(server().url, narrow);
    await signIn(visitor, scene.company.owner.email, scene.path);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('button', { name: 'Details' }).click();
    const panel = page.getByRole('complementary', { name: 'Details' });
    await panel.getByText('+351912345678').waitFor();
    await expectAccessible(visitor, 'details');
    await panel.getByRole('button', { name: 'Hide the details' }).click();
    await panel.waitFor({ state: 'detached' });
  });
});
