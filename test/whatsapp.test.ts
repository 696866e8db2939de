import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChannel } from '../server/channels/service.ts';
import { execute } from '../server/platform/operation.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { startReceiver } from './support/receiver.ts';
import { startServer, type TestCompany, type TestServer } from './support/server.ts';
import { createEndpoint, type Dashboard, dashboard, loopbackAllowed } from './support/webhooks.ts';
import {
  appSecret,
  businessAccountId,
  graphError,
  phoneNumberId,
  signature,
  token,
  verifyToken,
  webhookBody,
  whatsappMessage,
  WhatsappStandIn,
} from './support/whatsapp-stand-in.ts';

const credentials = { access_token: token, app_secret: appSecret, verify_token: verifyToken };
const config = { phone_number_id: phoneNumberId, business_account_id: businessAccountId };

let meta: WhatsappStandIn;
let server: TestServer;
let company: TestCompany;
let api: Client;
let owner: Dashboard;
let channel: string;

beforeAll(async () => {
  meta = await WhatsappStandIn.start();
  server = await startServer({ WHATSAPP_API_URL: meta.url, ...loopbackAllowed });
});

afterAll(async () => {
  await server.close();
  await meta.stop();
});

beforeEach(async () => {
  meta.answer = () => null;
  company = await server.company();
  api = await company.client();
  owner = await dashboard(server, company, 'owner');
  channel = (await owner.channels.create({ kind: 'whatsapp', name: 'WhatsApp', config, credentials })).data
    .id;
  meta.calls.length = 0;
});

const post = (
  body: string,
  headers: Record<string, string> = { 'X-Hub-Signature-256': signature(body) },
  to = channel,
) =>
  fetch(`${server.url}/channels/${to}/webhook`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json', ...headers },
  });

const receive = async (value: Parameters<typeof webhookBody>[0]) => {
  expect((await post(webhookBody(value))).status).toBe(200);
};

async function messagesOf(query: Record<string, string> = {}) {
  return (await api.get('/messages', query)).body.data as Record<string, unknown>[];
}

async function arrived(text: string | null) {
  await expect
    .poll(async () => (await messagesOf({ direction: 'inbound' })).some((one) => one['text'] === text), {
      timeout: 20_000,
    })
    .toBe(true);
  return (await messagesOf({ direction: 'inbound' })).find((one) => one['text'] === text)!;
}

const statusOf = async (id: string) => (await api.get(`/messages/${id}`)).body.data;
const reaches = (id: string, status: string) =>
  expect.poll(async () => (await statusOf(id)).status, { timeout: 20_000 }).toBe(status);

