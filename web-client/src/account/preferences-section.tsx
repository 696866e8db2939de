import { NativeSelect, NumberInput, Stack, Switch } from '@mantine/core';
import { Section } from '../app/page.tsx';
import { type Preferences, setPreference, usePreference } from './preferences.ts';

/** How one likes to work. What is chosen holds at once and in every browser. */
export function PreferencesSection() {
  return (
    <Section title="Preferences" description="They hold in every browser that you sign in with.">
      <Stack gap="md" maw="26rem">
        <Theme />
        <Density />
        <Reading />
        <Switch
          label="Enter sends"
          description="Off: Enter begins a new line. Ctrl or ⌘ with Enter always sends."
          checked={usePreference('enterSends')}
          onChange={({ currentTarget: { checked } }) => void setPreference('enterSends', checked)}
        />
        <HoldSeconds />
        <Switch
          label="Keyboard shortcuts of single keys"
          description="Off: only those with Ctrl or ⌘ are heard. Press ? for the list."
          checked={usePreference('singleKeys')}
          onChange={({ currentTarget: { checked } }) => void setPreference('singleKeys', checked)}
        />
      </Stack>
    </Section>
  );
}

function Theme() {
  return (
    <NativeSelect
      label="Colours"
      value={usePreference('theme')}
      onChange={({ currentTarget: { value } }) => void setPreference('theme', value as Preferences['theme'])}
      data={[
        { value: 'system', label: 'As the system' },
        { value: 'light', label: 'Light' },
        { value: 'dark', label: 'Dark' },
        { value: 'contrast', label: 'High contrast' },
      ]}
    />
  );
}

function Density() {
  return (
    <NativeSelect
      label="Density of tables"
      value={usePreference('density')}
      onChange={({ currentTarget: { value } }) =>
        void setPreference('density', value as Preferences['density'])
      }
      data={[
        { value: 'comfortable', label: 'Comfortable' },
        { value: 'compact', label: 'Compact' },
      ]}
    />
  );
}

function Reading() {
  return (
    <NativeSelect
      label="A conversation counts as read"
      value={usePreference('markRead')}
      onChange={({ currentTarget: { value } }) =>
        void setPreference('markRead', value as Preferences['markRead'])
      }
      data={[
        { value: 'seen', label: 'After two seconds on the screen' },
        { value: 'reply', label: 'When I reply' },
        { value: 'manual', label: 'Only when I say so' },
      ]}
    />
  );
}

function HoldSeconds() {
  const seconds = usePreference('holdSeconds');
  return (
    <NumberInput
      key={seconds}
      label="Seconds to take a reply back"
      description="From 0 to 30. Until then it is not sent."
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
