import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core';
import { FailureAlert } from '../app/failure-alert.tsx';
import { useSubmit } from '../app/use-submit.ts';
import type { SavedView } from './saved-views.ts';

interface Props {
  /** What is renamed; null: a new one is made. */
  view: SavedView | null;
  /** Whether the agent may share it. */
  shares: boolean;
  save(values: { name: string; shared: boolean }): Promise<void>;
  onClose(): void;
}

/** Asks for the name of a view. */
export function SaveViewDialog({ view, shares, save, onClose }: Props) {
  const { t } = useLingui();
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name = '', shared }) => {
      await save({ name, shared: shared === 'on' });
      onClose();
    },
    ['name'],
  );
  return (
    <Modal opened onClose={onClose} title={view ? t`Rename “${view.name}”` : t`Save view`} centered>
      <form onSubmit={onSubmit} noValidate>
        <Stack gap="md">
          {failure && <FailureAlert failure={failure} />}
          <TextInput
            name="name"
            label={t`Name`}
            description={t`Filters, search and order are kept under it.`}
            autoComplete="off"
            maxLength={100}
            data-autofocus
            defaultValue={view?.name}
            error={errorOf('name')}
          />
          {!view && shares && (
            <Checkbox name="shared" label={t`Share it with everybody who works in the inbox`} />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button type="submit" loading={pending}>
              <Trans>Save</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
