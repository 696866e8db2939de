import { useLingui } from '@lingui/react/macro';
import { PasswordInput } from '@mantine/core';

interface Props {
  /** Name of the value in the form. */
  name?: string;
  label?: string;
  description?: string;
  /** The one that somebody has, unless they choose it now. */
  kind?: 'current-password' | 'new-password';
  /** Of the button that shows what was typed, where a form has two of them. */
  toggle?: string;
  /** Whether a dialog begins here. */
  begins?: boolean;
  error: string | undefined;
}

/** A field for a password, which can be shown, pasted and filled in by the browser. */
export function PasswordField(props: Props) {
  const { t } = useLingui();
  const { name = 'password', label, description, kind = 'current-password', toggle, begins, error } = props;
  return (
    <PasswordInput
      name={name}
      label={label ?? t`Password`}
      description={description}
      autoComplete={kind}
      required
      withAsterisk={false}
      data-autofocus={begins || undefined}
      error={error}
      visibilityToggleButtonProps={{ 'aria-label': toggle ?? t`Show or hide the password` }}
    />
  );
}
