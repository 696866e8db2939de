import { PasswordInput } from '@mantine/core';
import { passwordMinLength } from '../../../schema/passwords.ts';

/** A field for a password that is chosen now. */
export function NewPassword({ label = 'Password', error }: { label?: string; error?: string | undefined }) {
  return (
    <PasswordInput
      name="password"
      label={label}
      description={`At least ${passwordMinLength} characters.`}
      autoComplete="new-password"
      required
      withAsterisk={false}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the password' }}
    />
  );
}
