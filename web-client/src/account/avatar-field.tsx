import { Trans, useLingui } from '@lingui/react/macro';
import { Button, FileButton, Group, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Face } from '../agents/face.tsx';
import { currentMode } from '../app/mode.ts';
import { refused, told } from '../app/toast.ts';
import { queryClient, trpc } from '../app/trpc.ts';
import { upload } from '../app/upload.ts';
import { initialsOf } from '../inbox/conversation-words.ts';
import { squareOf } from './square.ts';
import './avatar-field.css';
import { refreshProfile, useProfile } from './use-profile.ts';

/** The picture that colleagues see beside one's name. */
export function AvatarField() {
  const { t } = useLingui();
  const { id, name, avatar_url: url } = useProfile();
  const set = useMutation(trpc.media.setAvatar.mutationOptions());
  const [pending, setPending] = useState(false);
  // Files have no test mode.
  if (currentMode() === 'test') return null;
  const change = async (file: File | null) => {
    setPending(true);
    try {
      await set.mutateAsync({ media_url: file && (await upload(await squareOf(file))) });
      await Promise.all([refreshProfile(), queryClient.invalidateQueries(trpc.agents.list.queryFilter())]);
      told(file ? t`Your picture is changed.` : t`Your picture is removed.`);
    } catch (error) {
      refused(error);
    } finally {
      setPending(false);
    }
  };
  return (
    <Group gap="md" mb="md">
      <Face of={id} size={64}>
        <span className="avatar-none" aria-hidden>
          {initialsOf(name)}
        </span>
      </Face>
      <div>
        <Text size="sm" fw={600} mb={4}>
          <Trans>Picture</Trans>
        </Text>
        <Group gap="xs">
          <FileButton
            accept="image/png,image/jpeg,image/webp"
            onChange={(file) => file && void change(file)}
            inputProps={{ 'aria-label': t`Picture` }}
          >
            {(props) => (
              <Button {...props} variant="default" size="compact-md" loading={pending}>
                <Trans>Choose a picture…</Trans>
              </Button>
            )}
          </FileButton>
          {url !== null && (
            <Button variant="subtle" size="compact-md" disabled={pending} onClick={() => void change(null)}>
              <Trans>Remove</Trans>
            </Button>
          )}
        </Group>
      </div>
    </Group>
  );
}
