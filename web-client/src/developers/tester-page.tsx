import { Trans, useLingui } from '@lingui/react/macro';
import { Alert, Anchor, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CopyField } from '../app/copy-field.tsx';
import { Empty } from '../app/empty.tsx';
import { Moment } from '../app/moment.tsx';
import { Page, Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { Status } from '../app/status.tsx';
import { refused, told } from '../app/toast.ts';
import { type inferOutput, queryClient, trpc } from '../app/trpc.ts';

type Caught = inferOutput<typeof trpc.webhooks.catcher>['data']['caught'][number];

/** In milliseconds. */
const lookInterval = 1_500;

/** Webhooks without a receiver of one's own: this server sends them to itself and shows what came. */
export function TesterPage() {
  const { t } = useLingui();
  const catcher = useQuery(
    trpc.webhooks.catcher.queryOptions({}, { refetchInterval: lookInterval, staleTime: 0 }),
  );
  return (
    <Page
      title={t`Webhook tester`}
      description={t`A receiver in this server, for demos and development. It answers 200 and shows the last 50 requests.`}
    >
      <QueryState query={catcher} rows={3}>
        {({ data: { url, caught } }) =>
          url === null ? (
            <Alert title={t`The tester is part of the demo`}>
              <Trans>
                Start Parlour with DEMO=1 to have it. In production, send webhooks to a receiver of your own.
              </Trans>
            </Alert>
          ) : (
            <Stack gap="lg">
              <Setup url={url} />
              <Section title={t`Received`}>
                {caught.length === 0 ? (
                  <Empty title={t`Nothing has come yet`}>
                    <Trans>Send a test event, or do something in live mode that an event tells of.</Trans>
                  </Empty>
                ) : (
                  <Stack gap="sm" component="ol" p={0} m={0}>
                    {caught.map((one) => (
                      <Entry key={one.id} caught={one} />
                    ))}
                  </Stack>
                )}
              </Section>
            </Stack>
          )
        }
      </QueryState>
    </Page>
  );
}

function Setup({ url }: { url: string }) {
  const { t } = useLingui();
  const endpoints = useQuery(trpc.webhooks.list.queryOptions({}));
  const create = useMutation(
    trpc.webhooks.create.mutationOptions({
      gcTime: 0,
      onError: refused,
      onSuccess: () => queryClient.invalidateQueries(trpc.webhooks.list.queryFilter()),
    }),
  );
  const test = useMutation(
    trpc.webhooks.sendTest.mutationOptions({
      onError: refused,
      onSuccess: () => told(t`A test event is on its way.`),
    }),
  );
  const endpoint = endpoints.data?.data.find((one) => one.url === url);
  return (
    <Stack gap="xs" maw="46rem">
      <CopyField label={t`Address of the tester`} value={url} />
      {endpoints.data && (
        <Group gap="sm">
          {endpoint ? (
            <Button loading={test.isPending} onClick={() => test.mutate({ endpoint: endpoint.id })}>
              <Trans>Send a test event</Trans>
            </Button>
          ) : (
            <Button
              loading={create.isPending}
              onClick={() => create.mutate({ url, events: ['*'], description: t`Webhook tester` })}
            >
              <Trans>Send everything here</Trans>
            </Button>
          )}
          <Anchor component={Link} to="/settings/webhooks" size="sm">
            <Trans>Endpoints</Trans>
          </Anchor>
        </Group>
      )}
    </Stack>
  );
}

function Entry({ caught: { at, headers, body, verified } }: { caught: Caught }) {
  const { t } = useLingui();
  const type = headers['x-service-event'] ?? t`A request`;
  return (
    <li className="developers-caught">
      <details>
        <summary>
          <Text span ff="monospace" fw={600}>
            {type}
          </Text>{' '}
          <Status tone={verified ? 'good' : 'bad'}>
            {verified ? t`Signature verified` : t`Signature does not fit`}
          </Status>{' '}
          <Text span size="sm" c="dimmed">
            <Moment at={at} />
          </Text>
        </summary>
        <Stack gap="sm" mt="sm">
          <Code block className="wrapped developers-code" tabIndex={0} role="region" aria-label={t`Headers`}>
            {Object.entries(headers)
              .map(([name, value]) => `${name}: ${value}`)
              .join('\n')}
          </Code>
          <Code block className="wrapped developers-code" tabIndex={0} role="region" aria-label={t`Body`}>
            {pretty(body)}
          </Code>
        </Stack>
      </details>
    </li>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
