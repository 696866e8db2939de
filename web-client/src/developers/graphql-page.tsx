import { Anchor, Group, SegmentedControl, Text } from '@mantine/core';
import { useState } from 'react';
import { currentMode, type Mode } from '../app/mode.ts';
import { Page } from '../app/page.tsx';
import { Frame } from './frame.tsx';

/** Queries, mutations and subscriptions by hand, as the agent who is signed in. */
export function GraphqlPage() {
  const [mode, setMode] = useState<Mode>(currentMode() === 'test' ? 'test' : 'live');
  return (
    <Page
      title="GraphQL explorer"
      description="It asks as you, with what your role may do. What you run is kept in this browser, in its history."
      actions={
        <Anchor href={`/explorer?mode=${mode}`} target="_blank" rel="noopener">
          Open in a tab of its own
        </Anchor>
      }
    >
      <Group gap="sm">
        <SegmentedControl
          aria-label="Mode"
          value={mode}
          data={[
            { value: 'test', label: 'Test' },
            { value: 'live', label: 'Live' },
          ]}
          onChange={(value) => setMode(value === 'live' ? 'live' : 'test')}
        />
        <Text size="sm" c="dimmed">
          {mode === 'test'
            ? 'Mutations are answered as in live mode and change nothing.'
            : 'Mutations change your company’s data and reach customers.'}
        </Text>
      </Group>
      <Frame key={mode} title="GraphQL explorer" src={`/explorer?mode=${mode}`} />
    </Page>
  );
}
