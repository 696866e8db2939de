import { describe, it } from 'vitest';
import { createAgent } from '../../server/account/agents.ts';
import { simulateInbound } from '../../server/messages/simulate.ts';
import { hasBrowser } from '../support/browser.ts';
import { ownerPassword } from '../support/page.ts';
import { useServer } from '../support/server.ts';
import { expectAccessible, narrow, signIn, useBrowser, wide, widths } from '../support/visitor.ts';

describe.skipIf(!hasBrowser).each(widths(narrow))('notifications at $width px', (viewport) => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000' });
  const visit = useBrowser();

  it('the bell tells live of an assignment by a colleague', async () => {
    const company = await server().company('Casa');
    const from = viewport.width === wide.width ? '+351912342001' : '+351912342002';
    const { conversation } = (await simulateInbound(server().app, company.id, { from, text: 'Hello' }))!;
    const email = `ines-${viewport.width}@example.com`;
    await createAgent(server().app, {
      company: company.id,
      email,
      name: 'Ines Ilha',
      password: ownerPassword,
    });
    const ines = await visit(server().url, viewport);
    const { page } = ines;
    await signIn(ines, email, '/home');
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    const api = await company.client();
    await api.post(`/conversations/${conversation}/assign`, { assignee: email });
    await page.getByRole('button', { name: 'Notifications, 1 unread' }).click();
    await page.getByText('assigned you to').waitFor();
    await expectAccessible(ines, 'bell');
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('list', { name: 'Notifications, newest first' }).waitFor({ state: 'detached' });
  });
});
