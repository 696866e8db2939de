import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Failure, failureOf } from '../app/failure.ts';
import { FailureAlert } from '../app/failure-alert.tsx';
import { queryClient, trpc } from '../app/trpc.ts';
import type { ApiKey } from './keys-page.tsx';
import { ShowKey } from './show-key.tsx';

/** A new key like an old one, which goes on for a while so that programs can change over. */
export function RotateKeyDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const { t } = useLingui();
  const [key, setKey] = useState<string | null>(null);
  const [hours, setHours] = useState<0 | 24 | 168>(24);
  const [failure, setFailure] = useState<Failure | null>(null);
  const rotate = useMutation(trpc.keys.rotate.mutationOptions({ gcTime: 0 }));
  const shown = key !== null;
  const go = async () => {
    setFailure(null);
    try {
      const { data } = await rotate.mutateAsync({ key: apiKey.id, overlap_hours: hours });
      rotate.reset();
      setKey(data.key);
      await queryClient.invalidateQueries(trpc.keys.list.queryFilter());
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={shown ? t`Your new key` : t`Rotate ${apiKey.name}?`}
      closeOnEscape={!shown}
      closeOnClickOutside={false}
      withCloseButton={!shown}
    >
      {shown ? (
        <ShowKey value={key} onClose={onClose} />
      ) : (
        <Stack gap="md">
          <Text>
            <Trans>The new key has the same mode, scopes and agent.</Trans>
          </Text>
          {failure && <FailureAlert failure={failure} />}
          <Radio.Group
            label={t`The old key ends`}
            value={String(hours)}
            onChange={(value) => setHours(value === '0' ? 0 : value === '24' ? 24 : 168)}
          >
            <Stack gap="xs" mt="xs">
              <Radio value="0" label={t`at once`} />
              <Radio value="24" label={t`in 24 hours`} />
              <Radio value="168" label={t`in 7 days`} />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
            <Button loading={rotate.isPending} onClick={() => void go()}>
              <Trans>Rotate</Trans>
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}
