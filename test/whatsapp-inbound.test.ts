import { describe, expect, it } from 'vitest';
import { mp4, oggOpus, picture } from './support/files.ts';
import { arrived, messagesOf, post, receive, useWhatsapp } from './support/whatsapp.ts';
import { graphError, webhookBody, webhookEntry, whatsappMessage } from './support/whatsapp-stand-in.ts';

const whatsapp = useWhatsapp();

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
    [
      'a kind that is new',
      { type: 'hologram', hologram: { id: '1' } },
      '[Message of a kind that WhatsApp does not pass on]',
    ],
    [
      'what has another form than it says',
      { type: 'text', text: 'no object' },
      '[Message of a kind that WhatsApp does not pass on]',
    ],
  ];

  it.each(kinds)('%s is read by agents as text', async (_kind, message, text) => {
    await receive(whatsapp(), { messages: [whatsappMessage(message)] });
    expect(await arrived(whatsapp(), text)).toMatchObject({
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
    whatsapp().meta.files.set('77', { bytes: png, type: 'image/png' });
    await receive(whatsapp(), {
      messages: [
        whatsappMessage({ type: 'image', image: { id: '77', mime_type: 'image/png', caption: 'Like this' } }),
      ],
    });
    const message = await arrived(whatsapp(), 'Like this');
    expect(message).toMatchObject({ type: 'media', media: { kind: 'image', mime_type: 'image/png' } });
    const served = await fetch((message['media'] as { url: string }).url);
    expect(served.headers.get('content-type')).toBe('image/png');
    await receive(whatsapp(), {
      messages: [
        whatsappMessage({
          type: 'document',
          document: { id: '78', mime_type: 'application/pdf', filename: 'bill.pdf' },
        }),
      ],
    });
    await arrived(whatsapp(), '[File not available: bill.pdf]');
  });

  const files: [string, () => Buffer | Promise<Buffer>, string][] = [
    ['video', () => mp4('isom', 'vide', 1), 'video/mp4'],
    ['audio', () => oggOpus(), 'audio/ogg; codecs=opus'],
    ['sticker', () => picture('webp'), 'image/webp'],
  ];
  it.each(files)('a file comes as %s', async (kind, bytes, type) => {
    const id = `8${kind.length}`;
    whatsapp().meta.files.set(id, { bytes: await bytes(), type });
    const message = whatsappMessage({ type: kind, [kind]: { id, mime_type: type, sha256: 'x' } });
    await receive(whatsapp(), { messages: [message] });
    await expect
      .poll(async () => (await messagesOf(whatsapp()))[0])
      .toMatchObject({ type: 'media', text: null, media: { kind, mime_type: type.split(';')[0] } });
  });

  it('of one call with many entries, whatever is odd holds back nothing', async () => {
    const said = (body: string, from?: string) => whatsappMessage({ type: 'text', text: { body } }, from);
    const timestamp = String(Math.floor(Date.now() / 1000));
    await receive(whatsapp(), { messages: [said('before')] });
    const conversation = (await arrived(whatsapp(), 'before'))['conversation'];
    const sent = (await whatsapp().api.post('/messages', { conversation, text: 'Hello' })).body.data.id;
    const delivered = { id: 'x', status: 'delivered', timestamp };
    const body = webhookBody({ messages: [said('last')] }, [
      webhookEntry({
        statuses: [
          { ...delivered, id: 'wamid.of-nobody' },
          { ...delivered, status: 7 },
        ],
      }),
      webhookEntry({ messages: [{ id: 'wamid.without-sender' }, { from: 7 }, said('beside')] }),
      'no entry',
      { changes: 'none' },
      { changes: [{ field: 'messages', value: { messages: 'none' } }, { field: 'flows' }] },
      webhookEntry({ statuses: [{ ...delivered, errors: 'none', biz_opaque_callback_data: sent }] }),
      webhookEntry({ messages: [said('from elsewhere', '351912345679')], statuses: [{ ...delivered }] }),
    ]);
    expect((await post(whatsapp(), body)).status).toBe(200);
    for (const text of ['beside', 'from elsewhere', 'last']) await arrived(whatsapp(), text);
    await expect
      .poll(async () => (await whatsapp().api.get(`/messages/${sent}`)).body.data.status)
      .toBe('delivered');
    expect(await messagesOf(whatsapp(), { direction: 'inbound' })).toHaveLength(4);
  });

  it('a file that is to be had later comes later', async () => {
    whatsapp().meta.files.set('79', { bytes: Buffer.from('a list of things'), type: 'text/plain' });
    let refused = 0;
    whatsapp().meta.answer = ({ path }) =>
      path.endsWith('/79') && refused++ < 1 ? graphError(500, 2, 'Try again.') : null;
    await receive(whatsapp(), {
      messages: [
        whatsappMessage({
          type: 'document',
          document: { id: '79', mime_type: 'text/plain', filename: 'list.txt' },
        }),
      ],
    });
    await expect
      .poll(async () => (await messagesOf(whatsapp()))[0]?.['media'], { timeout: 30_000 })
      .toMatchObject({ filename: 'list.txt' });
  });
});
