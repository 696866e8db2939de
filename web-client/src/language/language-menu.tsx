import { Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { refused } from '../app/toast.ts';
import { chooseLanguage, type Language, languages } from './language.ts';

/** Entries of a menu that choose the language; the browser remembers the choice. */
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
        onChange={(language) => void chooseLanguage(language as Language).catch(refused)}
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
