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

const thread = async (api: Client) => ({ conversation: await first(api, '/conversations') });

export const samples: Record<string, Sample> = {
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
