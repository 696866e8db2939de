import { t } from '@lingui/core/macro';
import type { Author } from '../../../schema/entries.ts';
import type { Conversation } from '../../../schema/conversations.ts';
import { kindNames } from '../channels/kinds.ts';
import { dateFormat, numberFormat, relativeFormat } from '../language/formats.ts';

const channels: Readonly<Record<string, string>> = kindNames;

/** The kind of a channel as people call it. */
export function channelName(kind: string): string {
  return channels[kind] ?? kind;
}

/** Kinds of channels, to choose from. */
export const channelChoices = () => Object.entries(channels).map(([value, label]) => ({ value, label }));

/** What the contact is called, or how they are reached. */
export function contactName({ name, phone, email }: Conversation['contact']): string {
  return name ?? phone ?? email ?? t`Unknown contact`;
}

/** Who wrote it. @param contact what the customer is called */
export function authorName(author: Author | null, contact: string): string {
  if (author === null) return 'Parlour';
  if (author.type === 'contact') return author.name ?? contact;
  if (author.name !== null) return author.name;
  return (
    { ai: 'AI', campaign: t`Campaign`, automation: t`Automation`, system: 'Parlour' }[
      author.type as string
    ] ?? t`Agent`
  );
}

const time = dateFormat({ hour: '2-digit', minute: '2-digit' });
const day = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' });
const dayOfYear = dateFormat({ dateStyle: 'long' });
const near = relativeFormat({ numeric: 'auto' });

export function timeOf(at: string): string {
  return time.format(new Date(at));
}

/** The day that messages stand under. */
export function dayOf(at: string): string {
  const date = new Date(at);
  const now = new Date();
  const days = Math.round((midnight(date) - midnight(now)) / 86_400_000);
  if (days === 0 || days === -1) return capital(near.format(days, 'day'));
  return (date.getFullYear() === now.getFullYear() ? day : dayOfYear).format(date);
}

function midnight(date: Date): number {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** Bytes as people read them. */
export function sizeOf(bytes: number): string {
  if (bytes < 1_000) return inUnit(bytes, 'byte');
  return bytes < 1_000_000 ? inUnit(bytes / 1_000, 'kilobyte') : inUnit(bytes / 1_000_000, 'megabyte');
}

function inUnit(value: number, unit: string): string {
  const maximumFractionDigits = value < 10 ? 1 : 0;
  return numberFormat({ style: 'unit', unit, maximumFractionDigits }).format(value);
}
