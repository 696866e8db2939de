import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type RefObject, useState } from 'react';
import type { MessageMedia } from '../../../schema/entries.ts';
import { useCan } from '../account/use-profile.ts';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { currentLanguage } from '../language/language.ts';
import type { Mode } from './draft.ts';

/** A word that asks for something: `/` a quick reply, `@` an agent, `:` an emoji. */
interface Ask {
  sign: '/' | '@' | ':';
  text: string;
  from: number;
}

export interface Choice {
  key: string;
  label: string;
  hint: string;
}

const shown = 8;

/** What `/`, `@` and `:` offer while somebody writes. @param mention told of an agent that was named */
export function useSuggest(
  field: RefObject<HTMLTextAreaElement | null>,
  {
    mode,
    conversation,
    mention,
    replace,
    attach,
  }: {
    mode: Mode;
    conversation: string;
    mention(agent: { name: string; email: string }): void;
    replace(from: number, to: number, text: string): void;
    /** A quick reply has a file. */
    attach(media: MessageMedia): void;
  },
) {
  const [ask, setAsk] = useState<Ask | null>(null);
  const [active, setActive] = useState(0);
  const can = useCan();
  const sign = ask?.sign;
  const replies = useQuery(
    trpc.quickReplies.list.queryOptions(
      { limit: 100 },
      { enabled: sign === '/' && can('quick-replies.manage') },
    ),
  );
  const agents = useQuery(trpc.agents.list.queryOptions({}, { enabled: sign === '@' }));
  const emoji = useQuery({
    queryKey: ['emoji', currentLanguage()],
    queryFn: async ({ signal }) => {
      const { findEmoji, loadEmoji } = await import('./emoji-data.ts');
      const data = await loadEmoji(signal);
      return (text: string) => findEmoji(data, text, shown);
    },
    enabled: sign === ':',
    staleTime: Infinity,
    // A function: compared by itself.
    structuralSharing: false,
  });
  const asked = ask?.text.toLocaleLowerCase() ?? '';
  const all: Choice[] =
    sign === '/'
      ? (replies.data?.data ?? []).map(({ id, shortcut, title, text }) => ({
          key: id,
          label: `/${shortcut}${title === null ? '' : ` · ${title}`}`,
          hint: text,
        }))
      : sign === '@'
        ? (agents.data?.data ?? [])
            .filter(({ deactivated_at }) => deactivated_at === null)
            .map(({ email, name }) => ({ key: email, label: name, hint: email }))
        : [];
  const named = all
    .filter(({ label, hint }) => `${label} ${hint}`.toLocaleLowerCase().includes(asked))
    .toSorted(
      (a, b) =>
        Number(b.label.toLocaleLowerCase().startsWith(`/${asked}`)) -
        Number(a.label.toLocaleLowerCase().startsWith(`/${asked}`)),
    )
    .slice(0, shown);
  const choices =
    sign === ':'
      ? (emoji.data?.(asked) ?? []).map((one) => ({ key: one.emoji, label: one.emoji, hint: one.label }))
      : named;
  const at = Math.min(active, Math.max(0, choices.length - 1));

  const look = () => {
    const element = field.current;
    if (!element) return;
    const before = element.value.slice(0, element.selectionStart);
    // Two letters at least: most colons ask for nothing.
    const match = /(?:^|\s)([/@])(\S*)$/u.exec(before) ?? /(?:^|\s)(:)(\p{L}[\p{L}\d_-]+)$/u.exec(before);
    const [, found, text = ''] = match ?? [];
    const fits = found === ':' || found === (mode === 'reply' ? '/' : '@');
    setAsk(fits ? { sign: found, text, from: before.length - text.length - 1 } : null);
    setActive(0);
  };
  const putReply = async (quickReply: string, put: (text: string) => void) => {
    const options = trpc.quickReplies.preview.queryOptions(
      { quick_reply: quickReply, conversation },
      { staleTime: 0 },
    );
    try {
      const { data } = await queryClient.fetchQuery(options);
      put(data.text);
      if (data.media) attach(data.media);
    } catch (error) {
      refused(error);
    }
  };
  const choose = (choice: Choice) => {
    if (!ask) return;
    const to = ask.from + 1 + ask.text.length;
    setAsk(null);
    if (ask.sign === ':') return replace(ask.from, to, choice.key);
    if (ask.sign === '@') {
      mention({ name: choice.label, email: choice.key });
      return replace(ask.from, to, `@${choice.label} `);
    }
    void putReply(choice.key, (text) => replace(ask.from, to, text));
  };
  /** @returns whether the key was for the list */
  const onKey = (event: KeyboardEvent): boolean => {
    const choice = choices[at];
    if (!ask || !choice || event.nativeEvent.isComposing) return false;
    if (event.key === 'ArrowDown') setActive((at + 1) % choices.length);
    else if (event.key === 'ArrowUp') setActive((at + choices.length - 1) % choices.length);
    else if (event.key === 'Enter' || event.key === 'Tab') choose(choice);
    else if (event.key === 'Escape') setAsk(null);
    else return false;
    event.preventDefault();
    return true;
  };
  return {
    open: ask !== null && choices.length > 0,
    choices,
    at,
    /** The quick reply that would be taken. */
    reply: ask?.sign === '/' ? choices[at]?.key : undefined,
    look,
    choose,
    onKey,
    close: () => setAsk(null),
  };
}
