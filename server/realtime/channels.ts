import type { Scope } from '../../schema/scopes.ts';
import type { Principal } from '../platform/context.ts';
import type { LogEntry } from '../platform/event-log.ts';

const scopeOfKind = {
  company: 'inbox.access',
  commerce: 'commerce.view',
  campaigns: 'campaigns.view',
  calendar: 'calendar.view',
  user: null,
  conversation: 'inbox.access',
} as const satisfies Record<string, Scope | null>;

export type ChannelKind = keyof typeof scopeOfKind;

/** A channel by its name. */
export interface Channel {
  kind: ChannelKind;
  /** Id of the company, user or conversation. */
  id: string;
  /** Of the sandbox: may be joined with a test key, and carries nothing. */
  test: boolean;
}

const format =
  /^(?:private-(?<kind>company|commerce|campaigns|calendar|user)|presence-conversation)(?<test>-test)?\.(?<id>\w{1,26})$/;

/** Null for a name that is none of ours. */
export function parseChannel(name: string): Channel | null {
  const groups = format.exec(name)?.groups;
  if (groups?.['id'] === undefined) return null;
  const kind = (groups['kind'] ?? 'conversation') as ChannelKind;
  return { kind, id: groups['id'], test: groups['test'] !== undefined };
}

export function channelName(kind: ChannelKind, id: string, test = false): string {
  const prefix = kind === 'conversation' ? 'presence' : 'private';
  return `${prefix}-${kind}${test ? '-test' : ''}.${id}`;
}

/** Whether somebody may hear a channel, apart from whether a conversation is one of their company. */
export function mayHear(principal: Principal, { kind, id, test }: Channel): boolean {
  if (test === principal.livemode) return false;
  const scope = scopeOfKind[kind];
  if (scope !== null && !principal.grants.has(scope)) return false;
  if (kind === 'conversation') return principal.user !== null;
  return id === (kind === 'user' ? principal.user?.id : principal.account.id);
}

/** The channels that a caller may join, those of conversations apart. */
export function ownChannels(principal: Principal): string[] {
  const kinds = Object.keys(scopeOfKind) as ChannelKind[];
  return kinds.flatMap((kind) => {
    const id = kind === 'user' ? principal.user?.id : principal.account.id;
    const channel = { kind, id: id ?? '', test: !principal.livemode };
    const own = kind !== 'conversation' && id !== undefined && mayHear(principal, channel);
    return own ? [channelName(kind, channel.id, channel.test)] : [];
  });
}

const kindOfFamily: Readonly<Record<string, ChannelKind>> = {
  order: 'commerce',
  product: 'commerce',
  campaign: 'campaigns',
  booking: 'calendar',
};

/** The channels that carry an event. Source: decisions §9. */
export function channelsOf({ family, event, companyId, conversationId }: LogEntry): string[] {
  const names: string[] = [];
  const inbox =
    family === 'conversation' || event.type === 'message.received' || event.type === 'message.sent';
  if (inbox) names.push(channelName('company', companyId));
  const kind = kindOfFamily[family];
  if (kind !== undefined) names.push(channelName(kind, companyId));
  if (conversationId !== null) names.push(channelName('conversation', conversationId));
  return names;
}
