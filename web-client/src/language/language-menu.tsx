import { Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { setPreference } from '../account/preferences.ts';
import { refused } from '../app/toast.ts';
import { chooseLanguage, type Language, languages } from './language.ts';

async function choose(language: Language): Promise<void> {
  await chooseLanguage(language);
  await setPreference('language', language);
}

/** Entries of a menu that choose the language, here and in every browser that one signs in with. */
export function LanguageMenu() {
  const { i18n } = useLingui();
  return (
    <>
      <Menu.Divider />
      <Menu.Label>
        <Trans>Language</Trans>
      </Menu.Label>
      <Menu.RadioGroup
        value={i18n.locale}
        onChange={(language) => void choose(language as Language).catch(refused)}
      >
        {languages.map(({ value, label }) => (
          <Menu.RadioItem key={value} value={value} lang={value}>
            {label}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
