import { randomInt } from 'node:crypto';
import { accessChannel } from '../platform/auth.ts';
import type { Principal } from '../platform/context.ts';
import type { Services } from '../platform/services.ts';
import { activityTimeout, type Grant } from './broadcasting.ts';
import { type Channel, mayHear, parseChannel } from './channels.ts';
import type { Member } from './members.ts';
import { PusherHub } from './pusher-hub.ts';
import {
  type Code,
  codes,
  failure,
  type Heard,
  memberIn,
  message,
  readMessage,
  rosterOf,
  textOf,
} from './pusher-messages.ts';
import { sameSecret } from '../platform/compare.ts';
import { appKey, signChannel } from './signature.ts';

const limits = {
  /** Channels of one socket. */
  channels: 50,
  /** Sockets of one key on this process. */
  perKey: 20,
  /** Messages of one socket in a second; more are dropped, and ten times as many end it. */
  messages: 100,
  clientEvents: 10,
  /** Characters of a client event. */
  clientEvent: 2_048,
  /** How long a subscription waits to be told who authorised it, in milliseconds. */
  grant: 3_000,
  /** How often everybody's access is asked for again, in milliseconds. */
  recheck: 3_000,
} as const;

/** What carries the messages of one client. */
interface Line {
  send(text: string): void;
  close(code: Code): void;
}

interface Joined {
  channel: Channel;
  grant: Grant;
  member: Member | null;
}

/** One client. */
interface Peer {
  id: string;
  line: Line;
  send(text: string): void;
  joined: Map<string, Joined>;
  /** What the socket was authorised for, by channel. */
  grants: Map<string, Grant>;
  /** Subscriptions that wait for their grant. */
  waiting: Map<string, () => void>;
  second: { began: number; messages: number; clientEvents: number };
  open: boolean;
}

/** The Pusher protocol, version 7, over any sockets: channels, presence, client events. */
export class PusherServer {
  readonly #app: Services;
  readonly #hub: PusherHub;
  readonly #peers = new Map<string, Peer>();
  readonly #timer: NodeJS.Timeout;

