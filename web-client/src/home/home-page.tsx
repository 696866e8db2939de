import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useProfile } from '../account/use-profile.ts';
import { Page, Section } from '../app/page.tsx';

/** Where to start. */
export function HomePage() {
  const { t } = useLingui();
  const { name, company, role } = useProfile();
  const manages = role.key === 'owner' || role.key === 'admin';
  return (
    <Page title={t`Hello, ${name}`} description={t`You work for ${company.name} as ${role.name}.`}>
      <Section title={t`Your team`}>
        <Stack gap="xs">
          <Anchor component={Link} to="/settings/profile">
            <Trans>Your profile and where you are signed in</Trans>
          </Anchor>
          {manages && (
            <Anchor component={Link} to="/settings/team">
              <Trans>Invite your team</Trans>
            </Anchor>
          )}
        </Stack>
      </Section>
      <Section title={t`For developers`}>
        <Stack gap="xs">
          {role.key === 'owner' && (
            <Anchor component={Link} to="/settings/keys">
              <Trans>API keys</Trans>
            </Anchor>
          )}
          <Anchor href="/docs" target="_blank" rel="noopener">
            <Trans>API reference</Trans>
          </Anchor>
          <Text size="sm" c="dimmed">
            <Trans>Times are shown in {Intl.DateTimeFormat().resolvedOptions().timeZone}.</Trans>
          </Text>
        </Stack>
      </Section>
    </Page>
  );
}
