import { useLingui } from '@lingui/react/macro';
import { ActionIcon } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useThreadContext } from './thread-context.ts';

/** How an AI message was found, and how that is changed; without `rate` it can't be. */
export function useRating(message: string) {
  const { conversation } = useThreadContext();
  const input = { conversation: conversation.id };
  const { data } = useQuery(trpc.ai.feedback.queryOptions(input));
  const row = data?.data.find(({ message_id }) => message_id === message);
  const { mutate, isPending } = useMutation(
    trpc.ai.rateFeedback.mutationOptions({
      onError: refused,
      onSuccess: () => queryClient.invalidateQueries(trpc.ai.feedback.queryFilter(input)),
    }),
  );
  return {
    rating: row?.rating,
    pending: isPending,
    rate: row && ((rating: 1 | -1) => mutate({ feedback: row.feedback_id, rating })),
  };
}

/** Thumbs of an AI message; the one that is set already clears it. */
export function Rating({ message }: { message: string }) {
  const { t } = useLingui();
  const { rating, rate, pending } = useRating(message);
  if (!rate) return null;
  return (
    <span className="thread-rating">
      <ActionIcon
        variant={rating === 'up' ? 'filled' : 'subtle'}
        size={24}
        aria-label={t`A good answer`}
        aria-pressed={rating === 'up'}
        disabled={pending}
        onClick={() => rate(1)}
      >
        <ThumbsUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant={rating === 'down' ? 'filled' : 'subtle'}
        size={24}
        aria-label={t`A bad answer`}
        aria-pressed={rating === 'down'}
        disabled={pending}
        onClick={() => rate(-1)}
      >
        <ThumbsDown size={14} aria-hidden />
      </ActionIcon>
    </span>
  );
}
