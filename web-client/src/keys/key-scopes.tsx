import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { type Scope, scopeNames, scopes } from '../../../schema/scopes.ts';

const viewing = scopeNames.filter((scope) => scope.endsWith('.view'));
const managing = scopeNames.filter((scope) => !scope.endsWith('.view'));

/** What a key may do: what it reads, and what it changes. */
export function KeyScopes({
  held,
  hold,
  error,
}: {
  held: readonly Scope[];
  hold(scopes: Scope[]): void;
  error: string | undefined;
}) {
  const { t } = useLingui();
  return (
    <Stack gap="md">
      <Group gap="xs">
        <Button size="compact-sm" variant="default" onClick={() => hold(viewing)}>
          <Trans>Read only</Trans>
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => hold(scopeNames)}>
          <Trans>Everything</Trans>
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => hold([])}>
          <Trans>Nothing</Trans>
        </Button>
      </Group>
      <Checkbox.Group label={t`Scopes`} value={[...held]} onChange={(next) => hold(next)} error={error}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
          <Scopes title={t`View`} names={viewing} />
          <Scopes title={t`Manage`} names={managing} />
        </SimpleGrid>
      </Checkbox.Group>
    </Stack>
  );
}

function Scopes({ title, names }: { title: string; names: readonly Scope[] }) {
  return (
    <Stack gap="xs" role="group" aria-label={title}>
      <Text fw={600} size="sm">
        {title}
      </Text>
      {names.map((scope) => (
        <Checkbox key={scope} value={scope} label={scopes[scope].title} description={scopes[scope].text} />
      ))}
    </Stack>
  );
}

/** What a new key holds before anybody has chosen. */
export const readOnly: readonly Scope[] = viewing;
