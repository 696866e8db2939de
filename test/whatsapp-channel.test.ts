import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createChannel } from '../server/channels/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import { testSecret } from './support/server.ts';
import { arrived, config, credentials, messagesOf, post, receive, useWhatsapp } from './support/whatsapp.ts';
import {
  appSecret,
  graphError,
  phoneNumberId,
  signature,
  token,
  verifyToken,
  webhookBody,
  whatsappMessage,
} from './support/whatsapp-stand-in.ts';

const whatsapp = useWhatsapp();

describe('a channel', () => {
  it('keeps its credentials encrypted, shows them masked, and says where Meta is to call', async () => {
    const [shown] = (await whatsapp().owner.channels.list({})).data;
    expect(shown).toMatchObject({
      kind: 'whatsapp',
      config,
      credentials: { access_token: '••••1234', app_secret: '••••ests', verify_token: '••••' },
      webhook_url: `${whatsapp().server.app.publicUrl()}/channels/${whatsapp().channel}/webhook`,
    });
    const { rows } = await whatsapp().server.app.pool.query(
      'SELECT channels::text AS row FROM channels WHERE id = $1',
      [whatsapp().channel],
    );
    for (const secret of Object.values(credentials)) {
      expect(rows[0].row).not.toContain(secret);
      expect(rows[0].row).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('is checked before it is saved: a wrong token, number or missing field saves nothing', async () => {
    const create = (given: object) =>
      whatsapp()
        .owner.channels.create({ kind: 'whatsapp', name: 'Second', config, credentials, ...given })
        .then(
          () => null,
          (error: { cause: { param: string } }) => error.cause.param,
        );
    expect(await create({ credentials: { ...credentials, access_token: 'wrong' } })).toBe(
      'credentials.access_token',
    );
    expect(await create({ config: { phone_number_id: '111111111' } })).toBe('config.phone_number_id');
    expect(await create({ credentials: { access_token: token } })).toBe('credentials.app_secret');
    expect(await create({ config: {} })).toBe('config.phone_number_id');
    whatsapp().meta.answer = () => graphError(500, 2, 'Service unavailable.');
    expect(await create({})).toBe('credentials');
    expect((await whatsapp().owner.channels.list({})).data).toHaveLength(1);
  });

  it('keeps what is absent on update, and credentials given among the settings stay secret', async () => {
    await whatsapp().owner.channels.update({
      channel: whatsapp().channel,
      credentials: { verify_token: 'another word to verify' },
    });
    const ask = (word: string) =>
      fetch(
        `${whatsapp().server.url}/channels/${whatsapp().channel}/webhook?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(word)}&hub.challenge=42`,
      );
    expect(await (await ask('another word to verify')).text()).toBe('42');
    expect((await ask(verifyToken)).status).toBe(403);
    const mixed = { kind: 'whatsapp' as const, name: 'Mixed', config: { ...config, ...credentials } };
    expect((await whatsapp().owner.channels.create(mixed)).data.config).toEqual(config);
  });

  it('made before Meta is known can be saved, and sends nothing', async () => {
    const own = await whatsapp().server.company();
    const ctx = await systemContext(whatsapp().server.app, own.id);
    const made = await execute(createChannel, ctx, { kind: 'whatsapp', name: 'Later' });
    const client = await own.client();
    const contact = (await client.post('/contacts', { phone: '+351912345678' })).body.data.id;
    const refused = await client.post('/messages', { contact, text: 'Hello' });
    expect(refused.body.error.details[0].code).toBe('channel_unavailable');
    expect((await post(whatsapp(), webhookBody({}), undefined, made.id)).status).toBe(404);
    const asked = await fetch(
      `${whatsapp().server.url}/channels/${made.id}/webhook?hub.mode=subscribe&hub.challenge=1`,
    );
    expect(asked.status).toBe(404);
  });

  it('is made on the command line, with credentials that work', async () => {
    const { server, meta } = whatsapp();
    const own = await server.company();
    const command = `channels create --company ${own.id} --kind whatsapp --name WhatsApp --json`.split(' ');
    const settings = ['--config', JSON.stringify(config), '--credentials', JSON.stringify(credentials)];
    const made = await promisify(execFile)(
      process.execPath,
      [path.resolve('server/main.ts'), ...command, ...settings],
      {
        env: {
          ...process.env,
          DATABASE_URL: server.databaseUrl,
          DATA_DIR: server.app.config.dataDir,
          SECRET: testSecret,
          WHATSAPP_API_URL: meta.url,
        },
      },
    );
    const { id, kind } = JSON.parse(made.stdout);
    expect(kind).toBe('whatsapp');
    for (const secret of Object.values(credentials)) expect(made.stdout).not.toContain(secret);
    const body = webhookBody({ messages: [whatsappMessage({ type: 'text', text: { body: 'Hi' } })] });
    expect((await post(whatsapp(), body, undefined, id)).status).toBe(200);
    await arrived({ ...whatsapp(), api: await own.client() }, 'Hi');
  }, 60_000);

  const template = (name: string, category: string) => ({
    name,
    language: 'en',
    status: 'APPROVED',
    category,
  });

  it('lists the templates that Meta has', async () => {
    whatsapp().meta.templates.splice(0, Infinity, template('sale', 'MARKETING'));
    expect((await whatsapp().owner.channels.templates({ channel: whatsapp().channel })).data).toEqual([
      {
        name: 'sale',
        language: 'en',
        status: 'APPROVED',
        category: 'MARKETING',
        marketing: true,
        components: [],
      },
    ]);
  });

  it('offers those that are approved in its conversations', async () => {
    const { owner, meta, api } = whatsapp();
    meta.templates.splice(0, Infinity, template('sale', 'MARKETING'), {
      ...template('refused', 'UTILITY'),
      status: 'REJECTED',
    });
    await post(whatsapp(), webhookBody({ messages: [whatsappMessage({ text: { body: 'Templates?' } })] }));
    await arrived(whatsapp(), 'Templates?');
    const [{ id }] = (await api.get('/conversations')).body.data;
    const { data } = await owner.conversations.templates({ conversation: id });
    expect(data.map(({ name }) => name)).toEqual(['sale']);
  });

  it('keeps the categories of its templates: who wants no marketing gets all others', async () => {
    const { api, owner, meta, channel } = whatsapp();
    meta.templates.splice(0, Infinity, template('sale', 'MARKETING'), template('receipt', 'UTILITY'));
    expect((await owner.channels.syncTemplates({ channel })).data).toHaveLength(2);
    const contact = (await api.post('/contacts', { phone: '+351912345678', subscribed: false })).body.data.id;
    const send = async (name: string) =>
      api.post('/messages', { contact, template: { name, language: 'en', variables: [] } });
    expect((await send('receipt')).status).toBe(201);
    for (const name of ['sale', 'unknown'])
      expect((await send(name)).body.error.details[0].code).toBe('contact_unsubscribed');
    meta.answer = ({ path }) => (path.endsWith('/message_templates') ? graphError(500, 2, 'No.') : null);
    await expect(owner.channels.syncTemplates({ channel })).rejects.toThrow();
    expect((await send('receipt')).status).toBe(201);
  });

  it('reads the categories of its templates by itself once it has credentials', async () => {
    const { owner, meta, server, channel } = whatsapp();
    meta.templates.splice(0, Infinity, template('receipt', 'UTILITY'));
    await owner.channels.update({ channel, credentials });
    await expect
      .poll(async () => {
        const { rows } = await server.app.pool.query('SELECT templates FROM channels WHERE id = $1', [
          channel,
        ]);
        return rows[0].templates;
      })
      .toEqual([{ name: 'receipt', language: 'en', category: 'UTILITY' }]);
  });
});

describe('the webhook', () => {
  it('proves its address by the word agreed on', async () => {
    const url = `${whatsapp().server.url}/channels/${whatsapp().channel}/webhook`;
    const good = await fetch(
      `${url}?hub.mode=subscribe&hub.verify_token=${verifyToken}&hub.challenge=1158201444`,
    );
    expect([good.status, await good.text()]).toEqual([200, '1158201444']);
    expect((await fetch(`${url}?hub.mode=subscribe&hub.verify_token=no&hub.challenge=1`)).status).toBe(403);
    expect((await fetch(url)).status).toBe(403);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
  });

  it('takes nothing that Meta has not signed', async () => {
    const body = webhookBody({ messages: [whatsappMessage({ type: 'text', text: { body: 'forged' } })] });
    const wrong = [
      {},
      { 'X-Hub-Signature-256': signature(body, 'another secret') },
      { 'X-Hub-Signature-256': `sha1=${createHmac('sha1', appSecret).update(body).digest('hex')}` },
      { 'X-Hub-Signature-256': signature(`${body} `) },
    ];
    for (const headers of wrong) {
      const answer = await post(whatsapp(), body, headers as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(((await answer.json()) as { error: object }).error).toMatchObject({ code: 'forbidden' });
    }
    expect((await post(whatsapp(), body, undefined, '01JQZ7K3M9V5T2XH8C4B6N0DFG')).status).toBe(404);
    expect((await post(whatsapp(), '{"object":"page"}')).status).toBe(400);
    expect((await post(whatsapp(), 'not json')).status).toBe(400);
    await receive(whatsapp(), { messages: [whatsappMessage({ type: 'text', text: { body: 'real' } })] });
    await arrived(whatsapp(), 'real');
    expect((await messagesOf(whatsapp())).map((one) => one['text'])).toEqual(['real']);
  });

  it('takes what Meta sends in one call, 3 MB, and no more', async () => {
    const body = { body: 'long '.repeat(250_000) };
    await receive(whatsapp(), { messages: [whatsappMessage({ type: 'text', text: body })] });
    await expect.poll(async () => (await messagesOf(whatsapp())).length).toBe(1);
    const tooLong = { body: 'x'.repeat(3 * 1024 * 1024) };
    const refused = await post(
      whatsapp(),
      webhookBody({ messages: [whatsappMessage({ type: 'text', text: tooLong })] }),
    );
    expect(refused.status).toBe(413);
  });

  it('the same message again is no second one, and news of other numbers are passed over', async () => {
    const message = whatsappMessage({ type: 'text', text: { body: 'once' } });
    for (let n = 0; n < 3; n++) await receive(whatsapp(), { messages: [message] });
    const foreign = webhookBody({
      messages: [whatsappMessage({ type: 'text', text: { body: 'foreign' } })],
    }).replaceAll(phoneNumberId, '222222222222222');
    expect((await post(whatsapp(), foreign)).status).toBe(200);
    await receive(whatsapp(), { messages: [whatsappMessage({ type: 'text', text: { body: 'last' } })] });
    await arrived(whatsapp(), 'last');
    expect((await messagesOf(whatsapp())).map((one) => one['text']).sort()).toEqual(['last', 'once']);
  });
});
