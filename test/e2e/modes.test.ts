import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { reply, threadScene } from '../support/thread.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the two modes', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('scenario 4: each has its own records and drafts, and a campaign says in which it is sent', async () => {
    const scene = await threadScene(server());
    const sandbox = await scene.company.client({ mode: 'test' });
    const [conversation] = (await sandbox.get('/conversations', { status: 'open' })).body.data;
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, scene.company.owner.email, `/inbox?open=${scene.id}`);
    await reply(page).fill('For Ana');
    await page.getByText('Saved', { exact: true }).waitFor();

    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Switch to test mode' }).click();
    await page.getByText('Test mode. Nothing here reaches customers').waitFor();
    await page.locator(`[data-id="${conversation.id}"]`).waitFor();
    expect(await page.getByRole('option', { name: 'Ana Antunes' }).count()).toBe(0);
    await page.locator(`[data-id="${conversation.id}"]`).click();
    await expect.poll(() => reply(page).inputValue()).toBe('');
    await reply(page).fill('For the sandbox');
    await expectAccessible(visitor, 'inbox-test-mode');

    await page.getByRole('button', { name: 'Switch to live' }).click();
    await page.getByRole('option', { name: 'Ana Antunes' }).click();
    await expect.poll(() => reply(page).inputValue()).toBe('For Ana');
    await page.goto(`/inbox?mode=test&open=${conversation.id}`);
    await expect.poll(() => reply(page).inputValue()).toBe('For the sandbox');
    await page.goto(`/inbox?open=${scene.id}`);
    await expect.poll(() => reply(page).inputValue()).toBe('For Ana');

    const campaigns = (await sandbox.get('/campaigns', { limit: 100 })).body.data as {
      id: string;
      name: string;
      allowed_actions: string[];
    }[];
    const ready = campaigns.find(({ allowed_actions: allowed }) => allowed.includes('send'));
    if (!ready) throw new Error('The sandbox has no campaign that can be sent.');
    await page.goto(`/campaigns/${ready.id}?mode=test`);
    await page.getByRole('button', { name: 'Send now…' }).click();
    const dialog = page.getByRole('dialog', { name: `Send ${ready.name} in test mode?` });
    await dialog.getByText('In test mode nobody is written to.').waitFor();
    await expectAccessible(visitor, 'campaign-send-test-mode');
  });
});
