import { useLingui } from '@lingui/react/macro';
import { ActionIcon, CloseButton, TextInput, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronUp, Search } from 'lucide-react';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { trpc } from '../app/trpc.ts';
import { useThreadContext } from './thread-context.ts';

/** Finds words in the conversation, or a day of it. */
export function ThreadSearch({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  const { conversation, jump, jumpToDay } = useThreadContext();
  const [text, setText] = useState('');
  const [q] = useDebouncedValue(text.trim(), 250);
  const [at, setAt] = useState(0);
  const query = useQuery(
    trpc.conversations.search.queryOptions(
      { conversation: conversation.id, q },
      { enabled: q !== '', placeholderData: keepPreviousData },
    ),
  );
  const hits = q === '' ? [] : (query.data?.data ?? []);
  const first = hits[0]?.id;
  useEffect(() => {
    setAt(0);
    if (q !== '' && first !== undefined) jump(first, 'keep focus');
  }, [q, first, jump]);
  const go = (step: 1 | -1) => {
    const next = (at + step + hits.length) % Math.max(1, hits.length);
    const hit = hits[next];
    if (!hit) return;
    setAt(next);
    jump(hit.id, 'keep focus');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const found =
    q === '' || query.isPending ? '' : hits.length === 0 ? t`Nothing found` : t`${at + 1} of ${hits.length}`;
  return (
    <div className="thread-search" role="search" aria-label={t`In this conversation`}>
      <TextInput
        className="thread-search-text"
        size="xs"
        aria-label={t`Search in this conversation`}
        placeholder={t`Search in this conversation`}
        leftSection={<Search size={14} aria-hidden />}
        maxLength={191}
        autoFocus
        value={text}
        onChange={({ currentTarget: { value } }) => setText(value)}
        onKeyDown={onKeyDown}
      />
      <span className="thread-small" role="status">
        {found}
      </span>
      <Tooltip label={t`Older`}>
        <ActionIcon
          variant="default"
          aria-label={t`Next hit`}
          disabled={hits.length < 2}
          onClick={() => go(1)}
        >
          <ChevronUp size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t`Newer`}>
        <ActionIcon
          variant="default"
          aria-label={t`Previous hit`}
          disabled={hits.length < 2}
          onClick={() => go(-1)}
        >
          <ChevronDown size={16} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <TextInput
        type="date"
        size="xs"
        aria-label={t`Go to a day`}
        max={today()}
        onChange={({ currentTarget: { value } }) => {
          if (value !== '') jumpToDay(value);
        }}
      />
      <CloseButton aria-label={t`Close the search`} onClick={onClose} />
    </div>
  );
}

/** `2026-11-28`, where the reader is. */
function today(): string {
  const now = new Date();
  const two = (value: number) => String(value).padStart(2, '0');
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}
