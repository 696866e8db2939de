import { useLingui } from '@lingui/react/macro';
import { Modal, SimpleGrid, Switch, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { setPreference, usePreference } from '../account/preferences.ts';
import { type Command, currentCommands, groupText } from './commands.ts';
import { KeyHint } from './key-hint.tsx';
import { useFocusBack } from './use-focus-back.ts';
import './keyboard.css';

/** All shortcuts of what is on the screen, by group, and the switch that turns single keys off. */
export function CheatSheet({ onClose }: { onClose(): void }) {
  const { t } = useLingui();
  useFocusBack();
  const [commands] = useState(() => currentCommands().filter(({ keys }) => keys !== undefined));
  const groups = [...new Set(commands.map(({ group }) => group))];
  return (
    <Modal opened onClose={onClose} title={t`Keyboard shortcuts`} size="xl">
      <Switch
        mb="lg"
        checked={usePreference('singleKeys')}
        onChange={({ currentTarget: { checked } }) => void setPreference('singleKeys', checked)}
        label={t`Single keys do something`}
        description={t`Off: only those with Ctrl or ⌘ are heard. It holds in every browser.`}
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl">
        {groups.map((group) => (
          <section key={group} aria-label={groupText(group)}>
            <Title order={3} size="h5" mb="xs">
              {groupText(group)}
            </Title>
            <Group commands={commands.filter((command) => command.group === group)} />
          </section>
        ))}
      </SimpleGrid>
    </Modal>
  );
}

function Group({ commands }: { commands: readonly Command[] }) {
  return (
    <dl className="key-list">
      {commands.map(({ id, title, keys = [] }) => (
        <div key={id}>
          <dt>
            <Text span size="sm">
              {title}
            </Text>
          </dt>
          <dd>
            {keys.map((one, n) => (
              <span key={one}>
                {n > 0 && ' or '}
                <KeyHint keys={one} />
              </span>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
