import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { updateChannel } from '../server/channels/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { Subscribed } from './support/subscribe.ts';
import { type TestCompany, useServer } from './support/server.ts';
import { addWebchat, page, Visitor } from './support/webchat.ts';

const server = useServer();
let company: TestCompany;
let api: Client;
let channel: string;

beforeAll(async () => {
  company = await server().company();
  api = await company.client();
  channel = await addWebchat(server(), company.id);
});

async function newVisitor(body: Record<string, unknown> = {}, on = channel): Promise<Visitor> {
  const visitor = new Visitor(server().url, on);
  expect((await visitor.start(body)).status).toBe(201);
  return visitor;
}

const follow = (visitor: Visitor) =>
  new Subscribed(visitor.socket(), 'webchat', 'subscription { webchat { type } }');
const joined = () => expect.poll(() => server().app.feed.size, { timeout: 10_000 }).toBe(1);

describe('a channel', () => {
  it('asks for what it needs before the chat', async () => {
    const strict = await addWebchat(server(), company.id, { ask_email: 'required' }, 'Strict');
    const visitor = new Visitor(server().url, strict);
    expect(await visitor.start({ name: 'Rui' })).toMatchObject({
      status: 422,
      body: { error: { param: 'email', details: [{ code: 'required' }] } },
    });
    expect((await visitor.start({ email: 'no address' })).status).toBe(422);
    expect((await visitor.start({ email: 'rui@example.com' })).status).toBe(201);
  });

  it('tells the widget how it looks, in the language of the page', async () => {
    const own = await addWebchat(
      server(),
      company.id,
      { color: '#0F766E', texts: { pt: { placeholder: 'Diga…' } } },
      'Words',
    );
    const look = (locale: string) =>
      fetch(`${server().url}/webchat/${own}/appearance?locale=${locale}`, { headers: { Origin: page } });
    const pt = await look('pt-BR');
    expect(pt.headers.get('access-control-allow-origin')).toBe(page);
    expect((await pt.json()).data).toMatchObject({
      color: '#0F766E',
      locale: 'pt',
      texts: { placeholder: 'Diga…', send: 'Enviar' },
    });
    expect((await (await look('xx')).json()).data.locale).toBe('en');
  });

  it('is open only to pages that it allows', async () => {
    const wild = await addWebchat(
      server(),
      company.id,
      { allowed_origins: ['https://*.shop.example'] },
      'Wild',
    );
    const cases: [string, string | undefined, number][] = [
      [channel, page, 201],
      [channel, 'https://shop.example.evil.example', 403],
      [channel, 'http://shop.example', 403],
      [channel, 'https://evil.example', 403],
      [channel, 'null', 403],
      [channel, undefined, 403],
      [channel, server().url, 201],
      [wild, 'https://www.shop.example', 201],
      [wild, 'https://shop.example', 403],
      [wild, 'https://evilshop.example', 403],
    ];
    for (const [on, origin, status] of cases) {
      const visitor = new Visitor(server().url, on);
      visitor.origin = origin;
      expect((await visitor.start()).status, String(origin)).toBe(status);
    }
    const visitor = await newVisitor();
    visitor.origin = 'https://evil.example';
    expect((await visitor.graphql('{ webchatSession { unread } }')).status).toBe(403);
    const preflight = await fetch(`${visitor.base}/graphql`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' },
    });
    expect(preflight.status).toBe(403);
    expect(preflight.headers.get('access-control-allow-origin')).toBeNull();
    const changes = follow(visitor);
    await expect.poll(() => changes.ended).toMatchObject({ code: 4403 });
  });

  it('that is switched off lets nobody in, and ends what is open', async () => {
    const own = await addWebchat(server(), company.id, {}, 'Short-lived');
    const visitor = await newVisitor({}, own);
    const changes = follow(visitor);
    await joined();
    const ctx = await systemContext(server().app, company.id);
    await execute(updateChannel, ctx, { channel: own, status: 'disabled' });
    await expect.poll(() => changes.ended, { timeout: 15_000 }).toMatchObject({ code: 4403 });
    expect((await visitor.start()).status).toBe(404);
  });

  it('refuses settings that are none', async () => {
    for (const config of [
      { color: 'red' },
      { allowed_origins: ['shop.example'] },
      { allowed_origins: ['https://shop.example/path'] },
      { position: 'top' },
    ])
      await expect(addWebchat(server(), company.id, config, randomUUID().slice(0, 20))).rejects.toMatchObject(
        {
          code: 'validation_failed',
        },
      );
  });

  it('has no templates, and nobody to write to who never wrote', async () => {
    const { id } = (await api.post('/contacts', { email: 'never@example.com' })).body.data;
    const never = await api.post('/messages', { contact: id, channel: 'Website', text: 'x' });
    expect(never.body.error.details[0].code).toBe('channel_unavailable');
    const visitor = await newVisitor();
    await visitor.send('template test');
    const thread = (await api.get('/conversations', { q: 'template test' })).body.data[0];
    const template = { name: 'hello', language: 'en' };
    const refused = await api.post('/messages', { conversation: thread.id, template });
    expect(refused).toMatchObject({ status: 422, body: { error: { param: 'template' } } });
  });
});
