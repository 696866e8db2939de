import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { deliver } from '../support/simulator.ts';
import { articles, reply, thread, threadScene, type ThreadScene } from '../support/thread.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('what is written and not sent', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const open = async (scene: ThreadScene) => {
    const visitor = await visit(server().url);
    await signIn(visitor, scene.company.owner.email, scene.path);
    await thread(visitor.page).getByRole('article').first().waitFor();
    return visitor;
  };

  it('scenario 20: stays with its conversation, is there in another browser, and is gone once it is sent', async () => {
    const scene = await threadScene(server());
    const from = '+351966000111';
    await deliver(server().app, scene.company.id, scene.channel, { from, text: 'Me too', name: 'Rui' });
    await expect.poll(async () => (await scene.api.get('/conversations')).body.data.length).toBe(2);
    const first = await open(scene);
    const { page } = first;
    await page.goto(`/inbox?open=${scene.id}`);
    await reply(page).fill('Half a reply');
    // The file arrives while another conversation is looked at.
    let arrives = () => {};
    const away = new Promise<void>((resolve) => (arrives = resolve));
    await page.route('**/uploads', async (route) => {
      await away;
      await route.continue();
    });
    await page
      .locator('input[type=file]')
      .setInputFiles([{ name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('An offer.') }]);
    const list = page.getByRole('listbox', { name: 'Conversations' });
    await list.getByRole('option', { name: /Rui/ }).click();
    await page.getByRole('textbox', { name: 'Reply to Rui' }).waitFor();
    await expect.poll(() => reply(page).inputValue()).toBe('');
    const arrived = page.waitForResponse('**/uploads');
    arrives();
    await arrived;
    await list.getByRole('option', { name: /Ana Antunes/ }).click();
    await page.getByRole('textbox', { name: 'Reply to Ana Antunes' }).waitFor();
    await expect.poll(() => reply(page).inputValue()).toBe('Half a reply');
    await page.getByRole('list', { name: 'Attachments' }).getByText('offer.txt').waitFor();
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.reload();
    await expect.poll(() => reply(page).inputValue()).toBe('Half a reply');

    const second = await open(scene);
    await expect.poll(() => reply(second.page).inputValue()).toBe('Half a reply');
    await second.page.getByRole('list', { name: 'Attachments' }).getByText('offer.txt').waitFor();
    await reply(second.page).fill('A whole reply');
    await expect.poll(() => reply(page).inputValue()).toBe('A whole reply');
    await expectAccessible(second, 'draft');
    await reply(second.page).press('Enter');
    await articles(second.page, 'A whole reply').waitFor();
    for (const one of [page, second.page]) {
      await expect.poll(() => reply(one).inputValue()).toBe('');
      await expect.poll(() => one.getByRole('list', { name: 'Attachments' }).count()).toBe(0);
      await one.reload();
      await articles(one, 'A whole reply').waitFor();
      await expect.poll(() => reply(one).inputValue()).toBe('');
    }
  });
});
