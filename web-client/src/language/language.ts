import { i18n } from '@lingui/core';
import { compileMessage } from './compile-message.ts';

/** The languages of the dashboard, each by the name that it has in itself. */
export const languages = [
  { value: 'en', label: 'English' },
  { value: 'es', label: 'Español' },
  { value: 'pt-BR', label: 'Português (Brasil)' },
  { value: 'ar', label: 'العربية' },
] as const;

export type Language = (typeof languages)[number]['value'];

const name = 'parlour.language';

const catalogs = {
  es: () => import('../locales/es.po'),
  'pt-BR': () => import('../locales/pt-BR.po'),
  ar: () => import('../locales/ar.po'),
};

// English stands in the code, so that nobody waits for a catalog of it.
i18n.setMessagesCompiler(compileMessage);
i18n.load('en', {});

let regional = 'en';

/** The language that is on. */
export function currentLanguage(): Language {
  return languageOf(i18n.locale) ?? 'en';
}

/** The locale of dates and numbers: the language that is on, of the browser's region where that speaks it. */
export function currentLocale(): string {
  return regional;
}

/** Before anything is drawn: the language that was chosen here, else the first of the browser's that there is. */
export async function startLanguage(): Promise<void> {
  const wanted = [localStorage.getItem(name) ?? '', ...navigator.languages];
  const language = wanted.map(languageOf).find((known) => known !== undefined) ?? 'en';
  // Without its catalog, as when the server is out of reach, the page speaks English.
  await activate(language).catch(() => activate('en'));
}

/** Changes the language of what is on the screen, and of the pages to come. */
export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(name, language);
  await activate(language);
}

async function activate(language: Language): Promise<void> {
  if (language !== 'en' && !(language in loaded)) {
    i18n.load(language, (await catalogs[language]()).messages);
    loaded[language] = true;
  }
  regional = navigator.languages.find((tag) => baseOf(tag) === baseOf(language)) ?? language;
  const root = document.documentElement;
  root.lang = language;
  root.dir = language === 'ar' ? 'rtl' : 'ltr';
  i18n.activate(language, regional);
}

const loaded: Partial<Record<Language, true>> = {};

/** The language of ours that a language tag asks for. */
export function languageOf(tag: string): Language | undefined {
  return languages.find(({ value }) => baseOf(value) === baseOf(tag))?.value;
}

/** `pt` of `pt-BR`. */
function baseOf(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? '';
}
