import { Trans, useLingui } from '@lingui/react/macro';
import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { currentMode, type Mode } from '../app/mode.ts';
import { Page } from '../app/page.tsx';
import { Frame } from './frame.tsx';

/** Queries, mutations and subscriptions by hand, as the agent who is signed in. */
export function GraphqlPage() {
  const { t } = useLingui();
  const [mode, setMode] = useState<Mode>(currentMode() === 'test' ? 'test' : 'live');
  return (
    <Page
      title={t`GraphQL explorer`}
      description={t`It asks as you, with what your role may do. What you run is kept in this browser, in its history.`}
      actions={
        <Anchor href={`/explorer?mode=${mode}`} target="_blank" rel="noopener">
          <Trans>Open in a tab of its own</Trans>
        </Anchor>
      }
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label={t`Mode`}
          value={mode}
          data={[
            { value: 'test', label: t`Test` },
            { value: 'live', label: t`Live` },
          ]}
          onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
        />
        <Text size="sm" c="dimmed">
          {mode === 'test'
            ? t`Mutations are answered as in live mode and change nothing.`
            : t`Mutations change your company’s data and reach customers.`}
        </Text>
      </Group>
      <Frame key={mode} title={t`GraphQL explorer`} src={`/explorer?mode=${mode}`} />
    </Page>
  );
}
