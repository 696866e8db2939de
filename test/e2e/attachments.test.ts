import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { picture } from '../support/files.ts';
import { useServer } from '../support/server.ts';
import { simulatorOutbox } from '../../server/messages/simulate.ts';
import { articles, reply, thread, threadScene } from '../support/thread.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

interface Given {
  name: string;
  type: string;
  base64: string;
}

/** Lets go of files over the composer, or pastes them, as a browser tells a page of it. */
const give = (page: Page, how: 'drop' | 'paste', files: readonly Given[]) =>
  reply(page).evaluate(
    (field, [event, given]) => {
      const data = new DataTransfer();
      for (const { name, type, base64 } of given) {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], name, { type }));
      }
      const options = { bubbles: true, cancelable: true };
      field.dispatchEvent(
        event === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      );
    },
    [how, files] as const,
  );

const textFile = (name: string, size: number): Given => ({
  name,
  type: 'text/plain',
  base64: Buffer.from('offer '.repeat(size).slice(0, size)).toString('base64'),
});

describe.skipIf(!hasBrowser)('files beside a reply', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000', MEDIA_MAX_BYTES: '200000' });
  const visit = useBrowser();

  it('scenario 21: are pasted, dropped, refused when too large, cancelled and tried again', async () => {
    const scene = await threadScene(server());
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, scene.company.owner.email, scene.path);
    await thread(page).getByRole('article').first().waitFor();
    const list = page.getByRole('list', { name: 'Attachments' });
    const file = (name: string) => list.getByRole('listitem').filter({ hasText: name });

    const image = {
      name: 'picture.png',
      type: 'image/png',
      base64: (await picture('png', 40)).toString('base64'),
    };
    await give(page, 'paste', [image]);
    await file('picture.png')
      .getByText(/\d+ (B|byte|kB)/)
      .waitFor();

    // What holds the second file shows its progress; the third is lost on its way, once.
    let lost = 0;
    await page.route('**/uploads', async (route) => {
      const body = route.request().postDataBuffer()?.toString('latin1') ?? '';
      if (body.includes('filename="slow.txt"')) return;
      if (body.includes('filename="lost.txt"') && lost++ === 0) return route.abort();
      await route.continue();
    });
    await give(page, 'drop', [
      textFile('large.txt', 300_000),
      textFile('slow.txt', 500),
      textFile('lost.txt', 400),
    ]);
    await file('large.txt')
      .getByText(/over 200 kB/)
      .waitFor();
    await file('slow.txt').getByRole('progressbar', { name: 'Upload of slow.txt' }).waitFor();
    await file('lost.txt').getByText('The server does not answer.').waitFor();
    await expectAccessible(visitor, 'attachments-of-all-kinds');

    // One that is on its way holds the reply; one that failed does not.
    await reply(page).fill('Here they are.');
    await reply(page).press('Enter');
    await page.getByRole('alert').filter({ hasText: /file/i }).waitFor();
    await list.getByRole('button', { name: 'Remove slow.txt' }).click();
    await file('slow.txt').waitFor({ state: 'detached' });
    await file('lost.txt').getByRole('button', { name: 'Retry' }).click();
    await file('lost.txt')
      .getByText(/\d+ (B|byte|kB)/)
      .waitFor();
    expect(lost).toBe(2);
    await list.getByRole('button', { name: 'Remove large.txt' }).click();

    await reply(page).press('Enter');
    await articles(page, 'Here they are.').getByRole('button', { name: 'Look at picture.png' }).waitFor();
    await thread(page)
      .getByRole('link', { name: /lost\.txt/ })
      .waitFor();
    await expect.poll(() => list.count()).toBe(0);
    await articles(page, 'Here they are.').getByRole('button', { name: 'Send now' }).click();
    await expect
      .poll(async () => (await simulatorOutbox(server().app, scene.company.id)).length, { timeout: 30_000 })
      .toBe(2);
    // The one upload that was cut off on purpose.
    expect(visitor.faults.filter((fault) => !fault.includes('net::ERR_FAILED'))).toEqual([]);
    visitor.faults.length = 0;
  });
});
