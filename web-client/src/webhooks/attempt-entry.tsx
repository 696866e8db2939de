import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Code, Group, Stack, Text } from '@mantine/core';
import { Moment } from '../app/moment.tsx';
import { Status } from '../app/status.tsx';
import type { inferOutput, trpc } from '../app/trpc.ts';

export type Attempt = inferOutput<typeof trpc.deliveries.show>['data']['log'][number];

/** One attempt of a delivery: what was sent, what came back. */
export function AttemptEntry({ attempt }: { attempt: Attempt }) {
  const { t } = useLingui();
  const { number, trigger, at, duration_ms, response_status, error, error_message } = attempt;
  const result = response_status === null ? reasons[error ?? 'reset'] : `HTTP ${response_status}`;
  return (
    <li className="attempt">
      <Group gap="sm">
        <Text fw={600}>
          <Trans>Attempt {number}</Trans>
        </Text>
        <Status tone={error === null ? 'good' : 'bad'}>{result}</Status>
        <Text size="sm" c="dimmed">
          <Trans>
            <Moment at={at} />, {duration_ms} ms
          </Trans>
          {trigger === 'manual' && t`, by hand`}
        </Text>
      </Group>
      {error_message !== null && (
        <Text size="sm" c="dimmed">
          {error_message}
        </Text>
      )}
      <Stack gap={4}>
        <Headers title={t`Request headers`} headers={attempt.request_headers} />
        <Headers title={t`Response headers`} headers={attempt.response_headers} />
        {attempt.response_body !== null && attempt.response_body !== '' && (
          <details>
            <summary className="webhook-summary">
              <Trans>Response body</Trans>
            </summary>
            <Code
              block
              className="wrapped events-code"
              tabIndex={0}
              role="region"
              aria-label={t`Response body`}
            >
              {attempt.response_body}
            </Code>
          </details>
        )}
      </Stack>
    </li>
  );
}

/** Why there was no answer that counts. */
const reasons: Record<NonNullable<Attempt['error']>, string> = {
  get connect() {
    return t`Connection refused`;
  },
  get timeout() {
    return t`Timeout`;
  },
  get reset() {
    return t`Connection broken`;
  },
  get blocked() {
    return t`Address not allowed`;
  },
  get tls() {
    return t`TLS failure`;
  },
  get dns() {
    return t`Name not found`;
  },
  status: 'Refused',
  get redirect() {
    return t`Redirect`;
  },
};

function Headers({ title, headers }: { title: string; headers: Record<string, string> | null }) {
  if (headers === null) return null;
  return (
    <details>
      <summary className="webhook-summary">{title}</summary>
      <Code block className="wrapped events-code" tabIndex={0} role="region" aria-label={title}>
        {Object.entries(headers)
          .map(([name, value]) => `${name}: ${value}`)
          .join('\n')}
      </Code>
    </details>
  );
}
