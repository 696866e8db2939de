import { Trans, useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { Button, Group, Stack, Switch, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Volume2 } from 'lucide-react';
import { refreshProfile, useProfile } from '../account/use-profile.ts';
import { Section } from '../app/page.tsx';
import { refused } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import './sounds.css';
import { sound, soundNames, type SoundPreference, soundPreference } from './sounds.ts';

const labels: Readonly<Record<(typeof soundNames)[number], string>> = {
  get mine() {
    return t`A message in a conversation of mine`;
  },
  get unassigned() {
    return t`A message in a conversation that nobody has`;
  },
  get mention() {
    return t`Somebody mentions me`;
  },
  get assigned() {
    return t`A conversation is assigned to me`;
  },
};

/** What one hears, and how loud. It is kept with the profile, for every browser. */
export function SoundsSection() {
  const { t } = useLingui();
  const preference = soundPreference(useProfile().preferences);
  const update = useMutation(trpc.account.updateProfile.mutationOptions({ onError: refused }));
  const change = async (patch: Partial<SoundPreference>) => {
    await update.mutateAsync({ preferences: { sounds: { ...preference, ...patch } } }).catch(() => {});
    await refreshProfile();
  };
  return (
    <Section
      title={t`Sounds`}
      description={t`A short tone while this page is open. Muted conversations make none.`}
    >
      <Stack gap="sm" maw="32rem">
        {soundNames.map((name) => (
          <Group key={name} justify="space-between" wrap="nowrap">
            <Switch
              label={labels[name]}
              checked={preference[name]}
              onChange={({ currentTarget: { checked } }) => void change({ [name]: checked })}
            />
            <Button
              variant="default"
              size="compact-sm"
              leftSection={<Volume2 size={14} aria-hidden />}
              aria-label={t`Play: ${labels[name]}`}
              onClick={() => sound(name, preference.volume)}
            >
              <Trans>Play</Trans>
            </Button>
          </Group>
        ))}
        <label className="sounds-volume">
          <Text span size="sm">
            <Trans>Volume</Trans>
          </Text>
          <input
            type="range"
            min={0}
            max={100}
            step={5}
            key={preference.volume}
            defaultValue={preference.volume * 100}
            onPointerUp={({ currentTarget }) => void change({ volume: Number(currentTarget.value) / 100 })}
            onKeyUp={({ currentTarget }) => void change({ volume: Number(currentTarget.value) / 100 })}
          />
        </label>
      </Stack>
    </Section>
  );
}
