import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { ownerPassword } from '../support/page.ts';
import { useServer } from '../support/server.ts';
import { receivedTexts } from '../support/simulator.ts';
import { articles, reply, thread, threadScene, type ThreadScene, writeNote } from '../support/thread.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('what is written and not sent', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const open = async (scene: ThreadScene) => {
    const visitor = await visit(server().url);
    await signIn(visitor, scene.company.owner.email, scene.path);
    await thread(visitor.page).getByRole('article').first().waitFor();
    return visitor;
  };

  it('scenario 3: is kept while the session ends, and a note is kept as a note', async () => {
    const scene = await threadScene(server());
    const { page, context } = await open(scene);
    await writeNote(page);
    const note = page.getByRole('textbox', { name: 'Private note' });
    await note.fill('Ask her about the size.');
    await page.getByText('Saved', { exact: true }).waitFor();
    const second = await open(scene);
    await expect
      .poll(() => second.page.getByRole('textbox', { name: 'Private note' }).inputValue())
      .toBe('Ask her about the size.');
    await second.context.close();
    await context.clearCookies();
    await note.pressSequentially(' And the colour.');
    const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
    await dialog.getByLabel('Password', { exact: true }).fill(ownerPassword);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => note.inputValue()).toMatch(/^Ask her about the size\. And/);
    await note.fill('Ask her about the size.');
    await note.press('Control+Enter');
    await articles(page, 'Ask her about the size.').waitFor();
    await expect.poll(() => note.inputValue()).toBe('');
    expect(await receivedTexts(server().app, scene.company.id)).toEqual([]);
  });

  it('is begun and sent by keys, and a reply that waits can be changed', async () => {
    const scene = await threadScene(server());
    await server().app.pool.query('UPDATE companies SET undo_send_seconds = 30 WHERE id = $1', [
      scene.company.id,
    ]);
    const { page } = await open(scene);
    await thread(page).focus();
    await page.keyboard.press('n');
    await page.getByRole('textbox', { name: 'Private note' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await expect.poll(() => reply(page).evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('One moment');
    await page.keyboard.press('Control+Enter');
    await articles(page, 'One moment').getByText('Sends in').waitFor();
    await page.keyboard.press('ArrowUp');
    await expect.poll(() => reply(page).inputValue()).toBe('One moment');
    await expect.poll(() => articles(page, 'One moment').count()).toBe(0);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.keyboard.press('Control+Shift+A'),
    ]);
    expect(chooser.isMultiple()).toBe(true);
    await page.getByRole('button', { name: 'Assign to me and send' }).click();
    await page.getByText('Assigned to you').waitFor();
    await reply(page).fill('That is all.');
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByRole('button', { name: 'Reopen' }).waitFor();
  });
});
