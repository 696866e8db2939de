import { useLingui } from '@lingui/react/macro';
import { t } from '@lingui/core/macro';
import { PasswordInput } from '@mantine/core';
import { passwordMinLength } from '../../../schema/passwords.ts';

/** A field for a password that is chosen now. */
export function NewPassword({ label = t`Password`, error }: { label?: string; error?: string | undefined }) {
  const { t } = useLingui();
  return (
    <PasswordInput
      name="password"
      label={label}
      description={t`At least ${passwordMinLength} characters.`}
      autoComplete="new-password"
      required
      withAsterisk={false}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': t`Show or hide the password` }}
    />
  );
}
