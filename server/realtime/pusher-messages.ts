import type { Member } from './members.ts';

/** A close code or error of the Pusher protocol. After 40xx a client stays away, after 42xx it comes back at once. */
export type Code = readonly [code: number, text: string];

export const codes = {
  unknownApp: [4001, 'No such app key'],
  overQuota: [4004, 'Over quota'],
  protocol: [4007, 'Unsupported protocol version'],
  unauthorised: [4009, 'Not authorised'],
  accessChanged: [4200, 'Access has changed'],
  failed: [4200, 'Internal error'],
  rejected: [4301, 'Client event rejected'],
} as const satisfies Record<string, Code>;

/** Data of the protocol's own messages is JSON in a string. */
export function message(event: string, data: object, channel?: string): string {
  const place = channel === undefined ? {} : { channel };
  return JSON.stringify({ event, ...place, data: JSON.stringify(data) });
}

/** Errors carry their data as an object. */
export function failure([code, text]: Code): string {
  return JSON.stringify({ event: 'pusher:error', data: { code, message: text } });
}

/** What a client sent; anything that is no message is an empty one. */
export interface Heard {
  event: string;
  channel: string;
  data: unknown;
  /** `data` as an object, also when it came as JSON in a string. */
  fields: Record<string, unknown>;
}

export function readMessage(text: string): Heard {
  const { event, channel, data } = recordOf(parse(text));
  const fields = recordOf(typeof data === 'string' ? parse(data) : data);
  return { event: textOf(event) ?? '', channel: textOf(channel) ?? '', data, fields };
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The member in signed channel data. */
export function memberIn(channelData: string | undefined): Member | null {
  const { user_id: id, user_info: info } = recordOf(parse(channelData ?? ''));
  const { name, email } = recordOf(info);
  const known = typeof id === 'string' && typeof name === 'string' && typeof email === 'string';
  return known ? { user_id: id, user_info: { name, email } } : null;
}

/** Who is there, as presence channels tell it to one who joins. */
export function rosterOf(members: readonly Member[]) {
  const ids = members.map(({ user_id: id }) => id);
  const hash = Object.fromEntries(members.map(({ user_id: id, user_info: info }) => [id, info]));
  return { presence: { count: ids.length, ids, hash } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}
