import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { Client } from '../support/client.ts';
import { ownerPage } from '../support/page.ts';
import { useServer } from '../support/server.ts';
import { addContact } from '../support/shop.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';

describe.skipIf(!hasBrowser)('whoever asks too much', () => {
  // A session has ten times the budget of a key.
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000', RATE_LIMIT_PER_MINUTE: '12' });
  const visit = useBrowser();

  it('scenario 48: is told how long to wait, and goes on by itself', async () => {
    const company = await server().company('Casa');
    const setUp = await company.client();
    await addContact(setUp, { name: 'Ana Sousa' });
    const visitor = await visit(server().url);
    const { page } = visitor;
    await signIn(visitor, company.owner.email, '/home');
    await page.waitForLoadState('networkidle');
    const other = await ownerPage(server().url, company);
    const alert = page.getByRole('alert').filter({ hasText: 'Possible again in' });
    // A minute may end meanwhile: then the next one is used up as well.
    await expect
      .poll(
        async () => {
          for (let n = 0; n < 130; n++) if ((await other.query('tags.list')).status === 429) break;
          await page.getByRole('link', { name: 'Home', exact: true }).click();
          await page.getByRole('link', { name: 'Contacts', exact: true }).click();
          return alert
            .or(page.getByRole('link', { name: 'Ana Sousa' }))
            .first()
            .textContent();
        },
        { timeout: 120_000, interval: 500 },
      )
      .toMatch(/Possible again in \d+ s/);
    await expectAccessible(visitor, 'rate-limited');
    await alert.waitFor({ state: 'detached', timeout: 120_000 });
    await page.getByRole('link', { name: 'Ana Sousa' }).waitFor();

    const key = new Client(server().url, (await company.key()).key);
    const answers = [];
    for (let n = 0; n < 26; n++) answers.push(await key.get('/tags'));
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
