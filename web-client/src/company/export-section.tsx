import { Trans, useLingui } from '@lingui/react/macro';
import { Code, Group, Text } from '@mantine/core';
import { useCan } from '../account/use-profile.ts';
import { ExportButton } from '../app/export-button.tsx';
import { currentMode } from '../app/mode.ts';
import { Section } from '../app/page.tsx';

/** All that is kept of a kind, as a file each. */
export function ExportSection() {
  const { t } = useLingui();
  const can = useCan();
  return (
    <Section
      title={t`Data export`}
      description={t`Everything of a kind as CSV, safe to open in a spreadsheet. The lists export what their filters show.`}
    >
      {currentMode() === 'test' ? (
        <Text c="dimmed">
          <Trans>Files have no test mode: switch to live mode for them.</Trans>
        </Text>
      ) : (
        <Group gap="sm">
          {can('contacts.view') && <ExportButton resource="contacts" label={t`Contacts`} />}
          {can('commerce.view') && <ExportButton resource="products" label={t`Products`} />}
          {can('commerce.view') && <ExportButton resource="orders" label={t`Orders`} />}
          {can('campaigns.view') && <ExportButton resource="campaigns" label={t`Campaigns`} />}
        </Group>
      )}
      <Text size="sm" c="dimmed" mt="sm">
        <Trans>
          Whoever runs the server writes all of it, files and conversations too, with{' '}
          <Code>npx parlour backup</Code>.
        </Trans>
      </Text>
    </Section>
  );
}
