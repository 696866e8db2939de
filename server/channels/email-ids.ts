import { isId } from '../platform/ids.ts';

const longest = 500;
const pattern = /<([^<>\s]{1,498})>/g;

/** The Message-ID of a message of ours: the same in every attempt to send it. */
export function messageIdOf(id: string, address: string): string {
  return `<${id}@${address.slice(address.lastIndexOf('@') + 1)}>`;
}

/** Our id in a Message-ID that we made; null for anybody else's. */
export function ownIdIn(messageId: string): string | null {
  const id = messageId.slice(1, messageId.indexOf('@'));
  return isId(id) ? id : null;
}

/** The Message-IDs in a header, in its order. */
export function messageIdsIn(header: string): string[] {
  return [...header.slice(0, 100 * longest).matchAll(pattern)].map(([id]) => id);
}
