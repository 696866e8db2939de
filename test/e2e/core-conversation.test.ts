import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { receivedTexts } from '../support/simulator.ts';
import { threadScene } from '../support/thread.ts';
import { expectAccessible, narrow, signIn, useBrowser, widths } from '../support/visitor.ts';

const probe = '<img src=x onerror="alert(1)"> <script>alert(2)</script> https://example.com/a?b=1.';

describe.skipIf(!hasBrowser)('a conversation', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it.each(widths(narrow))(
    'scenario 22 and scenario 26: is heard, answered and noted live, at $width px',
    async (viewport) => {
      const scene = await threadScene(server(), { first: probe, name: '<b>Ana</b>' });
      const [bob, carla] = [await scene.agent('Bob Brito'), await scene.agent('Carla Dias')];
      const visitor = await visit(server().url, viewport);
      const { page } = visitor;
      await signIn(visitor, scene.company.owner.email, scene.path);
      const thread = page.getByRole('log', { name: 'Conversation with <b>Ana</b>' });
      await thread.getByText('<img src=x onerror="alert(1)"> <script>').waitFor();
      const link = thread.getByRole('link', { name: 'https://example.com/a?b=1' });
      expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
      await expect.poll(() => page.locator('img[src=x]').count()).toBe(0);

      await scene.writes('Is the lamp still there?');
      await thread.getByText('Is the lamp still there?').waitFor();
      const field = page.getByRole('textbox', { name: 'Reply to <b>Ana</b>' });
      await field.fill('Yes, one is left.');
      await field.press('Enter');
      const answer = thread.getByRole('article').filter({ hasText: 'Yes, one is left.' });
      await answer.getByRole('button', { name: 'Send now' }).click();
      await answer.getByText('Read', { exact: true }).waitFor();
      await expect.poll(() => answer.count()).toBe(1);

      await page.locator('label').filter({ hasText: 'Private note' }).click();
      const note = page.getByRole('textbox', { name: 'Private note' });
      await note.pressSequentially('Please keep one for her, @Bob');
      await page
        .getByRole('listbox', { name: 'Suggestions' })
        .getByRole('option', { name: 'Bob Brito' })
        .waitFor();
      await note.press('Enter');
      await page.getByRole('button', { name: 'Remove Bob Brito' }).waitFor();
      await note.pressSequentially(' and @Car');
      await page
        .getByRole('listbox', { name: 'Suggestions' })
        .getByRole('option', { name: 'Carla Dias' })
        .waitFor();
      await note.press('Enter');
      await page.getByRole('button', { name: 'Remove Carla Dias' }).waitFor();
      await page.getByRole('button', { name: 'Add note' }).click();
      const noted = thread.getByRole('article', { name: /^Private note/ });
      await noted.getByText(/^Mentions Bob Brito(, | and )Carla Dias/).waitFor();
      const { rows } = await server().app.pool.query(
        `SELECT count(*)::int AS n FROM notifications JOIN users ON users.id = notifications.user_id
       WHERE kind = 'mention' AND users.email = ANY($1)`,
        [[bob, carla]],
      );
      expect(rows[0]).toEqual({ n: 2 });
      expect(await receivedTexts(server().app, scene.company.id)).toEqual(['Yes, one is left.']);
      await expectAccessible(visitor, 'conversation');
    },
  );
});
