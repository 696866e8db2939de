import { useSyncExternalStore } from 'react';
import type { MessageMedia, ReplySnippet } from '../../../schema/entries.ts';
import type { Message } from '../../../schema/messages.ts';
import type { MessageEntry } from '../../../schema/timeline.ts';
import type { z } from 'zod';
import { ownPreference } from '../account/preferences.ts';
import { type Failure, failureOf } from '../app/failure.ts';
import { currentMode } from '../app/mode.ts';
import { send } from '../app/send.ts';
import { trpc } from '../app/trpc.ts';
import { dropDraft } from './draft.ts';
import { newId, readStored, writeStored } from './stored.ts';
import { catchUp, mergeEntries } from './thread-data.ts';

/** How often a message is tried before it waits for the agent to try again. */
const tries = 5;

export interface Letter {
  text: string;
  media: MessageMedia | null;
  replyTo: ReplySnippet | null;
  /** Version of the draft that it was written in; the server empties that one when it takes the letter. */
  draft?: number;
}

/** A message that the server has not confirmed. Its reference makes sure that it is sent once, however often it is tried. */
export interface Outgoing extends Letter {
  ref: string;
  at: string;
  /** Why it waits for the agent; null while it is on its way. */
  refusal: string | null;
}

interface Box {
  name: string;
  items: readonly Outgoing[];
  flushing: boolean;
  waiting: Map<string, () => void>;
}

const boxes = new Map<string, Box>();
const listeners = new Set<() => void>();

function boxOf(conversation: string): Box {
  const name = `outbox.${currentMode()}.${conversation}`;
  const known = boxes.get(name);
  if (known) return known;
  const box = { name, items: readStored<Outgoing[]>(name) ?? [], flushing: false, waiting: new Map() };
  boxes.set(name, box);
  return box;
}

function change(box: Box, items: readonly Outgoing[]): void {
  box.items = items;
  writeStored(box.name, items.length === 0 ? null : items);
  for (const listener of listeners) listener();
}

/** What of a conversation is not confirmed yet, oldest first. It outlives the page. */
export function useOutbox(conversation: string): readonly Outgoing[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => boxOf(conversation).items,
  );
}

/** Puts messages on their way, one after the other. @returns once the server has all of them, or never */
export function post(conversation: string, letters: readonly Letter[]): Promise<unknown> {
  const box = boxOf(conversation);
  const added = letters.map((letter) => ({
    ...letter,
    ref: newId(),
    at: new Date().toISOString(),
    refusal: null,
  }));
  const sent = added.map(({ ref }) => new Promise<void>((resolve) => box.waiting.set(ref, resolve)));
  change(box, [...box.items, ...added]);
  flush(conversation);
  return Promise.all(sent);
}

export function retry(conversation: string, ref: string): void {
  const box = boxOf(conversation);
  change(
    box,
    box.items.map((item) => (item.ref === ref ? { ...item, refusal: null } : item)),
  );
  flush(conversation);
}

/** Takes away a message that was refused, and its draft. */
export function discard(conversation: string, ref: string): void {
  const draft = boxOf(conversation).items.find((item) => item.ref === ref)?.draft;
  if (draft !== undefined) dropDraft(conversation, 'reply', draft);
  remove(conversation, ref);
}

function remove(conversation: string, ref: string): void {
  const box = boxOf(conversation);
  change(
    box,
    box.items.filter((item) => item.ref !== ref),
  );
}

/** Goes on with what is on its way, such as what an earlier page left behind. */
export function flush(conversation: string): void {
  const box = boxOf(conversation);
  if (box.flushing) return;
  box.flushing = true;
  void deliver(conversation, box).finally(() => {
    box.flushing = false;
  });
}

async function deliver(conversation: string, box: Box): Promise<void> {
  for (;;) {
    const item = box.items.find(({ refusal }) => refusal === null);
    if (!item) return;
    const failure = await attempt(conversation, item);
    if (failure) {
      change(
        box,
        box.items.map((one) => (one.ref === item.ref ? { ...one, refusal: failure.message } : one)),
      );
      continue;
    }
    remove(conversation, item.ref);
    box.waiting.get(item.ref)?.();
    box.waiting.delete(item.ref);
  }
}

async function attempt(conversation: string, item: Outgoing): Promise<Failure | null> {
  for (let n = 1; ; n++) {
    try {
      mergeEntries(conversation, [entryOf(await sendOnce(conversation, item))]);
      return null;
    } catch (error) {
      const failure = failureOf(error);
      // The answer to an earlier try was lost: the server has it.
      if (failure.param === 'client_ref') {
        await catchUp(conversation).catch(() => {});
        return null;
      }
      if (n === tries || !['offline', 'server_error', 'rate_limited'].includes(failure.code)) return failure;
      await pause((failure.retryAfter ?? 2 ** (n - 1)) * 1000);
    }
  }
}

async function sendOnce(conversation: string, item: Outgoing): Promise<Message> {
  const { ref, text, media, replyTo, draft } = item;
  const hold = ownPreference('holdSeconds');
  const message = {
    conversation,
    client_ref: ref,
    // Without a choice of one's own the company's holds.
    ...(hold === undefined ? {} : { hold_seconds: hold }),
    ...(text === '' ? {} : { text }),
    ...(media === null ? {} : { media_url: media.url }),
    ...(replyTo === null ? {} : { reply_to: replyTo.id }),
  };
  const { data } =
    draft === undefined
      ? await send(trpc.messages.send.mutationOptions(), message)
      : await send(trpc.drafts.send.mutationOptions(), { ...message, draft });
  return data;
}

/** As long as asked, or until the connection is back. */
function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      removeEventListener('online', done);
      resolve();
    };
    addEventListener('online', done);
    setTimeout(done, milliseconds);
  });
}

function entryOf(message: Message): z.infer<typeof MessageEntry> {
  const { type, name, email } = message.author;
  return {
    kind: 'message',
    id: message.id,
    at: message.created_at,
    author: { type, name, email },
    direction: message.direction,
    type: message.type,
    subject: message.subject,
    text: message.text,
    media: message.media,
    status: message.status,
    failure_reason: message.failure?.message ?? null,
    reply_to: message.reply_to,
    ai_generated: message.ai_generated,
    held_until: message.held_until,
  };
}
