import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Badge, Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Moment } from '../app/moment.tsx';
import { Section } from '../app/page.tsx';
import { QueryState } from '../app/query-state.tsx';
import { refused, told } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import './sessions.css';

/** Where one is signed in. */
export function SessionsSection() {
  const { t } = useLingui();
  const sessions = useQuery(trpc.account.sessions.queryOptions({}));
  const end = useMutation(trpc.account.endSession.mutationOptions({ onError: refused }));
  const endAll = useMutation(
    trpc.account.endSessions.mutationOptions({
      onError: refused,
      onSuccess: () => location.assign('/sign-in'),
    }),
  );
  const endOne = async (session: string) => {
    await end.mutateAsync({ session });
    await queryClient.invalidateQueries(trpc.account.sessions.queryFilter());
    told(t`That browser is signed out.`);
  };
  return (
    <Section
      title={t`Where you are signed in`}
      actions={
        <Button variant="default" loading={endAll.isPending} onClick={() => endAll.mutate({})}>
          <Trans>Sign out everywhere</Trans>
        </Button>
      }
    >
      <QueryState query={sessions}>
        {({ data }) => (
          <ul className="sessions">
            {data.map((session) => {
              const browser = nameOf(session.user_agent);
              return (
                <li key={session.id}>
                  <Stack gap={2}>
                    <Group gap="xs">
                      <Text fw={600}>{browser}</Text>
                      {session.current && (
                        <Badge variant="default" tt="none">
                          <Trans>this one</Trans>
                        </Badge>
                      )}
                    </Group>
                    <Text size="sm" c="dimmed">
                      <Trans>
                        {session.ip ?? t`unknown address`}, used <Moment at={session.last_used_at} />, since{' '}
                        <Moment at={session.created_at} />
                      </Trans>
                    </Text>
                  </Stack>
                  {!session.current && (
                    <Button
                      variant="default"
                      size="compact-md"
                      aria-label={t`Sign out ${browser}`}
                      onClick={() => void endOne(session.id).catch(() => {})}
                    >
                      <Trans>Sign out</Trans>
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
        )}
      </QueryState>
    </Section>
  );
}

const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** Browser and system, as far as the browser says so. */
function nameOf(agent: string | null): string {
  const find = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => agent?.includes(part))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser === undefined) return t`A program`;
  return system === undefined ? browser : t`${browser} on ${system}`;
}
