import type { Client } from './client.ts';

/**
 * A valid input for every operation that writes, made from what the caller can see.
 * A new mutation without an entry fails the invariants.
 */
export type Sample = (api: Client) => Promise<Record<string, unknown>>;

const first = async (api: Client, path: string): Promise<string> => {
  const { body } = await api.get(path);
  return body.data[0].id;
};

const ownTag = async (api: Client): Promise<string> => {
  const { body } = await api.get('/tags', { limit: 100 });
  return body.data.find((tag: { system: boolean }) => !tag.system).id;
};

const heldMessage = async (api: Client): Promise<string> => {
  const { body } = await api.get('/messages', { direction: 'outbound', limit: 100 });
  return body.data.find((message: { status: string }) => message.status === 'held').id;
};

const activeProduct = async (api: Client): Promise<string> => {
  const { body } = await api.get('/products', { status: 'active', in_stock: true });
  return body.data.find((product: { stock: number | null }) => product.stock !== null).id;
};

const pendingOrder = async (api: Client): Promise<string> => {
  const { body } = await api.get('/orders', { status: 'pending' });
  return body.data[0].id;
};

let hours = 0;

/** A free hour of the calendar. */
const nextHour = () => ({
  starts_at: new Date(Date.now() + ++hours * 3_600_000).toISOString(),
  duration_minutes: 30,
});

/** Bookings have no sandbox: a test key can't make one, and gets as far without. */
const ownBooking = async (api: Client): Promise<string> => {
  const { body } = await api.post('/bookings', { title: 'Sample', ...nextHour() });
  return body.data?.id ?? '01JQZ7K3M9V5T2XH8C4B6N0DFX';
};
/** Of the sandbox: a live key finds only what the dashboard has made. */
const campaignThat = async (api: Client, status: string): Promise<string> => {
  const { body } = await api.get('/campaigns', { status });
  return body.data[0]?.id ?? '01JQZ7K3M9V5T2XH8C4B6N0DFX';
};
/** A conversation with a suggestion that waits, and the suggestion. */
const pendingSuggestion = async (api: Client) => {
  const { body } = await api.get('/conversations', { limit: 100 });
  const found = body.data.find(
    ({ ai }: { ai: { pending_suggestions: number } }) => ai.pending_suggestions > 0,
  );
  return {
    conversation: found.id,
    suggestion: await first(api, `/conversations/${found.id}/ai-suggestions`),
  };
};

const aiFeedback = async (api: Client): Promise<string> => {
  const { body } = await api.get('/messages', { direction: 'outbound', limit: 100 });
  return body.data.find((message: { ai_generated: boolean }) => message.ai_generated).feedback_id;
};
const thread = async (api: Client) => ({ conversation: await first(api, '/conversations') });

export const samples: Record<string, Sample> = {
  'ai.rateFeedback': async (api) => ({ feedback: await aiFeedback(api), rating: -1 }),
  'ai.generateSuggestions': thread,
  'ai.approveSuggestion': pendingSuggestion,
  'ai.dismissSuggestion': pendingSuggestion,
  'contacts.create': async () => ({ name: 'Sample', phone: '+351912999000', email: 'sample@example.com' }),
  'contacts.update': async (api) => ({ contact: await first(api, '/contacts'), name: 'Renamed' }),
  'contacts.delete': async (api) => ({ contact: await first(api, '/contacts') }),
  'contacts.bulkTag': async (api) => ({
    contact_ids: [await first(api, '/contacts')],
    tag: await ownTag(api),
    action: 'add',
  }),
  'realtime.authorize': async (api) => {
    const { channels } = (await api.get('/broadcasting')).body.data;
    return { socket_id: '123.456', channel_name: channels[0] };
  },
  'media.upload': async () => ({ file: new File(['hello'], 'hello.txt', { type: 'text/plain' }) }),
  'messages.send': async (api) => ({ ...(await thread(api)), text: 'Hello', client_ref: 'sample' }),
  'messages.cancel': async (api) => ({ message: await heldMessage(api) }),
  'quickReplies.create': async () => ({ shortcut: 'sample', text: 'Hello {{contact.first_name|there}}' }),
  'products.create': async () => ({ name: 'Sample', price: 100, stock: 5, sku: `sample ${Math.random()}` }),
  'products.update': async (api) => ({ product: await activeProduct(api), stock_adjustment: 1, price: 7 }),
  'orders.create': async (api) => ({
    contact: await first(api, '/contacts'),
    items: [{ product: await activeProduct(api), quantity: 2 }],
  }),
  'orders.advance': async (api) => ({ order: await pendingOrder(api), status: 'confirmed' }),
  'bookings.create': async () => ({ title: 'Sample', ...nextHour() }),
  'bookings.update': async (api) => ({ booking: await ownBooking(api), title: 'Renamed' }),
  'bookings.delete': async (api) => ({ booking: await ownBooking(api) }),
  'campaigns.pause': async (api) => ({ campaign: await campaignThat(api, 'scheduled') }),
  'campaigns.resume': async (api) => ({ campaign: await campaignThat(api, 'paused') }),
  'campaigns.cancel': async (api) => ({ campaign: await campaignThat(api, 'paused') }),
  'tags.create': async () => ({ name: `sample ${Math.random()}` }),
  'tags.update': async (api) => ({ tag: await ownTag(api), name: `renamed ${Math.random()}` }),
  'tags.delete': async (api) => ({ tag: await ownTag(api) }),
  ...Object.fromEntries(
    [
      'close',
      'reopen',
      'read',
      'unread',
      'mute',
      'unmute',
      'archive',
      'unarchive',
      'pin',
      'unpin',
      'follow',
      'unfollow',
      'unassign',
      'flushHeld',
    ].map((action): [string, Sample] => [`conversations.${action}`, thread]),
  ),
  'conversations.assign': async (api) => ({ ...(await thread(api)), assignee: 'me' }),
  'conversations.transfer': async (api) => ({
    ...(await thread(api)),
    assignee: 'me',
    note: 'Please take over.',
  }),
  'conversations.addNote': async (api) => ({ ...(await thread(api)), body: 'A note.' }),
  'conversations.attachTag': async (api) => ({ ...(await thread(api)), tag: await ownTag(api) }),
  'conversations.detachTag': async (api) => ({ ...(await thread(api)), tag: await ownTag(api) }),
  'conversations.updatePresence': async (api) => ({ ...(await thread(api)), action: 'claim', typing: true }),
  'conversations.bulk': async (api) => ({
    conversation_ids: (await api.get('/conversations')).body.data.map(({ id }: { id: string }) => id),
    action: 'close',
  }),
};

/** A valid input for the operations that read something else than a contact. */
export const readSamples: Record<string, Sample> = {
  'products.show': async (api) => ({ product: await activeProduct(api) }),
  'orders.show': async (api) => ({ order: await pendingOrder(api) }),
  'campaigns.show': async (api) => ({ campaign: await campaignThat(api, 'scheduled') }),
  'bookings.show': async (api) => ({ booking: await ownBooking(api) }),
  'bookings.availability': async (api) => ({
    agent_email: (await api.post('/bookings', { title: 'Sample', ...nextHour() })).body.data.agent_email,
    from: '2031-03-01',
    to: '2031-03-02',
  }),
};