describe('a channel', () => {
  it('keeps its credentials encrypted, shows them masked, and says where Meta is to call', async () => {
    const [shown] = (await owner.channels.list({})).data;
    expect(shown).toMatchObject({
      kind: 'whatsapp',
      config,
      credentials: { access_token: '••••1234', app_secret: '••••ests', verify_token: '••••' },
      webhook_url: `${server.app.publicUrl()}/channels/${channel}/webhook`,
    });
    const { rows } = await server.app.pool.query('SELECT channels::text AS row FROM channels WHERE id = $1', [
      channel,
    ]);
    for (const secret of Object.values(credentials)) {
      expect(rows[0].row).not.toContain(secret);
      expect(rows[0].row).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('is checked before it is saved: a wrong token, number or missing field saves nothing', async () => {
    const create = (given: object) =>
      owner.channels.create({ kind: 'whatsapp', name: 'Second', config, credentials, ...given }).then(
        () => null,
        (error: { cause: { param: string } }) => error.cause.param,
      );
    expect(await create({ credentials: { ...credentials, access_token: 'wrong' } })).toBe(
      'credentials.access_token',
    );
    expect(await create({ config: { phone_number_id: '111111111' } })).toBe('config.phone_number_id');
    expect(await create({ credentials: { access_token: token } })).toBe('credentials.app_secret');
    expect(await create({ config: {} })).toBe('config.phone_number_id');
    meta.answer = () => graphError(500, 2, 'Service unavailable.');
    expect(await create({})).toBe('credentials');
    expect((await owner.channels.list({})).data).toHaveLength(1);
  });

  it('keeps what is absent on update, and credentials given among the settings stay secret', async () => {
    await owner.channels.update({ channel, credentials: { verify_token: 'another word to verify' } });
    const ask = (word: string) =>
      fetch(
        `${server.url}/channels/${channel}/webhook?hub.mode=subscribe&hub.verify_token=${encodeURIComponent(word)}&hub.challenge=42`,
      );
    expect(await (await ask('another word to verify')).text()).toBe('42');
    expect((await ask(verifyToken)).status).toBe(403);
    const mixed = { kind: 'whatsapp' as const, name: 'Mixed', config: { ...config, ...credentials } };
    expect((await owner.channels.create(mixed)).data.config).toEqual(config);
  });

  it('made before Meta is known can be saved, and sends nothing', async () => {
    const own = await server.company();
    const ctx = await systemContext(server.app, own.id);
    await execute(createChannel, ctx, { kind: 'whatsapp', name: 'Later' });
    const client = await own.client();
    const contact = (await client.post('/contacts', { phone: '+351912345678' })).body.data.id;
    const refused = await client.post('/messages', { contact, text: 'Hello' });
    expect(refused.body.error.details[0].code).toBe('channel_unavailable');
  });

  it('lists the templates that Meta has', async () => {
    meta.templates.push({ name: 'sale', language: 'en', status: 'APPROVED', category: 'MARKETING' });
    expect((await owner.channels.templates({ channel })).data).toEqual([
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
});

describe('the webhook', () => {
  it('proves its address by the word agreed on', async () => {
    const url = `${server.url}/channels/${channel}/webhook`;
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
      const answer = await post(body, headers as Record<string, string>);
      expect(answer.status).toBe(403);
      expect(((await answer.json()) as { error: object }).error).toMatchObject({ code: 'forbidden' });
    }
    expect((await post(body, undefined, '01JQZ7K3M9V5T2XH8C4B6N0DFG')).status).toBe(404);
    expect((await post('{"object":"page"}')).status).toBe(400);
    expect((await post('not json')).status).toBe(400);
    await receive({ messages: [whatsappMessage({ type: 'text', text: { body: 'real' } })] });
    await arrived('real');
    expect((await messagesOf()).map((one) => one['text'])).toEqual(['real']);
  });

  it('the same message again is no second one, and news of other numbers are passed over', async () => {
    const message = whatsappMessage({ type: 'text', text: { body: 'once' } });
    for (let n = 0; n < 3; n++) await receive({ messages: [message] });
    const foreign = webhookBody({
      messages: [whatsappMessage({ type: 'text', text: { body: 'foreign' } })],
    }).replaceAll(phoneNumberId, '222222222222222');
    expect((await post(foreign)).status).toBe(200);
    await receive({ messages: [whatsappMessage({ type: 'text', text: { body: 'last' } })] });
    await arrived('last');
    expect((await messagesOf()).map((one) => one['text']).sort()).toEqual(['last', 'once']);
  });
});

describe('what customers send', () => {
  const kinds: [string, object, string][] = [
    ['a button', { type: 'button', button: { payload: 'yes', text: 'Yes, please' } }, 'Yes, please'],
    [
      'a choice',
      {
        type: 'interactive',
        interactive: { type: 'list_reply', list_reply: { id: '1', title: 'Small', description: 'for two' } },
      },
      'Small\nfor two',
    ],
    [
      'a place',
      { type: 'location', location: { latitude: 38.7, longitude: -9.1, name: 'Shop', address: 'Rua 1' } },
      'Shop, Rua 1\nhttps://maps.google.com/?q=38.7,-9.1',
    ],
    [
      'a card',
      {
        type: 'contacts',
        contacts: [{ name: { formatted_name: 'Bo' }, phones: [{ phone: '+351 912 000 111' }] }],
      },
      'Bo +351 912 000 111',
    ],
    ['a reaction', { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } }, 'Reacted with 👍'],
    [
      'an order',
      {
        type: 'order',
        order: {
          catalog_id: '1',
          text: 'Thanks',
          product_items: [{ product_retailer_id: 'MUG', quantity: 2, item_price: 5, currency: 'EUR' }],
        },
      },
      'Order:\n2 × MUG\nThanks',
    ],
    [
      'what Meta does not pass on',
      { type: 'unsupported', errors: [{ code: 131051 }] },
      '[Message of a kind that WhatsApp does not pass on]',
    ],
  ];

  it.each(kinds)('%s is read by agents as text', async (_kind, message, text) => {
    await receive({ messages: [whatsappMessage(message)] });
    expect(await arrived(text)).toMatchObject({
      type: 'text',
      channel: 'whatsapp',
      author: { type: 'contact', name: 'Ana' },
    });
  });

  it('a picture is fetched and kept; one that is gone is named', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    meta.files.set('77', { bytes: png, type: 'image/png' });
    await receive({
      messages: [
        whatsappMessage({ type: 'image', image: { id: '77', mime_type: 'image/png', caption: 'Like this' } }),
      ],
    });
    const message = await arrived('Like this');
    expect(message).toMatchObject({ type: 'media', media: { kind: 'image', mime_type: 'image/png' } });
    const served = await fetch((message['media'] as { url: string }).url);
    expect(served.headers.get('content-type')).toBe('image/png');
    await receive({
      messages: [
        whatsappMessage({
          type: 'document',
          document: { id: '78', mime_type: 'application/pdf', filename: 'bill.pdf' },
        }),
      ],
    });
    await arrived('[File not available: bill.pdf]');
  });

  it('a file that is to be had later comes later', async () => {
    meta.files.set('79', { bytes: Buffer.from('a list of things'), type: 'text/plain' });
    let refused = 0;
    meta.answer = ({ path }) =>
      path.endsWith('/79') && refused++ < 1 ? graphError(500, 2, 'Try again.') : null;
    await receive({
      messages: [
        whatsappMessage({
          type: 'document',
          document: { id: '79', mime_type: 'text/plain', filename: 'list.txt' },
        }),
      ],
    });
    await expect
      .poll(async () => (await messagesOf())[0]?.['media'], { timeout: 30_000 })
      .toMatchObject({ filename: 'list.txt' });
  });
});

describe('what agents send', () => {
  async function thread() {
    await receive({ messages: [whatsappMessage({ type: 'text', text: { body: 'Hi' } })] });
    const message = await arrived('Hi');
    return { conversation: String(message['conversation']), inbound: String(message['id']) };
  }
  const send = async (body: object) => (await api.post('/messages', body)).body.data.id as string;

  it('from the customer’s word to our webhook: the right call, the ladder of statuses, the events', async () => {
    const receiver = await startReceiver();
    await createEndpoint(server, company, {
      url: receiver.url,
      events: ['message.delivered', 'message.read'],
    });
    const { conversation, inbound } = await thread();
    const id = await send({ conversation, text: 'See https://example.com', reply_to: inbound });
    await reaches(id, 'sent');
    expect(meta.sent).toEqual([
      {
        messaging_product: 'whatsapp',
        recipient_type: 'individual',
        to: '351912345678',
        context: { message_id: expect.stringMatching(/^wamid\.in/) },
        biz_opaque_callback_data: id,
        type: 'text',
        text: { body: 'See https://example.com', preview_url: true },
      },
    ]);
    const report = (status: string) => ({
      id: 'wamid.1',
      status,
      timestamp: String(Math.floor(Date.now() / 1000)),
      recipient_id: '351912345678',
    });
    const { rows } = await server.app.pool.query('SELECT provider_id FROM messages WHERE id = $1', [id]);
    const providerId = rows[0].provider_id as string;
    // Out of order, and twice.
    for (const status of ['read', 'delivered', 'sent', 'read'])
      await receive({ statuses: [{ ...report(status), id: providerId }] });
    await reaches(id, 'read');
    await expect
      .poll(() => receiver.received.map(({ event }) => event.type), { timeout: 20_000 })
      .toContain('message.read');
    await receiver.close();
  });

  it('templates with their variables, and outside of the window nothing else', async () => {
    const contact = (await api.post('/contacts', { phone: '+351912345000' })).body.data.id;
    const refused = await api.post('/messages', { contact, text: 'Hello' });
    expect(refused.body.error.details[0].code).toBe('window_closed');
    const template = { name: 'order_ready', language: 'pt_PT', variables: ['Ana', '12'] };
    const id = await send({ contact, template });
    await reaches(id, 'sent');
    expect(meta.sent.at(-1)).toMatchObject({
      to: '351912345000',
      type: 'template',
      template: {
        name: 'order_ready',
        language: { code: 'pt_PT' },
        components: [
          {
            type: 'body',
            parameters: [
              { type: 'text', text: 'Ana' },
              { type: 'text', text: '12' },
            ],
          },
        ],
      },
    });
  });

  it('files are handed over, with their name and caption', async () => {
    const { conversation } = await thread();
    const file = new File(['one,two'], 'prices.csv', { type: 'text/csv' });
    const { url } = (await api.form('/media', { file })).body.data;
    const id = await send({ conversation, media_url: url, text: 'Our prices' });
    await reaches(id, 'sent');
    const upload = meta.calls.find(({ path }) => path.endsWith('/media'));
    expect(upload?.body.toString()).toContain('one,two');
    expect(meta.sent.at(-1)).toMatchObject({
      type: 'document',
      document: { id: '9001', caption: 'Our prices', filename: 'prices.csv' },
    });
  });

  const refusals: [number, string][] = [
    [131047, 'window_closed'],
    [131026, 'undeliverable'],
    [131049, 'marketing_limit'],
    [132000, 'template_mismatch'],
    [131051, 'provider_error'],
  ];
  it.each(refusals)('refused with %s is a failure with the code %s', async (code, word) => {
    const { conversation } = await thread();
    meta.answer = ({ path }) => (path.endsWith('/messages') ? graphError(400, code, 'No.') : null);
    const id = await send({ conversation, text: 'Hello' });
    await reaches(id, 'failed');
    expect((await statusOf(id)).failure).toMatchObject({ code: word, provider_code: String(code) });
  });

  it('what Meta can’t take now is sent later; what may have been sent is not sent again until Meta says', async () => {
    const { conversation } = await thread();
    let calls = 0;
    meta.answer = ({ path }) =>
      path.endsWith('/messages') && calls++ === 0 ? graphError(429, 130429, 'Slow down.') : null;
    const first = await send({ conversation, text: 'patient' });
    await reaches(first, 'sent');
    meta.answer = ({ path }) => (path.endsWith('/messages') ? 'drop' : null);
    const second = await send({ conversation, text: 'lost' });
    await reaches(second, 'failed');
    expect(meta.sent.filter(({ text }) => text?.body === 'lost')).toHaveLength(1);
    const now = String(Math.floor(Date.now() / 1000));
    await receive({
      statuses: [{ id: 'wamid.late', status: 'delivered', timestamp: now, biz_opaque_callback_data: second }],
    });
    await reaches(second, 'delivered');
  });

  it('a failure reported afterwards has Meta’s code', async () => {
    const { conversation } = await thread();
    const id = await send({ conversation, text: 'Hello' });
    await reaches(id, 'sent');
    const now = String(Math.floor(Date.now() / 1000));
    const errors = [{ code: 131056, title: 'Pair rate limit hit' }];
    await receive({
      statuses: [{ id: 'x', status: 'failed', timestamp: now, biz_opaque_callback_data: id, errors }],
    });
    await reaches(id, 'failed');
    expect((await statusOf(id)).failure).toMatchObject({ code: 'rate_limited', provider_code: '131056' });
  });

  it('a token that Meta no longer accepts shows at the channel, until a check succeeds', async () => {
    const { conversation } = await thread();
    meta.answer = ({ path }) => (path.endsWith('/messages') ? graphError(401, 190, 'Token expired.') : null);
    const id = await send({ conversation, text: 'Hello' });
    await reaches(id, 'failed');
    expect((await owner.channels.list({})).data[0]).toMatchObject({
      status: 'failing',
      failure_reason: 'Token expired.',
    });
    meta.answer = () => null;
    expect((await owner.channels.check({ channel })).data).toMatchObject({
      status: 'active',
      failure_reason: null,
    });
  });
});
