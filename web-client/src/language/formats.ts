import { currentLocale } from './language.ts';

/** Makes the format anew when the language, or the zone, has changed. */
function inLanguage<T>(
  make: (locale: string, zone?: string) => T,
  zoneOf?: () => string | undefined,
): () => T {
  let made: { locale: string; zone: string | undefined; format: T } | undefined;
  return () => {
    const locale = currentLocale();
    const zone = zoneOf?.();
    if (made?.locale !== locale || made.zone !== zone) made = { locale, zone, format: make(locale, zone) };
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

/**
 * As `Intl.DateTimeFormat`, in the language that is on whenever it is used.
 * @param zoneOf the zone at that time, where `options` names none; undefined is that of the browser
 */
export function dateFormat(
  options?: Intl.DateTimeFormatOptions,
  zoneOf?: () => string | undefined,
): DateFormat {
  const current = inLanguage(
    (locale, timeZone) => new Intl.DateTimeFormat(locale, { ...options, ...(timeZone && { timeZone }) }),
    zoneOf,
  );
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
