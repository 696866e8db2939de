import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCan, useProfile } from '../account/use-profile.ts';
import { Page, Section } from '../app/page.tsx';
import { InboxSection } from './inbox-section.tsx';
import { SetUpSection } from './set-up-section.tsx';
import { TodaySection } from './today-section.tsx';
import './home.css';

/** What waits for the agent: conversations, today's bookings, and what is still to be set up. */
export function HomePage() {
  const { t } = useLingui();
  const { name, company, role } = useProfile();
  const can = useCan();
  const manages = role.key === 'owner' || role.key === 'admin';
  return (
    <Page title={t`Hello, ${name}`} description={t`You work for ${company.name} as ${role.name}.`}>
      {manages && <SetUpSection />}
      {can('inbox.access') && <InboxSection />}
      {can('calendar.view') && <TodaySection />}
      <Section title={t`For developers`}>
        <Group gap="lg">
          {role.key === 'owner' && (
            <Anchor component={Link} to="/settings/keys">
              <Trans>API keys</Trans>
            </Anchor>
          )}
          <Anchor component={Link} to="/developers">
            <Trans>First steps with the API</Trans>
          </Anchor>
          <Anchor href="/docs" target="_blank" rel="noopener">
            <Trans>API reference</Trans>
          </Anchor>
        </Group>
      </Section>
    </Page>
  );
}
