import { beforeAll, describe, expect, it } from 'vitest';
import { gatherThread } from '../server/ai/gather.ts';
import { systemContext } from '../server/platform/system-context.ts';
import type { Client } from './support/client.ts';
import { insertConversations, insertMessages } from './support/rows.ts';
import { useServer } from './support/server.ts';

const server = useServer();
let api: Client;
let companyId: string;

beforeAll(async () => {
  const company = await server().company('Lamps');
  companyId = company.id;
  api = await company.client();
});

const view = async (conversation: string) =>
  gatherThread(await systemContext(server().app, companyId), conversation);

/** A thread in which a customer asked and an agent answered. */
async function thread(...lines: string[]): Promise<string> {
  const [id] = await insertConversations(server().app, companyId, 1);
  await insertMessages(
    server().app,
    companyId,
    id!,
    lines.map((text, n) => ({ text, direction: n % 2 === 0 ? 'inbound' : 'outbound' })),
  );
  return id!;
}

describe('what a provider is given of a thread', () => {
  it('is the newest 30 messages, oldest first, without what was never sent', async () => {
    const [id] = await insertConversations(server().app, companyId, 1, () => ({ channel: 'whatsapp' }));
    const { app } = server();
    await insertMessages(app, companyId, id!, [
      ...Array.from({ length: 34 }, (_, n) => ({ text: `line ${n}` })),
      { text: 'held', direction: 'outbound', status: 'held', held_until: new Date(Date.now() + 60_000) },
      { text: 'failed', direction: 'outbound', status: 'failed' },
      { text: 'sent', direction: 'outbound' },
    ]);
    const { messages, contact, company, windowClosesAt } = await view(id!);
    expect(messages.map(({ text }) => text)).toEqual([
      ...Array.from({ length: 29 }, (_, n) => `line ${n + 5}`),
      'sent',
    ]);
    expect(messages.at(-1)).toMatchObject({ from: 'company', at: expect.any(Date) });
    expect(contact.firstName).toBe('Contact');
    expect(company.name).toMatch(/^Lamps/);
    expect(windowClosesAt).toBeNull();
  });

  it('names the orders that wait for payment', async () => {
    const id = await thread('hello');
    const { contact } = (await api.get(`/conversations/${id}`)).body.data;
    const order = (status: string) =>
      api.post('/orders', {
        contact: contact.id,
        items: [{ name: 'Lamp', unit_price: 8900, quantity: 1 }],
        payment_status: status,
      });
    const { number } = (await order('unpaid')).body.data;
    await order('paid');
    expect((await view(id)).unpaidOrders).toEqual([
      { number, total: 8900, currency: 'USD', status: 'pending', placedAt: expect.any(Date) },
    ]);
  });

  it('is not found in another company', async () => {
    const other = await server().company();
    const id = await thread('hello');
    const ctx = await systemContext(server().app, other.id);
    await expect(gatherThread(ctx, id)).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('what the company did in similar threads', () => {
  it('brings saved replies, answers and tags, the most similar first', async () => {
    await api.post('/quick-replies', { shortcut: 'dishwasher', text: 'Our plates go in the dishwasher.' });
    await api.post('/quick-replies', { shortcut: 'hours', text: 'We are here from nine to six.' });
    const care = (await api.post('/tags', { name: 'Care' })).body.data.id;
    await api.post('/tags', { name: 'Wholesale' });
    for (let n = 0; n < 3; n++) {
      const id = await thread('Are the plates safe for the dishwasher?', 'They are, up to sixty degrees.');
      await api.post(`/conversations/${id}/tags`, { tag: care });
    }
    await thread('Do you ship to Madeira?', 'We do, twice a week.');
    const { quickReplies, earlierAnswers, tags } = await view(await thread('are plates dishwasher safe'));
    expect(quickReplies[0]).toMatchObject({ text: 'Our plates go in the dishwasher.' });
    expect(quickReplies[0]!.similarity).toBeGreaterThan(quickReplies[1]!.similarity);
    expect(earlierAnswers).toEqual([
      { text: 'They are, up to sixty degrees.', similarity: expect.any(Number), contacts: 3 },
    ]);
    expect(earlierAnswers[0]!.similarity).toBeGreaterThan(0.5);
    expect(tags[0]).toMatchObject({ id: care, name: 'Care' });
    expect(tags[0]!.score).toBeGreaterThan(0.5);
    expect(tags[1]).toMatchObject({ name: 'Wholesale', score: 0 });
  });

  it.each([
    'It goes to ana@example.com.',
    'We call you on 912 345 678.',
    'Order 4711 left today.',
    'Your pedido n.º 12 salió ayer.',
    'You are welcome, Tom!',
    'Hola Ana, sale mañana.',
    'Contact has it already.',
    'See https://track.example.com/xyz',
  ])('never brings what tells of another customer: %j', async (answer) => {
    const question = `What about the marmalade jars, number ${answer.length} again?`;
    await thread(question, answer);
    expect((await view(await thread(question))).earlierAnswers).toEqual([]);
  });

  it('looks at nobody else’s messages', async () => {
    const other = await server().company();
    const [id] = await insertConversations(server().app, other.id, 1);
    await insertMessages(server().app, other.id, id!, [
      { text: 'Is the velvet umbrella waterproof?' },
      { text: 'It is.', direction: 'outbound' },
    ]);
    expect((await view(await thread('Is the velvet umbrella waterproof?'))).earlierAnswers).toEqual([]);
  });

  it('copes with a thread without words', async () => {
    const { earlierAnswers, tags } = await view(await thread('👍 123 !!'));
    expect(earlierAnswers).toEqual([]);
    expect(tags.every(({ score }) => score === 0)).toBe(true);
  });
});
