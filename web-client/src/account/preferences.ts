import { profileQuery, useProfile } from './use-profile.ts';
import { refused } from '../app/toast.ts';
import { send } from '../app/send.ts';
import { queryClient, trpc } from '../app/trpc.ts';

/** What an agent has chosen. The server keeps it, so it holds in every browser and in both modes. */
export interface Preferences {
  /** Enter sends; else it begins a new line, and Ctrl or ⌘ with Enter sends. */
  enterSends: boolean;
  /** A conversation is closed once its reply is on its way. */
  sendCloses: boolean;
  /** For how long a reply can be taken back, in seconds, 0–30. */
  holdSeconds: number;
  /** What marks a conversation as read: two seconds on the screen, an answer, or the agent alone. */
  markRead: 'seen' | 'reply' | 'manual';
  /** A language tag; null is that of the browser. */
  language: string | null;
  theme: 'system' | 'light' | 'dark' | 'contrast';
  density: 'comfortable' | 'compact';
  /** Whether single keys are shortcuts. */
  singleKeys: boolean;
}

type Name = keyof Preferences;

const isBoolean = (value: unknown) => typeof value === 'boolean';
const isOneOf =
  (...choices: readonly string[]) =>
  (value: unknown) =>
    choices.includes(value as string);
const isWithin = (low: number, high: number) => (value: unknown) =>
  typeof value === 'number' && value >= low && value <= high;

const defaults: Preferences = {
  enterSends: true,
  sendCloses: false,
  holdSeconds: 5,
  markRead: 'seen',
  language: null,
  theme: 'system',
  density: 'comfortable',
  singleKeys: true,
};

/** The store takes any JSON; what does not fit counts as not chosen. */
const fits: Record<Name, (value: unknown) => boolean> = {
  enterSends: isBoolean,
  sendCloses: isBoolean,
  holdSeconds: isWithin(0, 30),
  markRead: isOneOf('seen', 'reply', 'manual'),
  language: (value) => typeof value === 'string',
  theme: isOneOf('system', 'light', 'dark', 'contrast'),
  density: isOneOf('comfortable', 'compact'),
  singleKeys: isBoolean,
};

/** What the agent has chosen under a name, or what holds without a choice; draws again when it changes. */
export function usePreference<N extends Name>(name: N): Preferences[N] {
  return chosen(useProfile().preferences, name);
}

/** The same at this moment, for what is not drawn. */
export function preference<N extends Name>(name: N): Preferences[N] {
  return chosen(queryClient.getQueryData(profileQuery().queryKey)?.data.preferences ?? {}, name);
}

/** The same without what holds by itself: undefined until the agent chooses. */
export function ownPreference<N extends Name>(name: N): Preferences[N] | undefined {
  const kept = queryClient.getQueryData(profileQuery().queryKey)?.data.preferences ?? {};
  return kept[name] === undefined ? undefined : chosen(kept, name);
}

/** Chooses; it holds at once, and is taken back with a message when the server does not keep it. */
export async function setPreference<N extends Name>(name: N, value: Preferences[N]): Promise<void> {
  const { queryKey } = profileQuery();
  const before = queryClient.getQueryData(queryKey);
  if (before) {
    const preferences = { ...before.data.preferences, [name]: value };
    // As old as it was: it also says when the session ends.
    const updatedAt = queryClient.getQueryState(queryKey)?.dataUpdatedAt;
    queryClient.setQueryData(queryKey, { data: { ...before.data, preferences } }, { updatedAt });
  }
  try {
    await send(trpc.account.updateProfile.mutationOptions(), { preferences: { [name]: value } });
  } catch (error) {
    queryClient.setQueryData(queryKey, before);
    refused(error);
  }
}

function chosen<N extends Name>(kept: Record<string, unknown>, name: N): Preferences[N] {
  const value = kept[name];
  return fits[name](value) ? (value as Preferences[N]) : defaults[name];
}
