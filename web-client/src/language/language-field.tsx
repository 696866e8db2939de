import { useLingui } from '@lingui/react/macro';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { type Failure, failureOf } from '../app/failure.ts';
import { chooseLanguage, type Language, languages } from './language.ts';

/** A field that changes the language at once. */
export function LanguageField() {
  const { t, i18n } = useLingui();
  const [failure, setFailure] = useState<Failure | null>(null);
  const choose = (language: Language) => {
    chooseLanguage(language).then(
      () => setFailure(null),
      (error: unknown) => setFailure(failureOf(error)),
    );
  };
  return (
    <NativeSelect
      label={t`Language`}
      value={i18n.locale}
      data={languages}
      error={failure?.message}
      onChange={(event) => choose(event.currentTarget.value as Language)}
    />
  );
}
