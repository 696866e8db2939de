import { newId } from '../platform/ids.ts';

/** Somebody who looks at a conversation, as the clients of the channel see them. */
export interface Member {
  user_id: string;
  user_info: { name: string; email: string };
}

/** What one process tells the others about its members. */
export interface MemberNews {
  node: string;
  op: 'hello' | 'alive' | 'join' | 'leave';
  channel?: string;
  member?: Member;
}

/** A process that is silent for so long is gone, in milliseconds; it says that it is alive three times as often. */
const patience = 30_000;
export const aliveEvery = patience / 3;

interface Remote {
  heardAt: number;
  channels: Map<string, Map<string, Member>>;
}

/**
 * Who is on the presence channels, over all processes. Each tells the others who joins and leaves; whoever starts
 * asks for what is already there, and the members of a process that dies leave when it has been silent for a while.
 */
export class Members {
  readonly #tell: (news: MemberNews) => void;
  readonly #changed: (channel: string, member: Member, op: 'added' | 'removed') => void;
  readonly #node = newId();
  /** Sockets by user, by channel. */
  readonly #local = new Map<string, Map<string, { member: Member; sockets: Set<string> }>>();
  readonly #remote = new Map<string, Remote>();
  /** What was known before news may have been missed: true until `settle`, unless told again. */
  readonly #doubtful = new Map<string, Remote>();

  constructor(
    tell: (news: MemberNews) => void,
    changed: (channel: string, member: Member, op: 'added' | 'removed') => void,
  ) {
    this.#tell = tell;
    this.#changed = changed;
  }

  /** Asks the other processes who is there: at the start, and when their news may have been missed. */
  hello(): void {
    for (const [node, remote] of this.#remote) this.#doubtful.set(node, remote);
    this.#remote.clear();
    this.#tell({ node: this.#node, op: 'hello' });
  }

  /** Called some seconds after `hello`, when all have answered: lets go of those nobody has told of again. */
  settle(): void {
    const before = [...this.#doubtful.values()];
    this.#doubtful.clear();
    for (const { channels } of before) this.#removeGone(channels);
  }

  list(channel: string): Member[] {
    const members = new Map<string, Member>();
    for (const { member } of this.#local.get(channel)?.values() ?? []) members.set(member.user_id, member);
    for (const { channels } of this.#elsewhere()) {
      for (const member of channels.get(channel)?.values() ?? []) members.set(member.user_id, member);
    }
    return [...members.values()];
  }

  has(channel: string, user: string): boolean {
    if (this.#local.get(channel)?.has(user)) return true;
    for (const { channels } of this.#elsewhere()) if (channels.get(channel)?.has(user)) return true;
    return false;
  }

  *#elsewhere(): Generator<Remote> {
    yield* this.#remote.values();
    yield* this.#doubtful.values();
  }

  join(channel: string, member: Member, socket: string): void {
    const users = this.#local.get(channel) ?? new Map<string, { member: Member; sockets: Set<string> }>();
    this.#local.set(channel, users);
    const here = users.get(member.user_id);
    if (here) return void here.sockets.add(socket);
    const known = this.has(channel, member.user_id);
    users.set(member.user_id, { member, sockets: new Set([socket]) });
    this.#tell({ node: this.#node, op: 'join', channel, member });
    if (!known) this.#changed(channel, member, 'added');
  }

  leave(channel: string, user: string, socket: string): void {
    const users = this.#local.get(channel);
    const here = users?.get(user);
    if (!users || !here) return;
    here.sockets.delete(socket);
    if (here.sockets.size > 0) return;
    users.delete(user);
    if (users.size === 0) this.#local.delete(channel);
    this.#tell({ node: this.#node, op: 'leave', channel, member: here.member });
    if (!this.has(channel, user)) this.#changed(channel, here.member, 'removed');
  }

  hear({ node, op, channel, member }: MemberNews): void {
    if (node === this.#node) return;
    if (op === 'hello') return this.#introduce();
    const remote = this.#remote.get(node) ?? { heardAt: 0, channels: new Map<string, Map<string, Member>>() };
    this.#remote.set(node, remote);
    remote.heardAt = performance.now();
    if (channel === undefined || member === undefined) return;
    const known = this.has(channel, member.user_id);
    const users = remote.channels.get(channel) ?? new Map<string, Member>();
    if (op === 'join') {
      remote.channels.set(channel, users.set(member.user_id, member));
      if (!known) this.#changed(channel, member, 'added');
    } else {
      users.delete(member.user_id);
      this.#doubtful.get(node)?.channels.get(channel)?.delete(member.user_id);
      if (users.size === 0) remote.channels.delete(channel);
      if (known && !this.has(channel, member.user_id)) this.#changed(channel, member, 'removed');
    }
  }

  /** Called every `aliveEvery`: tells that this process is there, and lets go of those that are silent. */
  tick(): void {
    if (this.#local.size > 0) this.#tell({ node: this.#node, op: 'alive' });
    for (const [node, { heardAt, channels }] of this.#remote) {
      if (performance.now() - heardAt < patience) continue;
      this.#remote.delete(node);
      this.#removeGone(channels);
    }
  }

  #removeGone(channels: Remote['channels']): void {
    for (const [channel, users] of channels) {
      for (const member of users.values())
        if (!this.has(channel, member.user_id)) this.#changed(channel, member, 'removed');
    }
  }

  #introduce(): void {
    for (const [channel, users] of this.#local) {
      for (const { member } of users.values()) this.#tell({ node: this.#node, op: 'join', channel, member });
    }
  }
}
