import { useLingui } from '@lingui/react/macro';
import { NativeSelect, NumberInput, Stack, Switch } from '@mantine/core';
import { Section } from '../app/page.tsx';
import { type Preferences, setPreference, usePreference } from './preferences.ts';

/** How one likes to work. What is chosen holds at once and in every browser. */
export function PreferencesSection() {
  const { t } = useLingui();
  return (
    <Section title={t`Preferences`} description={t`They hold in every browser that you sign in with.`}>
      <Stack gap="md" maw="26rem">
        <Theme />
        <Density />
        <Reading />
        <Switch
          label={t`Enter sends`}
          description={t`Off: Enter begins a new line. Ctrl or ⌘ with Enter always sends.`}
          checked={usePreference('enterSends')}
          onChange={({ currentTarget: { checked } }) => void setPreference('enterSends', checked)}
        />
        <HoldSeconds />
        <Switch
          label={t`Keyboard shortcuts of single keys`}
          description={t`Off: only those with Ctrl or ⌘ are heard. Press ? for the list.`}
          checked={usePreference('singleKeys')}
          onChange={({ currentTarget: { checked } }) => void setPreference('singleKeys', checked)}
        />
      </Stack>
    </Section>
  );
}

function Theme() {
  const { t } = useLingui();
  return (
    <NativeSelect
      label={t`Colours`}
      value={usePreference('theme')}
      onChange={({ currentTarget: { value } }) => void setPreference('theme', value as Preferences['theme'])}
      data={[
        { value: 'system', label: t`As the system` },
        { value: 'light', label: t`Light` },
        { value: 'dark', label: t`Dark` },
        { value: 'contrast', label: t`High contrast` },
      ]}
    />
  );
}

function Density() {
  const { t } = useLingui();
  return (
    <NativeSelect
      label={t`Density of tables`}
      value={usePreference('density')}
      onChange={({ currentTarget: { value } }) =>
        void setPreference('density', value as Preferences['density'])
      }
      data={[
        { value: 'comfortable', label: t`Comfortable` },
        { value: 'compact', label: t`Compact` },
      ]}
    />
  );
}

function Reading() {
  const { t } = useLingui();
  return (
    <NativeSelect
      label={t`A conversation counts as read`}
      value={usePreference('markRead')}
      onChange={({ currentTarget: { value } }) =>
        void setPreference('markRead', value as Preferences['markRead'])
      }
      data={[
        { value: 'seen', label: t`After two seconds on the screen` },
        { value: 'reply', label: t`When I reply` },
        { value: 'manual', label: t`Only when I say so` },
      ]}
    />
  );
}

function HoldSeconds() {
  const { t } = useLingui();
  const seconds = usePreference('holdSeconds');
  return (
    <NumberInput
      key={seconds}
      label={t`Seconds to take a reply back`}
      description={t`From 0 to 30. Until then it is not sent.`}
      min={0}
      max={30}
      allowDecimal={false}
      defaultValue={seconds}
      onBlur={({ currentTarget: { value } }) => {
        const chosen = Number(value);
        if (value !== '' && chosen !== seconds) void setPreference('holdSeconds', chosen);
      }}
    />
  );
}
