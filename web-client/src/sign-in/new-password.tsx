import { useLingui } from '@lingui/react/macro';
import { passwordMinLength } from '../../../schema/passwords.ts';
import { PasswordField } from './password-field.tsx';

/** A field for a password that is chosen now. */
export function NewPassword({ label, error }: { label?: string; error: string | undefined }) {
  const { t } = useLingui();
  return (
    <PasswordField
      {...(label !== undefined && { label })}
      description={t`At least ${passwordMinLength} characters.`}
      kind="new-password"
      error={error}
    />
  );
}
