import { describe, expect, it } from 'vitest';
import { whatsapp as adapter } from '../server/channels/whatsapp.ts';
import { mp4, oggOpus, picture } from './support/files.ts';
import { startReceiver } from './support/receiver.ts';
import { createEndpoint } from './support/webhooks.ts';
import { arrived, config, receive, useWhatsapp } from './support/whatsapp.ts';
import { graphError, whatsappMessage } from './support/whatsapp-stand-in.ts';

const whatsapp = useWhatsapp();

const statusOf = async (id: string) => (await whatsapp().api.get(`/messages/${id}`)).body.data;
const reaches = (id: string, status: string) =>
  expect.poll(async () => (await statusOf(id)).status, { timeout: 20_000 }).toBe(status);

describe('what agents send', () => {
  async function thread() {
    await receive(whatsapp(), { messages: [whatsappMessage({ type: 'text', text: { body: 'Hi' } })] });
    const message = await arrived(whatsapp(), 'Hi');
    return { conversation: String(message['conversation']), inbound: String(message['id']) };
  }
  const send = async (body: object) => (await whatsapp().api.post('/messages', body)).body.data.id as string;

  it('from the customer’s word to our webhook: the right call, the ladder of statuses, the events', async () => {
    const receiver = await startReceiver();
    await createEndpoint(whatsapp().server, whatsapp().company, {
      url: receiver.url,
      events: ['message.delivered', 'message.read'],
    });
    const { conversation, inbound } = await thread();
    const id = await send({ conversation, text: 'See https://example.com', reply_to: inbound });
    await reaches(id, 'sent');
    expect(whatsapp().meta.sent).toEqual([
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
    const { rows } = await whatsapp().server.app.pool.query(
      'SELECT provider_id FROM messages WHERE id = $1',
      [id],
    );
    const providerId = rows[0].provider_id as string;
    // Out of order, and twice.
    for (const status of ['read', 'delivered', 'sent', 'read'])
      await receive(whatsapp(), { statuses: [{ ...report(status), id: providerId }] });
    await reaches(id, 'read');
    await expect
      .poll(() => receiver.received.map(({ event }) => event.type), { timeout: 20_000 })
      .toContain('message.read');
    await receiver.close();
  });

  it('templates with their variables, and outside of the window nothing else', async () => {
    const contact = (await whatsapp().api.post('/contacts', { phone: '+351912345000' })).body.data.id;
    const refused = await whatsapp().api.post('/messages', { contact, text: 'Hello' });
    expect(refused.body.error.details[0].code).toBe('window_closed');
    const template = { name: 'order_ready', language: 'pt_PT', variables: ['Ana', '12'] };
    const id = await send({ contact, template });
    await reaches(id, 'sent');
    expect(whatsapp().meta.sent.at(-1)).toMatchObject({
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
    const { url } = (await whatsapp().api.form('/media', { file })).body.data;
    const id = await send({ conversation, media_url: url, text: 'Our prices' });
    await reaches(id, 'sent');
    const upload = whatsapp().meta.calls.find(({ path }) => path.endsWith('/media'));
    expect(upload?.body.toString()).toContain('one,two');
    expect(whatsapp().meta.sent.at(-1)).toMatchObject({
      type: 'document',
      document: { id: '9001', caption: 'Our prices', filename: 'prices.csv' },
    });
  });

  const kinds: [string, () => Buffer | Promise<Buffer>, string, string][] = [
    ['video', () => mp4('isom', 'vide', 1), 'a.mp4', 'video/mp4'],
    ['audio', () => oggOpus(), 'a.ogg', 'audio/ogg'],
    ['image', () => picture('png'), 'a.png', 'image/png'],
    ['sticker', () => picture('webp'), 'a.webp', 'image/webp'],
  ];
  it.each(kinds)('a file goes as %s', async (kind, bytes, name, type) => {
    const { conversation } = await thread();
    const file = new File([(await bytes()) as BlobPart], name, { type });
    const form = kind === 'sticker' ? { file, kind } : { file };
    const { url } = (await whatsapp().api.form('/media', form)).body.data;
    await reaches(await send({ conversation, media_url: url }), 'sent');
    const { type: sent, [kind]: content } = whatsapp().meta.sent.at(-1);
    expect([sent, content]).toEqual([kind, { id: '9001' }]);
  });

  it('variables of the header and of buttons, and those with names', async () => {
    const { conversation } = await thread();
    const variables = { 'header.1': 'Sale', name: 'Ana', 'button.0': 'spring' };
    await reaches(
      await send({ conversation, template: { name: 'sale', language: 'en', variables } }),
      'sent',
    );
    const text = (words: string, name?: string) => ({
      type: 'text',
      text: words,
      ...(name === undefined ? {} : { parameter_name: name }),
    });
    expect(whatsapp().meta.sent.at(-1)?.template.components).toEqual([
      { type: 'header', parameters: [text('Sale')] },
      { type: 'body', parameters: [text('Ana', 'name')] },
      { type: 'button', sub_type: 'url', index: '0', parameters: [text('spring')] },
    ]);
  });

  it('a product is Meta’s own card where there is a catalogue, and written out elsewhere', async () => {
    const { conversation } = await thread();
    const product = (await whatsapp().api.post('/products', { name: 'Mug', price: 900, sku: 'MUG-1' })).body
      .data.id;
    await reaches(await send({ conversation, product }), 'sent');
    expect(whatsapp().meta.sent.at(-1)).toMatchObject({ type: 'text' });
    await whatsapp().owner.channels.update({
      channel: whatsapp().channel,
      config: { ...config, catalog_id: '555000111' },
    });
    await reaches(await send({ conversation, product }), 'sent');
    const { type, interactive } = whatsapp().meta.sent.at(-1);
    expect(type).toBe('interactive');
    expect(interactive).toEqual({
      type: 'product',
      body: { text: expect.stringContaining('Mug') },
      action: { catalog_id: '555000111', product_retailer_id: 'MUG-1' },
    });
  });

  it('a file that could not be handed over in time is handed over again: nothing was sent', async () => {
    const { conversation } = await thread();
    const file = new File(['one,two'], 'prices.csv', { type: 'text/csv' });
    const { url } = (await whatsapp().api.form('/media', { file })).body.data;
    let uploads = 0;
    whatsapp().meta.answer = ({ path }) => (path.endsWith('/media') && uploads++ === 0 ? 'hang' : null);
    const { patience } = adapter;
    try {
      adapter.patience = 500;
      await reaches(await send({ conversation, media_url: url }), 'sent');
    } finally {
      adapter.patience = patience;
    }
    expect(uploads).toBe(2);
    expect(whatsapp().meta.sent).toHaveLength(1);
  });

  it.each([130429, 131056, 80007])('%s is for now: after the last try it is a limit', async (code) => {
    const { conversation } = await thread();
    let calls = 0;
    whatsapp().meta.answer = ({ path }) => {
      if (path.endsWith('/messages')) calls++;
      return path.endsWith('/messages') ? graphError(400, code, 'Slow down.') : null;
    };
    const id = await send({ conversation, text: 'Hello' });
    await expect.poll(() => calls).toBe(1);
    expect((await statusOf(id)).status).toBe('queued');
    await whatsapp().server.app.pool.query('UPDATE messages SET attempts = 4 WHERE id = $1', [id]);
    await reaches(id, 'failed');
    expect(calls).toBe(2);
    expect((await statusOf(id)).failure).toMatchObject({ code: 'rate_limited', provider_code: String(code) });
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
    whatsapp().meta.answer = ({ path }) => (path.endsWith('/messages') ? graphError(400, code, 'No.') : null);
    const id = await send({ conversation, text: 'Hello' });
    await reaches(id, 'failed');
    expect((await statusOf(id)).failure).toMatchObject({ code: word, provider_code: String(code) });
  });

  it('what Meta can’t take now is sent later; what may have been sent is not sent again until Meta says', async () => {
    const { conversation } = await thread();
    let calls = 0;
    whatsapp().meta.answer = ({ path }) =>
      path.endsWith('/messages') && calls++ === 0 ? graphError(429, 130429, 'Slow down.') : null;
    const first = await send({ conversation, text: 'patient' });
    await reaches(first, 'sent');
    whatsapp().meta.answer = ({ path }) => (path.endsWith('/messages') ? 'drop' : null);
    const second = await send({ conversation, text: 'lost' });
    await reaches(second, 'failed');
    expect(whatsapp().meta.sent.filter(({ text }) => text?.body === 'lost')).toHaveLength(1);
    const now = String(Math.floor(Date.now() / 1000));
    await receive(whatsapp(), {
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
    await receive(whatsapp(), {
      statuses: [{ id: 'x', status: 'failed', timestamp: now, biz_opaque_callback_data: id, errors }],
    });
    await reaches(id, 'failed');
    expect((await statusOf(id)).failure).toMatchObject({ code: 'rate_limited', provider_code: '131056' });
  });

  it('a token that Meta no longer accepts shows at the channel, until a check succeeds', async () => {
    const { conversation } = await thread();
    whatsapp().meta.answer = ({ path }) =>
      path.endsWith('/messages') ? graphError(401, 190, 'Token expired.') : null;
    const id = await send({ conversation, text: 'Hello' });
    await reaches(id, 'failed');
    expect((await whatsapp().owner.channels.list({})).data[0]).toMatchObject({
      status: 'failing',
      failure_reason: 'Token expired.',
    });
    whatsapp().meta.answer = () => null;
    expect((await whatsapp().owner.channels.check({ channel: whatsapp().channel })).data).toMatchObject({
      status: 'active',
      failure_reason: null,
    });
  });
});
