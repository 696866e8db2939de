import type { LoadRequest } from './load.ts';
import type { OwnOperation } from './operations.ts';
import type { Samples } from './samples.ts';

/** Searches by every class of word, and what else the yardstick does not have. */
export function ownOperations({ conversations, orderable, contacts }: Samples): OwnOperation[] {
  const searches = (words: readonly string[]) =>
    words.map((word): LoadRequest => ({
      method: 'GET',
      path: `/api/v1/contacts?q=${encodeURIComponent(word)}`,
    }));
  return [
    { name: 'contacts, q common', p99: 20, requests: searches(['ana', 'silva', 'example']) },
    { name: 'contacts, q rare', p99: 20, requests: searches(['zzyzx', 'quixotry', 'wqxk']) },
    { name: 'contacts, q of two letters', p99: 20, requests: searches(['an', 'so', 'li']) },
    { name: 'contacts, q of digits', p99: 20, requests: searches(['3519', '912 345', '0049']) },
    {
      name: 'contacts over tRPC',
      p99: null,
      requests: [
        {
          method: 'GET',
          path: `/trpc/contacts.list?input=${encodeURIComponent(JSON.stringify({ limit: 25 }))}`,
        },
      ],
    },
    {
      name: 'close and open a conversation',
      p99: null,
      requests: conversations.flatMap((id) =>
        ['close', 'reopen'].map((word): LoadRequest => ({
          method: 'POST',
          path: `/api/v1/conversations/${id}/${word}`,
        })),
      ),
    },
    {
      name: 'order with 4 items',
      p99: null,
      requests: contacts.map((contact, n): LoadRequest => {
        const items = [0, 1, 2, 3].map((more) => ({
          product: orderable[(n + more) % orderable.length],
          quantity: 1 + more,
        }));
        return { method: 'POST', path: '/api/v1/orders', body: JSON.stringify({ contact, items }) };
      }),
    },
  ];
}

/** Many records at once: no two requests in flight are about the same. */
export function bulkOperations({ contacts, conversations, tags }: Samples): OwnOperation[] {
  return [
    {
      name: 'bulk-tag of 500',
      p99: null,
      requests: parts(contacts, 500).flatMap((ids, part) =>
        ['add', 'remove'].map((action): LoadRequest => ({
          method: 'POST',
          path: '/api/v1/contacts/bulk-tag',
          body: JSON.stringify({ contact_ids: ids, tag: tags[part % tags.length], action }),
        })),
      ),
    },
    {
      name: 'bulk close of 200',
      p99: null,
      requests: parts(conversations, 200).flatMap((ids) =>
        ['close', 'open'].map((action): LoadRequest => ({
          method: 'POST',
          path: '/api/v1/conversations/bulk',
          body: JSON.stringify({ conversation_ids: ids, action }),
        })),
      ),
    },
  ];
}

function parts(ids: readonly string[], size: number): string[][] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, part) =>
    ids.slice(part * size, (part + 1) * size),
  );
}
