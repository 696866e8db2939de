import { Trans, useLingui } from '@lingui/react/macro';
import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FailureAlert } from '../app/failure-alert.tsx';
import { Page, Section } from '../app/page.tsx';
import { told } from '../app/toast.ts';
import { trpc } from '../app/trpc.ts';
import { useSubmit } from '../app/use-submit.ts';
import { AvatarField } from './avatar-field.tsx';
import { PreferencesSection } from './preferences-section.tsx';
import { SoundsSection } from '../realtime/sounds-section.tsx';
import { PasskeysSection } from './passkeys-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';
import { refreshProfile, useProfile } from './use-profile.ts';

/** Who one is, and how one signs in. */
export function ProfilePage() {
  const { t } = useLingui();
  return (
    <Page title={t`Profile`}>
      <Person />
      <PreferencesSection />
      <SoundsSection />
      <PasswordSection />
      <TwoFactorSection />
      <PasskeysSection />
      <SessionsSection />
    </Page>
  );
}

const zones = Intl.supportedValuesOf('timeZone');

function Person() {
  const { t } = useLingui();
  const profile = useProfile();
  const update = useMutation(trpc.account.updateProfile.mutationOptions());
  const { onSubmit, pending, errorOf, failure } = useSubmit(
    async ({ name, timezone }) => {
      await update.mutateAsync({ name, timezone: timezone === '' ? null : timezone });
      await refreshProfile();
      told(t`Your profile is saved.`);
    },
    ['name', 'timezone'],
  );
  return (
    <Section title={t`You`} description={`${profile.email}, ${profile.role.name}`}>
      <AvatarField />
      <form onSubmit={onSubmit}>
        <Stack gap="md" maw="26rem">
          {failure && <FailureAlert failure={failure} />}
          <TextInput
            name="name"
            label={t`Name`}
            description={t`As your colleagues and customers see it.`}
            autoComplete="name"
            required
            withAsterisk={false}
            defaultValue={profile.name}
            error={errorOf('name')}
          />
          <Select
            name="timezone"
            label={t`Time zone`}
            placeholder={t`That of the browser`}
            data={zones}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t`Use the zone of the browser` }}
            limit={50}
            nothingFoundMessage={t`No such zone`}
            defaultValue={profile.timezone}
            error={errorOf('timezone')}
          />
          <Group>
            <Button type="submit" loading={pending}>
              <Trans>Save</Trans>
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
