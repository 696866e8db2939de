import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useProfile } from '../account/use-profile.ts';
import { Page, Section } from '../app/page.tsx';

/** Where to start. */
export function HomePage() {
  const { name, company, role } = useProfile();
  const manages = role.key === 'owner' || role.key === 'admin';
  return (
    <Page title={`Hello, ${name}`} description={`You work for ${company.name} as ${role.name}.`}>
      <Section title="Your team">
        <Stack gap="xs">
          <Anchor component={Link} to="/settings/profile">
            Your profile and where you are signed in
          </Anchor>
          {manages && (
            <Anchor component={Link} to="/settings/team">
              Invite your team
            </Anchor>
          )}
        </Stack>
      </Section>
      <Section title="For developers">
        <Stack gap="xs">
          {role.key === 'owner' && (
            <Anchor component={Link} to="/settings/keys">
              API keys
            </Anchor>
          )}
          <Anchor href="/docs" target="_blank" rel="noopener">
            API reference
          </Anchor>
          <Text size="sm" c="dimmed">
            Times are shown in {Intl.DateTimeFormat().resolvedOptions().timeZone}.
          </Text>
        </Stack>
      </Section>
    </Page>
  );
}
