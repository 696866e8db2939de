import { presenceOf, releasePresence } from '../conversations/presence.ts';
import { announceAt, type Announcement } from '../platform/announce.ts';
import type { FeedReader, Told } from '../platform/feed-readers.ts';
import type { Services } from '../platform/services.ts';
import { asSystem } from '../platform/system-context.ts';
import { inUnitOfWork } from '../platform/unit-of-work.ts';
import { channelName, channelsOf, parseChannel } from './channels.ts';
import { holdCounters } from './counters.ts';
import { channelMessage, transientBody } from './envelope.ts';
import { aliveEvery, type Member, type MemberNews, Members } from './members.ts';

/** After leaving a conversation its edit lock is kept so long, in milliseconds: pages are reloaded. */
const lockGrace = 5_000;

/** Other processes have told who is there after so many milliseconds. */
const answersWithin = 3_000;

/** One who hears channels. */
export interface Listener {
  id: string;
  send(text: string): void;
}

interface Room {
  company: string;
  listeners: Set<Listener>;
}

/** A company whose events some channel of this process carries. */
interface Source {
  rooms: number;
  reader: Promise<FeedReader>;
  releaseCounters: () => void;
}

/** The channels of this process: who is in them, and what they are told. */
export class PusherHub {
  readonly #app: Services;
  readonly #rooms = new Map<string, Room>();
  readonly #sources = new Map<string, Source>();
  readonly #members: Members;
  readonly #timer: NodeJS.Timeout;

  constructor(app: Services) {
    this.#app = app;
    this.#members = new Members(
      (news) => this.tell('', 'socket.members', { ...news }),
      (channel, member, op) => this.#memberChanged(channel, member, op),
    );
    app.feed.onAnnouncement((told) => this.#heard(told));
    this.#meet();
    this.#timer = setInterval(() => this.#members.tick(), aliveEvery).unref();
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { reader, releaseCounters } of this.#sources.values()) {
      releaseCounters();
      void reader.then((open) => open.close());
    }
    this.#sources.clear();
  }

  /** Resolves when everything that happens from now on will be heard. A test channel carries nothing. */
  async enter(
    channel: string,
    company: string,
    listener: Listener,
    member: Member | null,
  ): Promise<Member[]> {
    if (!parseChannel(channel)?.test) await this.#follow(company);
    if (member) this.#members.join(channel, member, listener.id);
    const room = this.#rooms.get(channel) ?? { company, listeners: new Set<Listener>() };
    this.#rooms.set(channel, room);
    room.listeners.add(listener);
    return member ? this.#members.list(channel) : [];
  }

  leave(channel: string, company: string, listener: Listener, member: Member | null): void {
    const room = this.#rooms.get(channel);
    room?.listeners.delete(listener);
    if (member) this.#members.leave(channel, member.user_id, listener.id);
    if (room?.listeners.size === 0) this.#rooms.delete(channel);
    if (!parseChannel(channel)?.test) this.#unfollow(company);
  }

  /** Sends to all in a channel of this process. */
  send(channel: string, text: string, except?: string): void {
    for (const listener of this.#rooms.get(channel)?.listeners ?? [])
      if (listener.id !== except) listener.send(text);
  }

  /** Tells every process. */
  tell(company: string, type: Announcement['type'], object: Record<string, unknown>): void {
    const { pool, clock, log } = this.#app;
    announceAt(pool, company, clock.now(), { type, object }).catch((error: unknown) =>
      log.warn({ err: error }, 'other processes not told'),
    );
  }

  async #follow(company: string): Promise<void> {
    const known = this.#sources.get(company);
    if (known) {
      known.rooms++;
      await known.reader;
      return;
    }
    // Sent at once, so nothing ever waits in this reader.
    const reader = this.#app.feed.join(company, (told) => {
      this.#carry(told);
      return false;
    });
    this.#sources.set(company, { rooms: 1, reader, releaseCounters: holdCounters(this.#app, company) });
    await reader;
  }

  #unfollow(company: string): void {
    const source = this.#sources.get(company);
    if (!source || --source.rooms > 0) return;
    this.#sources.delete(company);
    source.releaseCounters();
    void source.reader.then((open) => open.close());
  }

  #carry(told: Told): void {
    if ('entry' in told) {
      for (const channel of channelsOf(told.entry)) {
        // Nothing is serialised for a channel that nobody here listens to.
        if (this.#rooms.has(channel)) this.send(channel, channelMessage(channel, told.entry.event));
      }
    } else if ('announcement' in told) this.#carryTransient(told.announcement);
  }

  #carryTransient(told: Announcement): void {
    const { type, company, conversation, user, object } = told;
    if (type.startsWith('socket.') || type === 'visitor.wrote') return;
    const channel =
      user !== null
        ? channelName('user', user)
        : conversation !== null
          ? channelName('conversation', conversation)
          : channelName('company', company);
    if (!this.#rooms.has(channel)) return;
    if (type === 'presence.updated' && conversation !== null) {
      this.#carryPresence(told, channel, conversation).catch((error: unknown) =>
        this.#app.log.warn({ err: error }, 'presence not told'),
      );
    } else this.send(channel, channelMessage(channel, transientBody(told, type, object)));
  }

  async #carryPresence(told: Announcement, channel: string, conversation: string): Promise<void> {
    const state = await asSystem(this.#app, told.company, async (ctx) =>
      (await presenceOf(ctx, [conversation])).get(conversation),
    );
    if (!state) return;
    const { holderId, holderName, typing } = state;
    const object = {
      conversation,
      locked: holderId !== null,
      editing_by: holderName,
      user_id: holderId,
      typing,
    };
    this.send(channel, channelMessage(channel, transientBody(told, 'presence.updated', object)));
    if (!typing) return;
    const who = { conversation, user_id: holderId, name: holderName, typing };
    this.send(channel, channelMessage(channel, transientBody(told, 'typing', who)));
  }

  #heard(told: Announcement | null): void {
    if (told === null) this.#meet();
    // These are written by this class alone.
    else if (told.type === 'socket.members') this.#members.hear(told.object as unknown as MemberNews);
    else if (told.type === 'socket.client_event') {
      const { channel, text, from } = told.object as { channel: string; text: string; from: string };
      this.send(channel, text, from);
    }
  }

  #meet(): void {
    this.#members.hello();
    setTimeout(() => this.#members.settle(), answersWithin).unref();
  }

  #memberChanged(channel: string, member: Member, op: 'added' | 'removed'): void {
    const { user_id } = member;
    const data = JSON.stringify(op === 'added' ? member : { user_id });
    this.send(channel, JSON.stringify({ event: `pusher_internal:member_${op}`, channel, data }));
    const room = this.#rooms.get(channel);
    const conversation = parseChannel(channel);
    if (op === 'added' || !conversation || conversation.test) return;
    if (!room) return;
    setTimeout(() => {
      if (this.#members.has(channel, user_id)) return;
      this.#release(room.company, conversation.id, user_id).catch((error: unknown) =>
        this.#app.log.warn({ err: error }, 'edit lock not released'),
      );
    }, lockGrace).unref();
  }

  #release(company: string, conversation: string, user: string): Promise<void> {
    return asSystem(this.#app, company, (ctx) =>
      inUnitOfWork(ctx, (work) => releasePresence(work, [conversation], user)),
    );
  }
}
