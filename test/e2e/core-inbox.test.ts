import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { useServer } from '../support/server.ts';
import { settled } from '../support/settled.ts';
import { addSimulator, deliver } from '../support/simulator.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('the inbox', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it.each([wide, narrow])('shows what comes in at once, at $width px', async (viewport) => {
    const { app, url } = server();
    const company = await server().company('Casa');
    const channel = await addSimulator(app, company.id);
    const visitor = await visit(url, viewport);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/inbox');
    await page.getByText('Nothing waiting. Nice.').waitFor();
    await expectAccessible(visitor, 'inbox-empty');
    await settled(app);
    await deliver(app, company.id, channel.id, {
      from: '+351912345678',
      name: 'Ana Sousa',
      text: 'Is the blue one in stock?',
    });
    const row = page.getByRole('option', { name: 'Ana Sousa' });
    await row.waitFor();
    await row.getByText('1 unread').waitFor();
    await expect.poll(() => page.title()).toBe('(1) Inbox · Parlour');
    await expectAccessible(visitor, 'inbox');
    await row.click();
    await page.waitForURL('**/inbox?open=*');
    await page.getByRole('heading', { level: 2 }).first().waitFor();
    await expectAccessible(visitor, 'inbox-open');
  });
});
