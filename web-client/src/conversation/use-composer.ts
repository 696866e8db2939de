import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import type { Conversation } from '../../../schema/conversations.ts';
import { assign } from './actions.ts';
import { type Draft, type DraftStore, emptyDraft, type Mode } from './draft.ts';
import { enterSends } from './enter.ts';
import { postNote, postReply } from './post.ts';
import type { Lock } from './presence.ts';
import { type ComposerHandle, useThreadContext } from './thread-context.ts';
import { useAttachments } from './use-attachments.ts';
import { useSuggest } from './use-suggest.ts';

export type SendWay = 'plain' | 'close' | 'assign';

/** Longest text; how close to it the rest is counted. */
const limits = { reply: 4096, note: 2000 } as const;
const nearLimit = 200;

interface Options {
  conversation: Conversation;
  mode: Mode;
  setMode(mode: Mode): void;
  store: DraftStore;
  lock: Lock;
  ref: Ref<ComposerHandle>;
}

/** What happens while somebody writes. The field keeps its own text; nothing is drawn again for a key. */
export function useComposer({ conversation, mode, setMode, store, lock, ref }: Options) {
  const { toEnd } = useThreadContext();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft, setDraft] = useState<Draft>(() => store.read(mode));
  const [left, setLeft] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  const files = useAttachments(store.read('reply').media, (media) => {
    store.write('reply', { ...store.read('reply'), media });
  });

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
  const count = () => {
    const rest = limits[now.current.mode] - [...text()].length;
    setLeft(rest < nearLimit ? rest : null);
  };
  /** Changes the text as typing does, so that it can be undone. */
  const replace = (from: number, to: number, words: string) => {
    const element = field.current;
    if (!element) return;
    element.focus();
    element.setRangeText(words, from, to, 'end');
    grow(element);
    selectGap(element, from);
    keep();
    count();
  };
  const insert = (words: string) => {
    const element = field.current;
    if (element) replace(element.selectionStart, element.selectionEnd, words);
  };
  const suggest = useSuggest(field, {
    mode,
    conversation: conversation.id,
    mention: (agent) =>
      keep({ mentions: [...draft.mentions.filter(({ email }) => email !== agent.email), agent] }),
    replace,
  });

  const switchTo = (next: Mode) => {
    if (next === mode) return;
    keep();
    store.mode = next;
    flushSync(() => {
      setMode(next);
      setDraft(store.read(next));
      setProblem(null);
      setLeft(null);
      suggest.close();
    });
    if (field.current) grow(field.current);
  };
  const inMode = (next: Mode, run: () => void) => {
    switchTo(next);
    run();
  };
  useImperativeHandle(ref, () => ({
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
  }));

  const empty = () => {
    if (field.current) {
      field.current.value = '';
      grow(field.current);
    }
    setDraft(emptyDraft);
    // One's own words are seen.
    requestAnimationFrame(toEnd);
    store.write(mode, emptyDraft);
    if (mode === 'reply') files.clear();
    setLeft(null);
  };
  const send = (way: SendWay) => {
    const words = text().trim();
    const media = mode === 'reply' ? files.media : [];
    const wrong = obstacle(words, files.busy && mode === 'reply', limits[mode]);
    setProblem(wrong);
    if (wrong !== null) {
      if (field.current) selectGap(field.current, 0);
      return;
    }
    if ((words === '' && media.length === 0) || pending) return;
    if (mode === 'reply') {
      if (way === 'assign') void assign(conversation.id, 'me');
      postReply(conversation, { text: words, media, replyTo: draft.replyTo }, way === 'close');
      empty();
      lock.release();
      field.current?.focus();
      return;
    }
    setPending(true);
    postNote(conversation.id, words, draft.mentions)
      .then(empty, (error: Error) => setProblem(error.message))
      .finally(() => {
        setPending(false);
        field.current?.focus();
      });
  };

  const handlers = {
    onInput: () => {
      if (field.current) grow(field.current);
      if (mode === 'reply') lock.touch();
      keep();
      count();
      suggest.look();
      if (problem !== null) setProblem(null);
    },
    onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
      const { key, shiftKey, ctrlKey, metaKey, nativeEvent } = event;
      // Enter ends a composition of an input method; it is not for us.
      if (nativeEvent.isComposing || nativeEvent.keyCode === 229 || suggest.onKey(event)) return;
      const mod = ctrlKey || metaKey;
      if (key === 'Escape') event.currentTarget.blur();
      if (key !== 'Enter' || (!mod && (shiftKey || !enterSends()))) return;
      event.preventDefault();
      send(mod && shiftKey ? 'close' : 'plain');
    },
    onBlur: () => {
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
    problem,
    pending,
    handlers,
    switchTo,
    send,
    unquote: () => keep({ replyTo: null }),
    unmention: (email: string) => keep({ mentions: draft.mentions.filter((one) => one.email !== email) }),
  };
}

const gap = /\{\{[a-z_.]+\}\}/;

/** What speaks against sending; null when nothing does. */
function obstacle(words: string, busy: boolean, limit: number): string | null {
  const blank = gap.exec(words)?.[0];
  if (blank !== undefined) return `Fill in ${blank} first.`;
  const over = [...words].length - limit;
  if (over > 0) return `The text is ${over} characters too long.`;
  return busy ? 'A file is still on its way.' : null;
}

/** What a quick reply left open is what one types next. */
function selectGap(element: HTMLTextAreaElement, from: number): void {
  const found = gap.exec(element.value.slice(from));
  if (!found) return;
  element.focus();
  element.setSelectionRange(from + found.index, from + found.index + found[0].length);
}

/** As high as its text, where the style sheet can't say so. */
function grow(element: HTMLTextAreaElement): void {
  if (CSS.supports('field-sizing', 'content')) return;
  element.style.height = 'auto';
  element.style.height = `${element.scrollHeight}px`;
}
