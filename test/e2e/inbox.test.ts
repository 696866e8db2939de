import { describe, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { insertConversations, insertMessages } from '../support/rows.ts';
import { type TestCompany, useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  const names = ['Ana Sousa', 'Bruno Lima', 'Carla Dias', 'Diego Ruiz', 'Eva Pinto', 'Filipe Nunes'];
  const texts = [
    'Is the blue one in stock?',
    'Thanks, it arrived yesterday and everything is in perfect order.',
    'Can I change the delivery address of my order?',
    'Hi',
  ];

  /** A few conversations as a working day leaves them. */
  async function aDay(company: TestCompany): Promise<string[]> {
    const { app } = server();
    const client = await company.client();
    const tags: string[] = [];
    for (const [name, color] of [
      ['vip', '#C2410C'],
      ['delivery', '#0F766E'],
      ['invoice', '#6D28D9'],
    ]) {
      const { body } = await client.post('/tags', { name, color });
      tags.push(body.data.id);
    }
    const ids = await insertConversations(app, company.id, 30, (n) => ({
      channel: ['whatsapp', 'webchat', 'email'][n % 3]!,
      unread_count: n % 4 === 0 ? n + 1 : 0,
      tag_ids: tags.slice(0, n % 4),
      assignee_id: n % 3 === 0 ? company.owner.id : null,
      waiting_since: n % 2 === 0 ? new Date(Date.now() - n * 1_000_000) : null,
      muted: n === 2,
      last_message_at: new Date(Date.now() - n * 700_000),
    }));
    for (const [n, id] of ids.entries()) {
      await app.pool.query(
        'UPDATE contacts SET name = $1 WHERE id = (SELECT contact_id FROM conversations WHERE id = $2)',
        [names[n % names.length], id],
      );
      await insertMessages(app, company.id, id, [
        {
          text: texts[n % texts.length]!,
          direction: n % 3 === 1 ? 'outbound' : 'inbound',
          at: new Date(Date.now() - n * 700_000),
        },
      ]);
    }
    return ids;
  }

  it.each([wide, narrow])('is a list one can live in, at $width px', async (viewport) => {
    const company = await server().company('Casa');
    await aDay(company);
    const visitor = await visit(server().url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByRole('option').first().waitFor();
    await expectAccessible(visitor, 'inbox-day');
    await page.keyboard.press('J');
    await page.keyboard.press('J');
    await page.keyboard.press('X');
    await page.getByText('1 selected').waitFor();
    await expectAccessible(visitor, 'inbox-selected');
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await expectAccessible(visitor, 'inbox-cheat-sheet');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+K');
    await page.getByRole('dialog', { name: 'Commands' }).waitFor();
    await expectAccessible(visitor, 'inbox-palette');
  });
});
