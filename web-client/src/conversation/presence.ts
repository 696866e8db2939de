import { useCallback, useEffect, useRef, useState } from 'react';
import { currentMode } from '../app/mode.ts';
import { send } from '../app/send.ts';
import { trpc } from '../app/trpc.ts';
import { socket } from '../realtime/socket.ts';
import { follow } from './follow.ts';
import { catchUp } from './thread-data.ts';

/** How often the lock is claimed anew while somebody writes, in milliseconds. */
const heartbeat = 10_000;
/** The server's typing flag outlives a heartbeat by so much, in milliseconds. */
const typingLasts = 6_000;
/** A text that lost the focus keeps the lock for so long. */
const patience = 60_000;

interface Presence {
  /** Who else edits it; null when nobody does. */
  other: string | null;
  mine: boolean;
  typing: boolean;
}

const nobody: Presence = { other: null, mine: false, typing: false };

const subscription = `subscription Presence($conversation: ID!) {
  presence(conversation: $conversation) { typing presence { editingBy isMe lockedByOther } }
}`;

interface Item {
  typing: boolean;
  presence: { editingBy: string | null; isMe: boolean; lockedByOther: boolean };
}

export interface Lock extends Presence {
  /** Somebody took the lock that this agent had. */
  lost: boolean;
  /** The agent writes. */
  touch(): void;
  /** The text was left alone. */
  leave(): void;
  release(): void;
  takeOver(): Promise<void>;
  /** Whether the other has been writing just now. */
  fresh(): boolean;
}

/** Who writes in a conversation, and the lock while it is this agent. */
export function useLock(conversation: string): Lock {
  const [presence, setPresence] = useState<Presence>(nobody);
  const [lost, setLost] = useState(false);
  const held = useRef(false);
  const touched = useRef(0);
  /** When the other's last heartbeat came, in milliseconds. */
  const heard = useRef(0);
  const beat = useRef<ReturnType<typeof setInterval>>(undefined);
  const left = useRef<ReturnType<typeof setTimeout>>(undefined);

  const accept = useCallback((next: Presence) => {
    const taken = next.other !== null && held.current;
    setLost((before) => taken || (before && next.other !== null));
    if (next.other !== null) held.current = false;
    setPresence(next);
  }, []);

  const claim = useCallback(
    async (force = false) => {
      held.current = true;
      const { data } = await send(trpc.conversations.updatePresence.mutationOptions(), {
        conversation,
        action: 'claim',
        typing: true,
        force,
      });
      if (data.locked_by_other) {
        held.current = false;
        setPresence({ other: data.editing_by, mine: false, typing: false });
      } else setPresence({ other: null, mine: true, typing: true });
    },
    [conversation],
  );

  const release = useCallback(() => {
    clearInterval(beat.current);
    clearTimeout(left.current);
    beat.current = undefined;
    if (!held.current) return;
    held.current = false;
    setPresence((now) => (now.mine ? nobody : now));
    tellReleased(conversation);
  }, [conversation]);

  const touch = useCallback(() => {
    touched.current = Date.now();
    clearTimeout(left.current);
    if (beat.current !== undefined) return;
    const fail = () => {
      held.current = false;
    };
    claim().catch(fail);
    beat.current = setInterval(() => {
      // Whoever stops writing lets go: without a heartbeat the lock ends by itself.
      if (Date.now() - touched.current < heartbeat && visible()) claim().catch(fail);
      else {
        clearInterval(beat.current);
        beat.current = undefined;
      }
    }, heartbeat);
  }, [claim]);

  const leave = useCallback(() => {
    clearTimeout(left.current);
    left.current = setTimeout(release, patience);
  }, [release]);

  useEffect(() => {
    // The first answer comes when the timeline's stream runs too: what was missed until then is loaded now.
    let behind = true;
    let wasTyping = false;
    const forget = socket(currentMode()).on('connected', () => {
      behind = true;
    });
    const stop = follow<Item>(subscription, { conversation }, ({ presence: told, typing }) => {
      if (typing) heard.current = Date.now();
      else if (wasTyping) heard.current = Date.now() - typingLasts;
      wasTyping = typing;
      accept({ other: told.lockedByOther ? told.editingBy : null, mine: told.isMe, typing });
      if (behind) void catchUp(conversation).catch(() => {});
      behind = false;
    });
    addEventListener('pagehide', release);
    return () => {
      removeEventListener('pagehide', release);
      forget();
      stop();
      release();
      setPresence(nobody);
      setLost(false);
    };
  }, [conversation, accept, release]);

  const fresh = () => Date.now() - heard.current < heartbeat;
  return { ...presence, lost, touch, leave, release, takeOver: () => claim(true), fresh };
}

function visible(): boolean {
  return document.visibilityState === 'visible';
}

/** Also while the page goes away, when no other call would be finished. */
function tellReleased(conversation: string): void {
  void fetch('/trpc/conversations.updatePresence', {
    method: 'POST',
    keepalive: true,
    headers: { 'Content-Type': 'application/json', 'X-Service-Mode': currentMode() },
    body: JSON.stringify({ conversation, action: 'release' }),
  }).catch(() => {});
}
