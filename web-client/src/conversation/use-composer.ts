import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Conversation } from '../../../schema/conversations.ts';
import { preference } from '../account/preferences.ts';
import { take } from './actions.ts';
import { type Draft, emptyDraft, type Mode } from './draft.ts';
import type { DraftStore } from './draft-store.ts';
import { gapsIn, grow, leftOf, obstacle } from './field.ts';
import { lastHeld, takeBack } from './held.ts';
import { postNote, postReply } from './post.ts';
import type { Lock } from './presence.ts';
import { type ComposerHandle, useThreadContext } from './thread-context.ts';
import { useAdopted } from './use-adopted.ts';
import { useAttachments } from './use-attachments.ts';
import { useGaps } from './use-gaps.ts';
import { useSuggest } from './use-suggest.ts';

export type SendWay = 'plain' | 'close' | 'keep' | 'take';

interface Options {
  conversation: Conversation;
  mode: Mode;
  setMode(mode: Mode): void;
  store: DraftStore;
  /** E-mail of the agent. */
  me: string;
  lock: Lock;
  ref: Ref<ComposerHandle>;
}

/** What happens while somebody writes. The field keeps its own text; nothing is drawn again for a key. */
export function useComposer({ conversation, mode, setMode, store, me, lock, ref }: Options) {
  const { toEnd } = useThreadContext();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<Draft>(() => store.read(mode));
  const [left, setLeft] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const files = useAttachments(store);

  // What is asked from outside comes after the field of another mode is drawn.
  const now = useRef({ mode, draft });
  useLayoutEffect(() => {
    now.current = { mode, draft };
  });
  const text = () => field.current?.value ?? '';
  const keep = (news: Partial<Draft> = {}) => {
    const { mode: written, draft: known } = now.current;
    const media = written === 'reply' ? store.read('reply').media : [];
    const next = { ...known, ...news, text: text(), media };
    store.write(written, next);
    if (Object.keys(news).length > 0) setDraft(next);
  };
  const look = () => {
    setLeft(leftOf(text(), now.current.mode));
    findGaps();
  };
  /** Changes the text as typing does, so that it can be undone. */
  const replace = (from: number, to: number, words: string) => {
    const element = field.current;
    if (!element) return;
    element.focus();
    element.setRangeText(words, from, to, 'end');
    grow(element);
    keep();
    look();
  };
  const insert = (words: string) => {
    const element = field.current;
    if (element) replace(element.selectionStart, element.selectionEnd, words);
  };
  const { gaps, gapFields, findGaps, askGaps, fill } = useGaps(field, () => {
    keep();
    look();
    setProblem(null);
  });
  const suggest = useSuggest(field, {
    mode,
    conversation: conversation.id,
    mention: (agent) =>
      keep({ mentions: [...draft.mentions.filter(({ email }) => email !== agent.email), agent] }),
    replace: (from, to, words) => {
      replace(from, to, words);
      if (gapsIn(words).length > 0) askGaps();
    },
    attach: (media) => files.put(media),
  });

  const switchTo = (next: Mode) => {
    if (next === mode) return;
    keep();
    store.mode = next;
    flushSync(() => {
      setMode(next);
      setDraft(store.read(next));
      setProblem(null);
      suggest.close();
    });
    look();
    if (field.current) grow(field.current);
  };
  const inMode = (next: Mode, run: () => void) => {
    switchTo(next);
    run();
  };
  const handle: ComposerHandle = {
    focus: (next = mode) => inMode(next, () => field.current?.focus()),
    insert: (words) => inMode('reply', () => insert(words)),
    restore: (words, media) =>
      inMode('reply', () => {
        if (media) files.put(media);
        const length = text().length;
        replace(0, 0, words === '' || length === 0 ? words : `${words}\n`);
      }),
    quote: (replyTo) =>
      inMode('reply', () => {
        keep({ replyTo });
        field.current?.focus();
      }),
  };
  useImperativeHandle(ref, () => handle);

  useAdopted(store, () => {
    const { mode: written } = now.current;
    const next = store.mode;
    const news = store.read(next);
    if (next !== written) setMode(next);
    setDraft(news);
    if (!field.current) return;
    if (field.current.value !== news.text) field.current.value = news.text;
    grow(field.current);
    look();
  });
  useEffect(look, []);

  const empty = (version: number) => {
    if (field.current) {
      field.current.value = '';
      grow(field.current);
    }
    setDraft(emptyDraft);
    // One's own words are seen.
    requestAnimationFrame(toEnd);
    store.sent(mode, version);
    look();
  };
  const send = (way: SendWay) => {
    const words = text().trim();
    const media = mode === 'reply' ? files.media : [];
    const wrong = obstacle(words, mode, files.busy);
    setProblem(wrong);
    if (wrong !== null) return void askGaps();
    if ((words === '' && media.length === 0) || pending) return;
    if (mode === 'reply') {
      if (way === 'take') return void sendAsMine();
      const version = store.hand(mode);
      const close = way === 'close' || (way === 'plain' && preference('sendCloses'));
      postReply(conversation, { text: words, media, replyTo: draft.replyTo, draft: version }, close);
      empty(version);
      lock.release();
      field.current?.focus();
      return;
    }
    setPending(true);
    const version = store.hand(mode);
    postNote(conversation.id, words, draft.mentions, version)
      .then(
        () => empty(version),
        (error: Error) => {
          setProblem(error.message);
          store.write(mode, store.read(mode));
        },
      )
      .finally(() => {
        setPending(false);
        field.current?.focus();
      });
  };

  /** Nothing is sent in a conversation that somebody else has taken first. */
  const sendAsMine = async () => {
    setPending(true);
    const mine = await take(conversation);
    setPending(false);
    if (mine) send('plain');
  };

  const handlers = {
    onInput: () => {
      if (field.current) grow(field.current);
      if (mode === 'reply') lock.touch();
      keep();
      look();
      suggest.look();
      if (problem !== null) setProblem(null);
    },
    onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
      const { key, shiftKey, ctrlKey, metaKey, nativeEvent } = event;
      // Enter ends a composition of an input method; it is not for us.
      if (nativeEvent.isComposing || nativeEvent.keyCode === 229 || suggest.onKey(event)) return;
      const mod = ctrlKey || metaKey;
      if (key === 'Escape') event.currentTarget.blur();
      if (key === 'ArrowUp' && mode === 'reply' && !mod && !shiftKey && text() === '') {
        const held = lastHeld(conversation.id, me);
        if (!held) return;
        event.preventDefault();
        void takeBack(conversation.id, held, handle);
      }
      if (key !== 'Enter' || (!mod && (shiftKey || !preference('enterSends')))) return;
      event.preventDefault();
      send(mod && shiftKey ? 'close' : 'plain');
    },
    onBlur: () => {
      store.flush();
      suggest.close();
      lock.leave();
    },
    onPaste: (event: ClipboardEvent) => {
      const pasted = [...event.clipboardData.files];
      if (pasted.length === 0 || mode === 'note') return;
      event.preventDefault();
      files.add(pasted);
    },
  };
  return {
    field,
    files,
    suggest,
    draft,
    left,
    gaps,
    gapFields,
    fill,
    focus: handle.focus,
    insert,
    problem,
    pending,
    handlers,
    switchTo,
    send,
    unquote: () => keep({ replyTo: null }),
    unmention: (email: string) => keep({ mentions: draft.mentions.filter((one) => one.email !== email) }),
  };
}
