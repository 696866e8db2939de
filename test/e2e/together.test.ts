import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { ownerPage } from '../support/page.ts';
import { useServer } from '../support/server.ts';
import { articles, reply, thread, threadScene, type ThreadScene, writeNote } from '../support/thread.ts';
import { signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('two agents', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();
  const open = async (scene: ThreadScene, email: string, path = scene.path) => {
    const visitor = await visit(server().url);
    await signIn(visitor, email, path);
    return visitor;
  };

  it('scenario 8: what one looks at is read for the other, or what one answers if one prefers that', async () => {
    const scene = await threadScene(server());
    const bob = await open(scene, await scene.agent('Bob Brito'), '/inbox');
    const unread = bob.page.getByRole('option', { name: /Ana Antunes/ }).getByText('1 unread');
    await unread.waitFor();
    const ann = await open(scene, scene.company.owner.email);
    await articles(ann.page, 'Good morning!').waitFor();
    await unread.waitFor({ state: 'detached' });

    const settings = await ownerPage(server().url, scene.company);
    await settings.mutate('account.updateProfile', { preferences: { markRead: 'reply' } });
    await ann.page.reload();
    await articles(ann.page, 'Good morning!').waitFor();
    await scene.writes('Are you there?');
    await articles(ann.page, 'Are you there?').waitFor();
    await unread.waitFor();
    // More than it takes to be marked by a look.
    await ann.page.waitForTimeout(3_000);
    expect(await unread.count()).toBe(1);
    await reply(ann.page).fill('I am.');
    await reply(ann.page).press('Enter');
    await unread.waitFor({ state: 'detached' });
  });

  it('scenario 27: a reply that is not gone on with is free again after half a minute', async () => {
    const scene = await threadScene(server());
    const bob = await open(scene, await scene.agent('Bob Brito'));
    const ann = await open(scene, scene.company.owner.email);
    await thread(bob.page).getByRole('article').first().waitFor();
    await reply(ann.page).pressSequentially('I am on it');
    const replying = bob.page.getByText(/is replying\.$/);
    await replying.waitFor();
    const isReadOnly = () => reply(bob.page).getAttribute('readonly');
    expect(await isReadOnly()).not.toBeNull();
    await writeNote(bob.page);
    await bob.page.getByRole('textbox', { name: 'Private note' }).fill('Ask for the size.');
    await bob.page.getByRole('button', { name: 'Add note' }).click();
    await articles(bob.page, 'Ask for the size.').waitFor();
    await bob.page.locator('label').filter({ hasText: 'Reply' }).click();
    await replying.waitFor({ state: 'detached', timeout: 90_000 });
    expect(await isReadOnly()).toBeNull();
    expect(await reply(ann.page).inputValue()).toBe('I am on it');
  });
});
