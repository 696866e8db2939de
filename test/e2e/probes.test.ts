import { describe, expect, it } from 'vitest';
import { hasBrowser } from '../support/browser.ts';
import { uploadTo } from '../support/media.ts';
import { startReceiver } from '../support/receiver.ts';
import { useServer } from '../support/server.ts';
import { articles, thread, threadScene } from '../support/thread.ts';
import { expectAccessible, signIn, useBrowser } from '../support/visitor.ts';
import { createEndpoint, loopbackAllowed } from '../support/webhooks.ts';

const probe = '<img src=x onerror="alert(1)">';
const script = '<script>alert(2)</script>';

describe.skipIf(!hasBrowser)('what others wrote', () => {
  const server = useServer({ SIGN_IN_ATTEMPTS: '1000', ...loopbackAllowed });
  const visit = useBrowser();

  it('scenario 26: is text wherever it is shown', async () => {
    const scene = await threadScene(server(), { first: `${script} hello`, name: probe });
    const { api, company, id } = scene;
    const tag = (await api.post('/tags', { name: `<b onclick="alert(3)">` })).body.data.id;
    await api.post(`/conversations/${id}/tags`, { tag });
    const { url } = (await uploadTo(api, 'An offer.', `<img src=x onerror=alert(4)>.txt`, 'text/plain')).body
      .data;
    await api.post('/messages', { conversation: id, media_url: url });
    const receiver = await startReceiver();
    receiver.answer((response) =>
      response.writeHead(500, { 'Content-Type': 'text/html' }).end(`<html>${probe}${script}</html>`),
    );
    await createEndpoint(server(), company, { url: receiver.url, events: ['contact.created'] });
    await api.post('/contacts', { name: `${script} Rui` });
    await receiver.until(1);

    const visitor = await visit(server().url);
    const { page } = visitor;
    const run: string[] = [];
    page.on('dialog', (dialog) => {
      run.push(dialog.message());
      void dialog.dismiss();
    });
    await signIn(visitor, company.owner.email, `/inbox?open=${id}`);
    await articles(page, `${script} hello`).waitFor();
    await thread(page).getByText('<img src=x onerror=alert(4)>.txt').waitFor();
    await page.getByRole('option', { name: probe }).waitFor();
    await page.getByRole('complementary', { name: 'Details' }).getByText(`<b onclick="alert(3)">`).waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    await expectAccessible(visitor, 'probes-inbox');
    for (const [path, text] of [
      ['/contacts', `${script} Rui`],
      ['/tags', `<b onclick="alert(3)">`],
    ] as const) {
      await page.goto(path);
      await page.getByText(text).first().waitFor();
      expect(await page.locator('img[src=x]').count()).toBe(0);
    }
    await page.goto('/settings/webhooks/deliveries');
    await page.getByRole('button', { name: 'Show the delivery of contact.created' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Response body').first().click();
    await dialog.getByText(`<html>${probe}${script}</html>`).first().waitFor();
    expect(await page.locator('img[src=x]').count()).toBe(0);
    expect(run).toEqual([]);
    await receiver.close();
  });
});
