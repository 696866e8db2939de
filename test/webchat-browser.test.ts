import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContext, Page, WebSocketRoute } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { updateChannel } from '../server/channels/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { buildWebClient, hasBrowser, type HostPage, launchBrowser, servePage } from './support/browser.ts';
import type { Client } from './support/client.ts';
import { picture } from './support/files.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addWebchat } from './support/webchat.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;
let host: HostPage;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** What went wrong in the page, and where it asked. */
let complaints: string[];
let asked: Set<string>;

const wait = { timeout: 30_000 };

/** As strict as a policy gets, with what the documentation says that the widget needs. */
const policy = () =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    `script-src ${server().url}`,
    `connect-src ${server().url} ${server().url.replace('http', 'ws')}`,
    `img-src 'self' ${server().url}`,
  ].join('; ');

const html = () => `<!doctype html>
<html lang="en"><head><title>A shop</title><meta name="viewport" content="width=device-width"></head>
<body><main><h1>A shop</h1></main>
<script src="${server().url}/webchat/widget.js" data-channel="${channel}" async></script></body></html>`;

describe.skipIf(!hasBrowser)('the widget on a page with a strict policy', () => {
  beforeAll(async () => {
    buildWebClient();
    company = await server().company();
    api = await company.client();
    host = await servePage(html, policy);
    channel = await addWebchat(server(), company.id, {
      allowed_origins: [host.url],
      ask_name: 'required',
      title: 'A shop',
    });
    browser = await launchBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await host?.close();
  });

  afterEach(async () => {
    expect(complaints).toEqual([]);
    expect([...asked].filter((origin) => origin !== host.url && origin !== server().url)).toEqual([]);
    await context.close();
  });

  async function visit(options: Parameters<Browser['newContext']>[0] = {}): Promise<void> {
    complaints = [];
    asked = new Set();
    context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    page = await context.newPage();
    page.setDefaultTimeout(wait.timeout);
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await page.goto(host.url);
  }

  async function introduce(name: string): Promise<void> {
    await page.getByRole('button', { name: 'Open chat' }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Start chat' }).click();
  }

  const composer = () => page.getByRole('textbox', { name: 'Write a message' });
  const bubble = (text: string) => page.locator('.bubble', { hasText: text });
  const axe = async () => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
  };
  const threadOf = async (text: string) => {
    await expect
      .poll(async () => (await api.get('/conversations', { q: text })).body.data.length, wait)
      .toBe(1);
    return (await api.get('/conversations', { q: text })).body.data[0];
  };
  const statusOf = (id: string) =>
    expect.poll(async () => (await api.get(`/messages/${id}`)).body.data.status, wait);
  const reply = async (conversation: string, text: string): Promise<string> =>
    (await api.post('/messages', { conversation, text })).body.data.id;

  it('a visitor writes, is answered, and goes on after a reload', async () => {
    await visit();
    await introduce('Marta');
    await composer().fill('Do you have the blue one?');
    await composer().press('Enter');
    const thread = await threadOf('Do you have the blue one?');
    expect(thread.contact.name).toBe('Marta');
    await bubble('Do you have the blue one?').waitFor();
    const first = await reply(thread.id, 'We do: https://shop.example/blue.');
    await bubble('We do:').waitFor();
    expect(await page.locator('.bubble a').getAttribute('href')).toBe('https://shop.example/blue');
    await statusOf(first).toBe('read');

    await page.goto(`${host.url}/other`);
    await bubble('We do:').waitFor();
    await expect.poll(() => page.locator('.bubble').count()).toBe(2);
    await page.getByRole('button', { name: 'Close chat' }).first().click();
    const second = await reply(thread.id, 'Shall we keep it for you?');
    await page.getByRole('button', { name: 'Open chat, 1 unread' }).waitFor();
    await statusOf(second).toBe('delivered');
    await page.reload();
    await page.getByRole('button', { name: 'Open chat, 1 unread' }).click();
    await bubble('Shall we keep it for you?').waitFor();
    await statusOf(second).toBe('read');
    await expect.poll(() => page.locator('.badge').isVisible()).toBe(false);
    await expect.poll(() => page.locator('.bubble').count()).toBe(3);
  });

  it('tells the visitor who is typing, and the agents that the visitor is', async () => {
    await visit();
    await introduce('Tess');
    await composer().fill('typing in a browser');
    await composer().press('Enter');
    const { id } = await threadOf('typing in a browser');
    await page.getByText('Sent ·').waitFor();
    await api.post(`/conversations/${id}/presence`, { action: 'claim', typing: true });
    await page.getByText('is typing…').waitFor();
    await api.post(`/conversations/${id}/presence`, { action: 'release' });
    await page.getByText('is typing…').waitFor({ state: 'hidden' });
    await api.post(`/conversations/${id}/read`);
    await page.getByText('Seen ·').waitFor();
  });

  it('sends files, shows pictures, and says why one is refused', async () => {
    await visit();
    await introduce('Fay');
    const image = await picture('png', 40);
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'dent.png', mimeType: 'image/png', buffer: image });
    await page.getByRole('img', { name: 'dent.png' }).waitFor();
    await expect
      .poll(() =>
        page.getByRole('img', { name: 'dent.png' }).evaluate((img: HTMLImageElement) => img.naturalWidth),
      )
      .toBe(40);
    const sent = async () =>
      (await api.get('/messages', { type: 'media', direction: 'inbound' })).body.data[0]?.media;
    await expect.poll(sent).toMatchObject({ filename: 'dent.png', mime_type: 'image/png' });
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'page.html', mimeType: 'text/html', buffer: Buffer.from('<script></script>') });
    await page.getByText('This kind of file can’t be sent.').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await expect.poll(() => page.locator('.bubble').count()).toBe(1);
    // The browser notes every answer that is no success; nothing else went wrong.
    complaints = complaints.filter((text) => !text.includes('422'));
  });

  it('keeps what is written while there is no connection, and misses nothing of what comes', async () => {
    await visit();
    let connected = true;
    const open = new Set<WebSocketRoute>();
    await page.routeWebSocket(/\/graphql$/, (route) => {
      if (!connected) return route.close({ code: 1011 });
      route.connectToServer();
      open.add(route);
    });
    await page.reload();
    await introduce('Olaf');
    await composer().fill('before the break');
    await composer().press('Enter');
    const { id } = await threadOf('before the break');
    await page.getByText('Sent ·').waitFor();
    connected = false;
    for (const route of open) await route.close({ code: 1011 });
    await composer().fill('during the break');
    await composer().press('Enter');
    await page.getByText('Sending…').waitFor();
    for (const text of ['answer one', 'answer two']) await reply(id, text);
    await page.reload();
    await bubble('during the break').waitFor();
    connected = true;
    for (const text of ['before the break', 'during the break', 'answer one', 'answer two'])
      await bubble(text).waitFor();
    await page.getByText('Sending…').waitFor({ state: 'hidden' });
    await expect.poll(() => page.locator('.bubble').count()).toBe(4);
    const { data } = (await api.get('/messages', { conversation: id })).body;
    expect(data.map(({ text }: { text: string }) => text).sort()).toEqual([
      'answer one',
      'answer two',
      'before the break',
      'during the break',
    ]);
    complaints = complaints.filter((text) => !text.includes('WebSocket'));
  });

  it.each(['light', 'dark'] as const)('has nothing that axe objects to (%s)', async (colorScheme) => {
    await visit({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate((scheme) => (document.documentElement.style.colorScheme = scheme), colorScheme);
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Open chat' }).click();
    expect(await axe()).toEqual([]);
    await page.getByRole('button', { name: 'Start chat' }).click();
    expect(
      await page.getByRole('textbox', { name: 'Name' }).evaluate((input) => input.matches(':focus')),
    ).toBe(true);
    expect(await axe()).toEqual([]);
    await page.getByRole('textbox', { name: 'Name' }).fill('Axel');
    await page.getByRole('button', { name: 'Start chat' }).click();
    await composer().fill(`axe ${colorScheme} https://shop.example/x`);
    await composer().press('Enter');
    const { id } = await threadOf(`axe ${colorScheme}`);
    await reply(id, 'An answer with https://shop.example/y');
    await bubble('An answer').waitFor();
    await page.getByText('Sent ·').waitFor({ state: 'detached' });
    expect(await axe()).toEqual([]);
    await page.setViewportSize({ width: 320, height: 568 });
    expect(await axe()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  });

  it('is used with the keyboard alone', async () => {
    await visit({ viewport: { width: 320, height: 568 } });
    await page.locator('.launcher').waitFor();
    const inChat = () => page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className);
    await page.keyboard.press('Tab');
    expect(await inChat()).toBe('launcher');
    await page.keyboard.press('Enter');
    await page.keyboard.type('Kay');
    await page.keyboard.press('Enter');
    await composer().waitFor();
    await page.keyboard.type('only keys');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two lines');
    await page.keyboard.press('Enter');
    await threadOf('only keys');
    // The window covers a small screen: Tab stays inside.
    for (let step = 0; step < 8; step++) {
      await page.keyboard.press('Tab');
      expect(await inChat()).toBeDefined();
      expect(await inChat()).not.toBe('launcher');
    }
    await page.keyboard.press('Escape');
    expect(await inChat()).toBe('launcher');
  });

  it('goes away with its channel', async () => {
    await visit();
    await introduce('Last');
    await composer().fill('the last word');
    await composer().press('Enter');
    await threadOf('the last word');
    const ctx = await systemContext(server().app, company.id);
    await execute(updateChannel, ctx, { channel, status: 'disabled' });
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.reload();
    await expect.poll(() => complaints.join(' '), wait).toContain('Parlour web chat: No such channel.');
    complaints = [];
  });
});
