import { ActionIcon } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { refused } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { useThreadContext } from './thread-context.ts';

/** Thumbs of an AI message; the one that is set already clears it. */
export function Rating({ message }: { message: string }) {
  const { conversation } = useThreadContext();
  const input = { conversation: conversation.id };
  const { data } = useQuery(trpc.ai.feedback.queryOptions(input));
  const row = data?.data.find(({ message_id }) => message_id === message);
  const rate = useMutation(
    trpc.ai.rateFeedback.mutationOptions({
      onError: refused,
      onSuccess: () => queryClient.invalidateQueries(trpc.ai.feedback.queryFilter(input)),
    }),
  );
  if (!row) return null;
  const thumb = (rating: 1 | -1) => rate.mutate({ feedback: row.feedback_id, rating });
  return (
    <span className="thread-rating">
      <ActionIcon
        variant={row.rating === 'up' ? 'filled' : 'subtle'}
        size={24}
        aria-label="A good answer"
        aria-pressed={row.rating === 'up'}
        disabled={rate.isPending}
        onClick={() => thumb(1)}
      >
        <ThumbsUp size={14} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant={row.rating === 'down' ? 'filled' : 'subtle'}
        size={24}
        aria-label="A bad answer"
        aria-pressed={row.rating === 'down'}
        disabled={rate.isPending}
        onClick={() => thumb(-1)}
      >
        <ThumbsDown size={14} aria-hidden />
      </ActionIcon>
    </span>
  );
}
