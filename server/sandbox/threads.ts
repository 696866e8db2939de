import type { ContactKey, ProductKey, TagKey } from './content.ts';
import type { Agent, Author, Entry, EventEntry, MessageEntry, NoteEntry, TagRef } from './thread.ts';

/** Who and what the threads may name. */
export interface Cast {
  owner: Agent;
  contact(key: ContactKey): Author;
  tag(key: TagKey): TagRef;
  productId(key: ProductKey): string;
  orderId(key: 'second'): string;
}

export interface ThreadScript {
  key: 'lamp' | 'parcel' | 'mugs' | 'invoice' | 'quiet';
  contact: ContactKey;
  aiAutoReply: 'on' | 'paused' | 'off';
  entries: Entry[];
}

export const assistant: Author = { type: 'ai', id: null, name: 'Assistant', email: null };
const shop: Author = { type: 'system', id: null, name: null, email: null };

/** A held reply must stay held however late it is read: no timer ever reaches this. */
const never = new Date('2099-12-31T23:59:59.000Z');

/** The five conversations, oldest first. Minutes count from the first entry. */
export function threadScripts(cast: Cast): ThreadScript[] {
  const { owner } = cast;
  const say = (author: Author, text: string, more: Partial<MessageEntry> = {}): MessageEntry => ({
    kind: 'message',
    author,
    text,
    ...more,
  });
  const does = (author: Author, event: EventEntry['event']): EventEntry => ({ kind: 'event', author, event });
  const note = (text: string, mentions: Agent[] = []): NoteEntry => ({
    kind: 'note',
    author: owner,
    text,
    mentions,
  });
  const marina = cast.contact('marina');
  const teo = cast.contact('teo');
  const odette = cast.contact('undeliverable');
  const pim = cast.contact('blocked');

  return [
    script('mugs', 'marina', 'off', '2026-01-14T09:02:11.000Z', [
      [0, does(shop, { name: 'created' })],
      [0, say(marina, 'Good morning! Do the sea green mugs go in the dishwasher?')],
      [6, does(owner, { name: 'assigned', to: owner })],
      [7, say(owner, 'Good morning Marina! They do, at up to 60 degrees. The glaze keeps its colour.')],
      [9, say(marina, 'Wonderful, then I take four of them please.')],
      [15, does(owner, { name: 'tagged', tag: cast.tag('vip') })],
      [16, note('Third order this year. Put a small bowl from the seconds shelf into the parcel.', [owner])],
      [21, say(owner, 'Order 1 is in. We pack it this afternoon.')],
      [4_330, say(marina, 'They arrived today, and they are even nicer than in the picture.')],
      [4_342, say(owner, 'That makes our day. Enjoy them!')],
      [4_345, does(owner, { name: 'closed' })],
      [4_400, does(marina, { name: 'rated', rating: 5, comment: 'Quick and friendly.' })],
      [4_401, does(shop, { name: 'tagged', tag: cast.tag('feedback') })],
    ]),
    script('quiet', 'blocked', 'off', '2026-01-20T21:47:30.000Z', [
      [0, does(shop, { name: 'created' })],
      [0, say(pim, 'CHEAP followers for your shop!!! write back now')],
      [660, does(owner, { name: 'muted', until: null })],
      [661, does(owner, { name: 'closed' })],
      [661, does(owner, { name: 'archived' })],
    ]),
    script('invoice', 'undeliverable', 'off', '2026-02-02T13:20:05.000Z', [
      [0, does(shop, { name: 'created' })],
      [0, say(odette, 'Hi, could you send me the invoice for the workshop in January once more?')],
      [30, does(owner, { name: 'assigned', to: owner })],
      [
        32,
        say(owner, 'Of course. Which e-mail address shall I use?', {
          status: 'failed',
          failure: { code: 'undeliverable', message: 'The number can’t receive messages.' },
          replyTo: 1,
        }),
      ],
      [40, note('Message did not arrive, the number seems to be switched off. Trying again on Monday.')],
    ]),
    script('parcel', 'teo', 'on', '2026-02-09T08:15:44.000Z', [
      [0, does(shop, { name: 'created' })],
      [0, say(teo, 'Hello, I ordered a lamp last week. When will it be here?')],
      [1, say(assistant, 'Hello Teo! Your order 2 was packed yesterday and leaves us today.')],
      [2, does(owner, { name: 'tagged', tag: cast.tag('delivery') })],
      [190, does(owner, { name: 'assigned', to: owner })],
      [191, say(owner, 'It is on its way, here are the details.', { orderId: cast.orderId('second') })],
      [195, say(teo, 'Great, thank you. Can the driver leave it with my neighbour?')],
      [
        199,
        say(owner, 'I have asked the carrier and will tell you as soon as they confirm.', {
          status: 'held',
          heldUntil: never,
        }),
      ],
    ]),
    script('lamp', 'marina', 'on', '2026-02-11T16:05:20.000Z', [
      [0, does(shop, { name: 'created' })],
      [0, say(marina, 'Hi! Is the oak lamp back in stock? I would like two for our reading corner.')],
      [1, say(assistant, 'Hi Marina! Yes, the table lamp “Alba” is available again.')],
      [
        2,
        say(owner, 'Here it is. For two we would pay the shipping.', { productId: cast.productId('lamp') }),
      ],
      [12, does(owner, { name: 'tagged', tag: cast.tag('lead') })],
      [75, say(marina, 'Perfect. Do you also have the shade in a darker colour?')],
      [76, say(marina, 'And could I pick them up on Saturday?')],
    ]),
  ];
}

/** Entries of the same minute follow each other by a second: in a thread no two have the same time. */
function script(
  key: ThreadScript['key'],
  contact: ContactKey,
  aiAutoReply: ThreadScript['aiAutoReply'],
  start: string,
  timed: readonly [minute: number, entry: MessageEntry | NoteEntry | EventEntry][],
): ThreadScript {
  const from = Date.parse(start);
  const entries = timed.map(([minute, entry], place): Entry => ({
    ...entry,
    at: new Date(from + minute * 60_000 + place * 1_000),
  }));
  return { key, contact, aiAutoReply, entries };
}
