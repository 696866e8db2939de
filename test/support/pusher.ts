import pusherJs, { type Channel } from 'pusher-js';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { Client } from './client.ts';

/** Its types speak of a default export, which is the module itself when Node imports it. */
const PusherClient = pusherJs as unknown as typeof pusherJs.default;
export type PusherClient = pusherJs.default;

/** A real pusher-js, which authorises its channels with a key of ours. */
export function pusherClient(url: string, appKey: string, key: string): PusherClient {
  return new PusherClient(appKey, {
    cluster: '',
    wsHost: '127.0.0.1',
    wsPort: Number(new URL(url).port),
    forceTLS: false,
    enabledTransports: ['ws'],
    channelAuthorization: {
      endpoint: `${url}/api/v1/broadcasting/auth`,
      transport: 'ajax',
      headers: { Authorization: `Bearer ${key}` },
    },
  });
}

/** What a channel was told: event and data. */
export type Told = [string, unknown][];

export function listen(channel: Channel): Told {
  const told: Told = [];
  channel.bind_global((event: string, data: unknown) => told.push([event, data]));
  return told;
}

export async function subscribed<C extends Channel>(channel: C): Promise<C> {
  await expect.poll(() => channel.subscribed, { timeout: 5_000 }).toBe(true);
  return channel;
}

export async function heard(told: Told, event: string): Promise<void> {
  await expect.poll(() => told.find(([name]) => name === event)?.[1], { timeout: 5_000 }).toBeTruthy();
}

/** A client that speaks the Pusher protocol by hand. */
export class RawPusher {
  readonly socket: WebSocket;
  readonly messages: { event: string; data: unknown; channel?: string }[] = [];
  readonly closed: Promise<number>;

  constructor(url: string, path: string) {
    this.socket = new WebSocket(`${url.replace('http', 'ws')}${path}`);
    this.socket.on('message', (data: Buffer) => this.messages.push(JSON.parse(data.toString())));
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('error', () => {});
  }

  send(event: string, data: unknown, channel?: string): void {
    this.socket.send(JSON.stringify({ event, data, ...(channel === undefined ? {} : { channel }) }));
  }

  /** The data of the first message of this name. */
  async until(event: string): Promise<Record<string, unknown>> {
    await expect.poll(() => this.messages.some((one) => one.event === event), { timeout: 5_000 }).toBe(true);
    const data = this.messages.find((one) => one.event === event)?.data;
    const known: unknown = typeof data === 'string' ? JSON.parse(data) : data;
    return known as Record<string, unknown>;
  }

  async id(): Promise<string> {
    return String((await this.until('pusher:connection_established'))['socket_id']);
  }

  /** Asks for a channel with the signature that a client of ours is given. */
  async subscribe(channel: string, client: Client): Promise<void> {
    const { body } = await client.post('/broadcasting/auth', {
      socket_id: await this.id(),
      channel_name: channel,
    });
    this.send('pusher:subscribe', { channel, ...body });
  }
}
