import { currentLocale } from './language.ts';

/** Makes the format anew when the language has changed. */
function inLanguage<T>(make: (locale: string) => T): () => T {
  let made: { locale: string; format: T } | undefined;
  return () => {
    const locale = currentLocale();
    if (made?.locale !== locale) made = { locale, format: make(locale) };
    return made.format;
  };
}

export type NumberFormat = Pick<Intl.NumberFormat, 'format' | 'resolvedOptions'>;

/** As `Intl.NumberFormat`, in the language that is on whenever it is used. */
export function numberFormat(options?: Intl.NumberFormatOptions): NumberFormat {
  const current = inLanguage((locale) => new Intl.NumberFormat(locale, options));
  return {
    format: (value: number | bigint | Intl.StringNumericLiteral) => current().format(value),
    resolvedOptions: () => current().resolvedOptions(),
  };
}

export type DateFormat = Pick<Intl.DateTimeFormat, 'format' | 'formatToParts' | 'formatRange'>;

/** As `Intl.DateTimeFormat`, in the language that is on whenever it is used. */
export function dateFormat(options?: Intl.DateTimeFormatOptions): DateFormat {
  const current = inLanguage((locale) => new Intl.DateTimeFormat(locale, options));
  return {
    format: (date) => current().format(date),
    formatToParts: (date) => current().formatToParts(date),
    formatRange: (from, to) => current().formatRange(from, to),
  };
}

/** As `Intl.RelativeTimeFormat`, in the language that is on whenever it is used. */
export function relativeFormat(
  options?: Intl.RelativeTimeFormatOptions,
): Pick<Intl.RelativeTimeFormat, 'format'> {
  const current = inLanguage((locale) => new Intl.RelativeTimeFormat(locale, options));
  return { format: (value, unit) => current().format(value, unit) };
}

/** As `Intl.DisplayNames`, in the language that is on whenever it is used. */
export function displayNames(options: Intl.DisplayNamesOptions): Pick<Intl.DisplayNames, 'of'> {
  const current = inLanguage((locale) => new Intl.DisplayNames(locale, options));
  return { of: (code) => current().of(code) };
}
