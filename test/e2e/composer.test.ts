import { describe, expect, it, vi } from 'vitest';
import { assist, ok } from '../support/ai.ts';
import { aiSays } from '../support/ai-says.ts';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { receivedTexts } from '../support/simulator.ts';
import { articles, reply, thread, threadScene, type ThreadScene, writeNote } from '../support/thread.ts';
import { expectAccessible, narrow, signIn, useBrowser } from '../support/visitor.ts';

vi.mock(import('../../server/ai/select.ts'), async (original) =>
  (await import('../support/ai.ts')).selection(await original()),
);

describe.skipIf(!hasBrowser)('beside the timeline', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const open = async (scene: ThreadScene, email = scene.company.owner.email) => {
    const visitor = await visit(server().url);
    await signIn(visitor, email, scene.path);
    await thread(visitor.page).getByRole('article').first().waitFor();
    return visitor;
  };

  it('scenario 36: AI messages are rated one by one', async () => {
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

  it('scenario 20: drafts stay with their conversation and mode', async () => {
    const scene = await threadScene(server());
    const { page } = await open(scene);
    await reply(page).fill('Half a reply');
    await writeNote(page);
    await page.getByRole('textbox', { name: 'Private note' }).fill('Half a note');
    await page.reload();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Private note' }).inputValue())
      .toBe('Half a note');
    await page.locator('label').filter({ hasText: 'Reply' }).click();
    await expect.poll(() => reply(page).inputValue()).toBe('Half a reply');
    await reply(page).press('Enter');
    await articles(page, 'Half a reply').waitFor();
    await page.reload();
    await reply(page).waitFor();
    await expect.poll(() => reply(page).inputValue()).toBe('');
  });

  it('emoji come by name and from all of them, from our own server', async () => {
    const scene = await threadScene(server());
    const visitor = await open(scene);
    const { page } = visitor;
    await reply(page).pressSequentially('Hello :wavin');
    const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
    await suggestions.getByRole('option', { name: 'waving hand' }).waitFor();
    await reply(page).press('Enter');
    await expect.poll(() => reply(page).inputValue()).toBe('Hello 👋');
    await page.getByRole('button', { name: 'Emoji' }).click();
    const picker = page.getByRole('dialog', { name: 'Emoji' });
    await picker.getByRole('gridcell', { name: 'grinning face', exact: true }).waitFor();
    await expectAccessible(visitor, 'emoji');
    await picker.getByRole('searchbox', { name: 'Find an emoji' }).fill('red heart');
    await picker.getByRole('gridcell', { name: 'red heart' }).click();
    await picker.waitFor({ state: 'detached' });
    await expect.poll(() => reply(page).inputValue()).toBe('Hello 👋❤️');
    await reply(page).press('Enter');
    await articles(page, 'Hello 👋❤️').waitFor();
  });

  it('scenario 21: files go with a reply, and one that is refused says why', async () => {
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
    await expect.poll(() => list.count()).toBe(0);
  });

  it('scenario 22 and scenario 24: notes stay inside and have a limit; Enter that ends a composition sends nothing', async () => {
    const scene = await threadScene(server());
    const { page } = await open(scene);
    await reply(page).fill('にほん');
    await reply(page).evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true })),
    );
    await expect.poll(() => reply(page).inputValue()).toBe('にほん');
    await page.getByRole('button', { name: 'More ways to send' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Enter sends' }).click();
    await page.keyboard.press('Escape');
    await reply(page).press('End');
    await reply(page).press('Enter');
    await expect.poll(() => reply(page).inputValue()).toBe('にほん\n');
    await writeNote(page);
    const note = page.getByRole('textbox', { name: 'Private note' });
    await note.fill('n'.repeat(2001));
    await page.getByText('1 too many').waitFor();
    await page.getByRole('button', { name: 'Add note' }).click();
    await page.getByText('The text is 1 character too long.').waitFor();
    await note.fill('Short.');
    await note.press('Control+Enter');
    await articles(page, 'Short.').waitFor();
    expect(await receivedTexts(server().app, scene.company.id)).toEqual([]);
  });

  it('scenario 23: quick replies are filled in, and what is missing is asked for', async () => {
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
    await page.getByRole('note', { name: 'As the customer reads it' }).getByText('Hello Ana!').waitFor();
    await reply(page).press('Enter');
    await expect.poll(() => reply(page).inputValue()).toBe('Hello Ana!');
    await reply(page).pressSequentially(' /ord');
    await choices.getByRole('option', { name: /order/ }).click();
    await expect.poll(() => reply(page).inputValue()).toContain('{{order.number}}');
    await reply(page).press('Enter');
    await page.getByText('Fill in order.number first.').waitFor();
    const missing = page.getByRole('textbox', { name: 'order.number' });
    await expect.poll(() => missing.evaluate((field) => field === document.activeElement)).toBe(true);
    await missing.fill('1001');
    await missing.press('Enter');
    await expect.poll(() => reply(page).inputValue()).toBe('Hello Ana! Order 1001 is on its way.');
    await expect.poll(() => reply(page).evaluate((field) => field === document.activeElement)).toBe(true);
  });

  it('scenario 27: two agents see who writes, and one can take over', async () => {
    const scene = await threadScene(server());
    const email = await scene.agent('Bob Brito');
    const owner = await open(scene);
    const bob = await open(scene, email);
    await reply(owner.page).pressSequentially('I am on it');
    await bob.page.getByText(/is replying\.$/).waitFor();
    expect(await reply(bob.page).getAttribute('readonly')).not.toBeNull();
    await bob.page.getByRole('button', { name: 'Take over' }).click();
    const dialog = bob.page.getByRole('dialog', { name: /^Take over from/ });
    await dialog.waitFor();
    await expectAccessible(bob, 'take-over');
    await dialog.getByRole('button', { name: 'Take over' }).click();
    await owner.page.getByText('Bob Brito took over. Your text is kept.').waitFor();
    await expect.poll(() => reply(owner.page).inputValue()).toBe('I am on it');
    await expectAccessible(owner, 'taken-over');
    await bob.page.getByText(/is replying\.$/).waitFor({ state: 'detached' });
    await Promise.all(
      [owner, bob].map(({ page }) =>
        page
          .getByRole('button', { name: 'Assign to me', exact: true })
          .click({ timeout: 5_000 })
          // The other was so much faster that the button is gone.
          .catch(() => {}),
      ),
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

  it('scenario 35: suggestions are put into the text, added or dismissed, and never sent', async () => {
    const scene = await threadScene(server());
    const vip = (await scene.api.post('/tags', { name: 'VIP', color: '#B45309' })).body.data.id;
    const { page, ...visitor } = await open(scene);
    const panel = page.getByRole('complementary', { name: 'Details' });
    const suggest = panel.getByRole('button', { name: 'Generate' });
    assist({});
    await suggest.click();
    await panel.getByText('AI unavailable, showing the previous suggestions.').waitFor();
    assist({ suggest: async () => ok([]) });
    await suggest.click();
    await panel.getByText('Nothing to suggest').waitFor();
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
    // Somebody else is faster by a moment.
    await page.route('**/trpc/ai.approveSuggestion*', async (route) => {
      await scene.api.post(`/conversations/${scene.id}/ai-suggestions/${data[0].id}/dismiss`);
      await route.continue();
    });
    await tip.getByRole('button', { name: 'Got it' }).click();
    await page.getByText('That suggestion was already used or withdrawn.').waitFor();
    await tip.waitFor({ state: 'detached' });
    expect(await receivedTexts(server().app, scene.company.id)).toEqual([]);
  });

  it('scenario 29: who the customer is can be put right, and a colleague gets the conversation with a word', async () => {
    const scene = await threadScene(server());
    const email = await scene.agent('Bob Brito');
    const { page } = await open(scene);
    const panel = page.getByRole('complementary', { name: 'Details' });
    await panel.getByRole('button', { name: 'Edit', exact: true }).click();
    await panel.getByLabel('Name').fill('Ana Alves');
    await panel.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Ana Alves', level: 2 }).waitFor();
    await thread(page).focus();
    await page.keyboard.press('s');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent ?? '')).toBe('Generate');
    await page.keyboard.press('v');
    const dialog = page.getByRole('dialog', { name: 'Transfer' });
    await dialog.getByLabel('To').selectOption({ label: 'Bob Brito' });
    await dialog.getByLabel('Note').fill('She asks for an invoice.');
    await dialog.getByRole('button', { name: 'Transfer' }).click();
    await page.getByText('Assigned to Bob Brito').waitFor();
    await articles(page, 'She asks for an invoice.').waitFor();
    await panel.getByText(/^Followed by/).waitFor({ state: 'detached' });
    await panel.getByRole('button', { name: 'Follow', exact: true }).click();
    await panel.getByText(/^Followed by/).waitFor();
    await expect
      .poll(async () => {
        const { rows } = await server().app.pool.query(
          `SELECT count(*)::int AS n FROM notifications JOIN users ON users.id = notifications.user_id
           WHERE users.email = $1`,
          [email],
        );
        return rows[0].n;
      })
      .toBeGreaterThan(0);
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
    await panel.getByText('+351 912 345 678').waitFor();
    await expectAccessible(visitor, 'details');
    await panel.getByRole('button', { name: 'Hide the details' }).click();
    await panel.waitFor({ state: 'detached' });
  });
});
