import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Sparkles } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { failureOf } from '../app/failure.ts';
import { Moment } from '../app/moment.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';
import { AiHistory } from './ai-history.tsx';
import { refreshConversation } from './conversation-data.ts';
import { useThreadContext } from './thread-context.ts';

type Suggestion = inferOutput<typeof trpc.ai.suggestions>['data'][number];

/** What AI makes of the conversation and proposes. Nothing of it is sent by itself. */
export function AiPanel() {
  const { t } = useLingui();
  const { id } = useThreadContext().conversation;
  const input = { conversation: id };
  const suggestions = useQuery(trpc.ai.suggestions.queryOptions(input));
  const [said, setSaid] = useState('');
  const refresh = () => queryClient.invalidateQueries(trpc.ai.suggestions.queryFilter(input));
  const generate = useMutation(
    trpc.ai.generateSuggestions.mutationOptions({
      onMutate: () => setSaid(''),
      onError: refused,
      onSuccess: ({ data: { available, created } }) => {
        if (!available) setSaid(t`AI unavailable, showing the previous suggestions.`);
        else setSaid(created === 0 ? t`Nothing to suggest` : '');
        return refresh();
      },
    }),
  );
  return (
    <Stack gap="sm">
      <Insights />
      {suggestions.data?.data.map((suggestion) => (
        <SuggestionCard key={suggestion.id} suggestion={suggestion} refresh={refresh} />
      ))}
      <Button
        size="compact-sm"
        variant="default"
        leftSection={<Sparkles size={14} aria-hidden />}
        loading={generate.isPending}
        onClick={() => generate.mutate(input)}
      >
        <Trans>Generate</Trans>
      </Button>
      <Text size="sm" c="dimmed" role="status">
        {said}
      </Text>
      <AiHistory />
    </Stack>
  );
}

const likelihoods = { low: 'low', medium: 'medium', high: 'high' } as const;

function Insights() {
  const { t } = useLingui();
  const { id } = useThreadContext().conversation;
  const { data } = useQuery(trpc.ai.insights.queryOptions({ conversation: id }));
  if (!data) return null;
  const { sentiment, purchase_likelihood: likelihood, current_intent: intent } = data.data;
  const rows: [string, ReactNode][] = [
    [t`Mood`, sentiment],
    [t`Likely to buy`, likelihood === 'unknown' ? null : likelihoods[likelihood]],
    [
      t`Wants`,
      intent && (
        <>
          {intent.label}, <Moment at={intent.at} />
        </>
      ),
    ],
  ];
  const known = rows.filter(([, value]) => value !== null);
  if (known.length === 0) return null;
  return (
    <dl className="panel-facts">
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const verbs = {
  get reply() {
    return t`Insert`;
  },
  get tag() {
    return t`Add`;
  },
  get tip() {
    return t`Got it`;
  },
} as const;
const kinds = {
  get reply() {
    return t`Reply`;
  },
  get tag() {
    return t`Tag`;
  },
  get tip() {
    return t`Tip`;
  },
} as const;

function SuggestionCard({ suggestion, refresh }: { suggestion: Suggestion; refresh(): Promise<void> }) {
  const { t } = useLingui();
  const { conversation, composer } = useThreadContext();
  const input = { conversation: conversation.id, suggestion: suggestion.id };
  const fail = (error: unknown) => {
    if (failureOf(error).code === 'not_found') told(t`That suggestion was already used or withdrawn.`);
    else refused(error);
    return refresh();
  };
  const approve = useMutation(
    trpc.ai.approveSuggestion.mutationOptions({
      onError: fail,
      onSuccess: ({ data: { text } }) => {
        if (text !== undefined) composer.current?.insert(text);
        refreshConversation(conversation.id);
        return refresh();
      },
    }),
  );
  const dismiss = useMutation(
    trpc.ai.dismissSuggestion.mutationOptions({ onError: fail, onSuccess: refresh }),
  );
  const busy = approve.isPending || dismiss.isPending;
  return (
    <article className="panel-card" aria-label={t`Suggested ${kinds[suggestion.kind].toLowerCase()}`}>
      <Text size="xs" c="dimmed" fw={600}>
        {kinds[suggestion.kind]}
      </Text>
      <Text size="sm" className="wrapped" dir="auto">
        {suggestion.text}
      </Text>
      <Group gap="xs" mt={6}>
        <Button size="compact-xs" disabled={busy} onClick={() => approve.mutate(input)}>
          {verbs[suggestion.kind]}
        </Button>
        <Button size="compact-xs" variant="default" disabled={busy} onClick={() => dismiss.mutate(input)}>
          <Trans>Dismiss</Trans>
        </Button>
      </Group>
    </article>
  );
}
