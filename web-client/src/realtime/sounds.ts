import { profileQuery } from '../account/use-profile.ts';
import { queryClient } from '../app/trpc.ts';
import type { InboxItem } from './inbox-item.ts';

/** What may be heard: a message in one's own conversation or in nobody's, a mention, an assignment. */
export const soundNames = ['mine', 'unassigned', 'mention', 'assigned'] as const;
export type SoundName = (typeof soundNames)[number];

/** Which sounds are on, and how loud all of them are, from 0 to 1. */
export type SoundPreference = Record<SoundName, boolean> & { volume: number };

const standard: SoundPreference = {
  mine: true,
  unassigned: false,
  mention: true,
  assigned: true,
  volume: 0.5,
};

/** Frequencies in hertz, one after the other. */
const tones: Readonly<Record<SoundName, readonly number[]>> = {
  mine: [660, 880],
  unassigned: [520],
  mention: [880, 1_175, 880],
  assigned: [587, 784],
};
/** Length of one of them, in seconds. */
const length = 0.13;
/** However much comes in: one sound in so many milliseconds. */
const pause = 1_500;

/** The agent's preference under `sounds`; what it does not say, or says wrongly, is as it is at first. */
export function soundPreference(preferences: Readonly<Record<string, unknown>>): SoundPreference {
  const kept = preferences['sounds'];
  const given: Partial<Record<string, unknown>> =
    typeof kept === 'object' && kept !== null ? { ...kept } : {};
  const flag = (name: SoundName) => {
    const value = given[name];
    return typeof value === 'boolean' ? value : standard[name];
  };
  const volume = Number(given['volume'] ?? standard.volume);
  return {
    mine: flag('mine'),
    unassigned: flag('unassigned'),
    mention: flag('mention'),
    assigned: flag('assigned'),
    volume: volume >= 0 && volume <= 1 ? volume : standard.volume,
  };
}

/** Which sound an item of the inbox makes for an agent with this e-mail; null for none. */
export function soundOf({ type, conversation }: InboxItem, email: string): SoundName | null {
  if (type !== 'message.received' || conversation === null || conversation.muted) return null;
  if (conversation.assignee === null) return 'unassigned';
  return conversation.assignee.email === email ? 'mine' : null;
}

/** A customer wrote. */
export function playMessage(item: InboxItem): void {
  const profile = queryClient.getQueryData(profileQuery().queryKey)?.data;
  const name = profile ? soundOf(item, profile.email) : null;
  if (profile && name) play(name, soundPreference(profile.preferences));
}

/** @param kind of a notification */
export function playNews(kind: string): void {
  const profile = queryClient.getQueryData(profileQuery().queryKey)?.data;
  const name =
    kind === 'mention' ? 'mention' : kind === 'assigned' || kind === 'transferred' ? 'assigned' : null;
  if (profile && name) play(name, soundPreference(profile.preferences));
}

let context: AudioContext | undefined;
let playedAt = 0;

function play(name: SoundName, preference: SoundPreference): void {
  if (!preference[name] || Date.now() - playedAt < pause) return;
  playedAt = Date.now();
  sound(name, preference.volume);
}

/** Plays it, whatever is switched on. Before anybody has touched the page browsers let nothing be heard. */
export function sound(name: SoundName, volume: number): void {
  if (volume === 0) return;
  context ??= new AudioContext();
  void context.resume().catch(() => {});
  // For whoever listens to the page: tests, and assistive software that replaces sounds by signs.
  dispatchEvent(new CustomEvent('parlour-sound', { detail: name }));
  const start = context.currentTime + 0.02;
  for (const [n, frequency] of tones[name].entries()) tone(context, frequency, start + n * length, volume);
}

function tone(audio: AudioContext, frequency: number, at: number, volume: number): void {
  const gain = new GainNode(audio, { gain: 0 });
  const source = new OscillatorNode(audio, { frequency, type: 'sine' });
  // Neither begins nor ends with a click.
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume * 0.25, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + length);
}
