import { describe, expect, it } from 'vitest';
import { announce } from '../../server/platform/announce.ts';
import { systemContext } from '../../server/platform/system-context.ts';
import { inUnitOfWork } from '../../server/platform/unit-of-work.ts';
import { hasBrowser } from '../support/browser.ts';
import { picture } from '../support/files.ts';
import { uploadTo } from '../support/media.ts';
import { insertMessages } from '../support/rows.ts';
import { useServer } from '../support/server.ts';
import { articles, reply, thread, threadScene, type ThreadScene } from '../support/thread.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

const day = 86_400_000;

describe.skipIf(!hasBrowser)('in the timeline', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const open = async (scene: ThreadScene, viewport = wide, path = scene.path) => {
    const visitor = await visit(server().url, viewport);
    await visitor.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(visitor, scene.company.owner.email, path);
    await thread(visitor.page).getByRole('article').first().waitFor();
    return visitor;
  };

  it.each([wide, narrow])('words and days are found, also far above, at $width px', async (viewport) => {
    const scene = await threadScene(server());
    const before = Date.now() - 10 * day;
    const texts = Array.from({ length: 130 }, (_, n) => ({
      text: n % 50 === 5 ? `the brass lamp ${n}` : `message ${n}`,
      at: new Date(before + n * 60_000),
    }));
    await insertMessages(server().app, scene.company.id, scene.id, texts);
    const visitor = await open(scene, viewport);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Search in this conversation' }).click();
    const field = page.getByRole('textbox', { name: 'Search in this conversation' });
    await expectAccessible(visitor, 'thread-search');
    await field.fill('BRASS lamp');
    await page.getByText('1 of 3').waitFor();
    const inView = (text: string) =>
      expect
        .poll(() =>
          articles(page, text).evaluateAll((found) =>
            found.some((one) => {
              const box = one.closest('[role=log]')?.getBoundingClientRect();
              const { top, bottom } = one.getBoundingClientRect();
              return box !== undefined && top >= box.top - 1 && bottom <= box.bottom + 1;
            }),
          ),
        )
        .toBe(true);
    await inView('the brass lamp 105');
    await field.press('Enter');
    await field.press('Enter');
    await page.getByText('3 of 3').waitFor();
    await inView('the brass lamp 5');
    await field.press('Shift+Enter');
    await inView('the brass lamp 55');
    await field.fill('velvet');
    await page.getByText('Nothing found').waitFor();
    const first = new Date(before);
    const lisbon = new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Lisbon' }).format(first);
    await page.getByLabel('Go to a day').fill(lisbon);
    await inView('message 0');
    await page.getByRole('button', { name: 'Close the search' }).click();
  });

  it('the keys go from entry to entry, and Enter says what can be done with one', async () => {
    const scene = await threadScene(server());
    await insertMessages(server().app, scene.company.id, scene.id, [
      { text: 'First of all' },
      { text: 'and then' },
    ]);
    const visitor = await open(scene);
    const { page } = visitor;
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
    await articles(page, 'and then').waitFor();
    await thread(page).focus();
    const up = async () => {
      await page.keyboard.press('ArrowUp');
      return focused();
    };
    await expect.poll(up).toContain('and then');
    await expect.poll(up).toContain('First of all');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Quote in a reply' }).waitFor();
    await expectAccessible(visitor, 'entry-menu');
    await page.getByRole('menuitem', { name: 'Copy the text' }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('First of all');
    await expect.poll(focused).toContain('First of all');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy the link' }).click();
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/\/conversations\/\w+\?entry=\w+$/);
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Create a quick reply…' }).click();
    const dialog = page.getByRole('dialog', { name: 'New quick reply' });
    await dialog.getByLabel('Shortcut').fill('first');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.goto(link);
    await expect.poll(focused).toContain('First of all');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Quote in a reply' }).click();
    await page.getByText('Answers: First of all').waitFor();
    await reply(page).pressSequentially('/fir');
    await page.getByRole('option', { name: /first/ }).waitFor();
  });

  it('pictures are looked at one by one, and who types or has read is seen', async () => {
    const scene = await threadScene(server());
    for (const name of ['one.png', 'two.png']) {
      const { url } = (await uploadTo(scene.api, await picture('png', 40), name, 'image/png')).body.data;
      await scene.api.post('/messages', { conversation: scene.id, media_url: url });
    }
    const visitor = await open(scene);
    const { page } = visitor;
    await thread(page).getByText('Seen by Ana Antunes').waitFor();
    await thread(page).getByRole('button', { name: 'Look at one.png' }).click();
    const dialog = page.getByRole('dialog', { name: 'one.png' });
    await dialog.getByText('1 of 2').waitFor();
    await expectAccessible(visitor, 'lightbox');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'two.png' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const ctx = await systemContext(server().app, scene.company.id);
    await expect
      .poll(async () => {
        await inUnitOfWork(ctx, (work) =>
          announce(work, { type: 'typing', conversation: scene.id, object: { typing: true } }),
        );
        return thread(page).getByText('Ana Antunes is typing…').count();
      })
      .toBe(1);
    await scene.writes('Here I am');
    await articles(page, 'Here I am').waitFor();
    await thread(page).getByText('Ana Antunes is typing…').waitFor({ state: 'detached' });
  });
});