  constructor(app: Services) {
    this.#app = app;
    this.#hub = new PusherHub(app);
    app.feed.onAnnouncement((told) => {
      // Only `authorizeChannel` announces grants.
      if (told?.type === 'socket.granted') this.#granted(told.object as unknown as Grant);
    });
    const recheck = () => {
      this.#recheck().catch((error: unknown) =>
        app.log.warn({ err: error }, 'access of channels not checked'),
      );
    };
    app.notifications.on(accessChannel, recheck);
    this.#timer = setInterval(recheck, limits.recheck).unref();
  }

  /** Greets a client, or sends it away and returns null. */
  open(line: Line, key: string, version: string | null) {
    const refused = key !== appKey(this.#app.config.secrets) ? codes.unknownApp : faultOf(version);
    if (refused) {
      dismiss(line, refused);
      return null;
    }
    const peer: Peer = {
      id: `${randomInt(1, 2 ** 32)}.${randomInt(1, 2 ** 32)}`,
      line,
      send: (text) => line.send(text),
      joined: new Map(),
      grants: new Map(),
      waiting: new Map(),
      second: { began: 0, messages: 0, clientEvents: 0 },
      open: true,
    };
    this.#peers.set(peer.id, peer);
    const greeting = { socket_id: peer.id, activity_timeout: activityTimeout };
    peer.send(message('pusher:connection_established', greeting));
    return {
      hear: (text: string) => {
        this.#hear(peer, text).catch((error: unknown) => {
          this.#app.log.error({ err: error }, 'socket message failed');
          line.close(codes.failed);
        });
      },
      gone: () => this.#gone(peer),
    };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#hub.close();
  }

  async #hear(peer: Peer, text: string): Promise<void> {
    if (floods(peer)) return;
    const heard = readMessage(text);
    if (heard.event === 'pusher:ping') peer.send(message('pusher:pong', {}));
    else if (heard.event === 'pusher:subscribe') await this.#subscribe(peer, heard.fields);
    else if (heard.event === 'pusher:unsubscribe') this.#leave(peer, String(heard.fields['channel']));
    else if (heard.event.startsWith('client-')) this.#clientEvent(peer, heard);
  }

  async #subscribe(peer: Peer, fields: Record<string, unknown>): Promise<void> {
    const name = String(fields['channel']);
    const channel = parseChannel(name);
    const channelData = textOf(fields['channel_data']);
    if (peer.joined.has(name)) return;
    const expected = signChannel(this.#app.config.secrets, peer.id, name, channelData);
    if (!channel || !sameSecret(String(fields['auth']), expected)) return refuse(peer, name);
    const member = channel.kind === 'conversation' ? memberIn(channelData) : null;
    const grant = await this.#grantFor(peer, name);
    if (!peer.open || peer.joined.has(name)) return;
    if (!grant || (channel.kind === 'conversation' && member?.user_id !== grant.user))
      return refuse(peer, name);
    if (peer.joined.size >= limits.channels || this.#socketsOf(grant.key, peer) >= limits.perKey)
      return dismiss(peer.line, codes.overQuota);
    peer.joined.set(name, { channel, grant, member });
    const members = await this.#hub.enter(name, grant.company, peer, member);
    // The client may have left meanwhile, without anything to leave yet.
    if (!peer.open || !peer.joined.has(name)) return this.#hub.leave(name, grant.company, peer, member);
    peer.send(message('pusher_internal:subscription_succeeded', member ? rosterOf(members) : {}, name));
  }

  /** The client may ask for the channel before this process has heard who authorised it. */
  #grantFor(peer: Peer, name: string): Grant | undefined | Promise<Grant | undefined> {
    const known = peer.grants.get(name);
    if (known) return known;
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        peer.waiting.delete(name);
        resolve(peer.grants.get(name));
      };
      const timer = setTimeout(done, limits.grant);
      peer.waiting.set(name, done);
    });
  }

  #granted(grant: Grant): void {
    const peer = this.#peers.get(grant.socket);
    if (!peer || (peer.grants.size > limits.channels * 2 && !peer.waiting.has(grant.channel))) return;
    peer.grants.set(grant.channel, grant);
    peer.waiting.get(grant.channel)?.();
  }

  #leave(peer: Peer, name: string): void {
    const joined = peer.joined.get(name);
    if (!joined) return;
    peer.joined.delete(name);
    peer.grants.delete(name);
    this.#hub.leave(name, joined.grant.company, peer, joined.member);
  }

  #gone(peer: Peer): void {
    peer.open = false;
    this.#peers.delete(peer.id);
    for (const name of peer.joined.keys()) this.#leave(peer, name);
    for (const done of peer.waiting.values()) done();
  }

  /** Members of a presence channel may tell the others that they are typing, and nothing else. */
  #clientEvent(peer: Peer, { event, channel, data }: Heard): void {
    const joined = peer.joined.get(channel);
    const text = JSON.stringify({ event, channel, data, user_id: joined?.member?.user_id });
    const allowed = event === 'client-typing' && joined?.member && text.length <= limits.clientEvent;
    if (!allowed || ++peer.second.clientEvents > limits.clientEvents)
      return peer.send(failure(codes.rejected));
    if (joined.channel.test) return;
    this.#hub.tell(joined.grant.company, 'socket.client_event', { channel, text, from: peer.id });
  }

  #socketsOf(key: string | null, except: Peer): number {
    let count = 0;
    for (const peer of this.#peers.values()) {
      if (peer !== except && [...peer.joined.values()].some(({ grant }) => grant.key === key)) count++;
    }
    return count;
  }

  async #principalOf({ by, key, session }: Grant, { test }: Channel): Promise<Principal | null> {
    if (session !== null) return this.#app.sessions.principalOf(session, test ? 'test' : 'live');
    return by === 'api_key' && key !== null ? this.#app.keys.principalOf(key) : null;
  }

  /** A socket whose key or session has ended is closed; one that lost a scope comes back without it. */
  async #recheck(): Promise<void> {
    const known = new Map<string, Promise<Principal | null>>();
    for (const peer of this.#peers.values()) {
      for (const { grant, channel } of peer.joined.values()) {
        const holder = grant.session ?? grant.key;
        if (holder === null) continue;
        const asking = known.get(holder) ?? this.#principalOf(grant, channel);
        known.set(holder, asking);
        const principal = await asking;
        if (principal && mayHear(principal, channel)) continue;
        dismiss(peer.line, principal ? codes.accessChanged : codes.unauthorised);
        break;
      }
    }
  }
}

function faultOf(version: string | null): Code | undefined {
  return version === null || /^[5-7]$/.test(version) ? undefined : codes.protocol;
}

function dismiss(line: Line, code: Code): void {
  line.send(failure(code));
  line.close(code);
}

/** The client's channel hears of it too, as Pusher tells it. */
function refuse(peer: Peer, channel: string): void {
  const error = { type: 'AuthError', error: codes.unauthorised[1], status: 401 };
  peer.send(message('pusher:subscription_error', error, channel));
  peer.send(failure(codes.unauthorised));
}

/** Counts a message; true when it is one too many. */
function floods({ second, line }: Peer): boolean {
  const now = performance.now();
  if (now - second.began > 1_000) Object.assign(second, { began: now, messages: 0, clientEvents: 0 });
  second.messages++;
  if (second.messages === limits.messages + 1) line.send(failure([4301, 'Over the rate limit']));
  if (second.messages > limits.messages * 10) line.close(codes.overQuota);
  return second.messages > limits.messages;
}
