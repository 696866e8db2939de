import { numberFormat, type NumberFormat } from '../language/formats.ts';
const formats = new Map<string, NumberFormat>();

function formatOf(currency: string): NumberFormat {
  const known = formats.get(currency);
  if (known) return known;
  const format = numberFormat({ style: 'currency', currency });
  formats.set(currency, format);
  return format;
}

/** How many digits the currency has behind the point: 2 of EUR, 0 of JPY. */
function digitsOf(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2;
}

/** Minor units as a person reads them. */
export function money(amount: number, currency: string): string {
  return formatOf(currency).format(amount / 10 ** digitsOf(currency));
}

/** Minor units as they stand in a field. */
export function moneyText(amount: number, currency: string): string {
  return (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));
}

/**
 * Minor units of what somebody typed, with a point or a comma before the cents; NaN when it is no amount of the
 * currency. NaN is refused by the server beside the field.
 */
export function minorUnits(text: string, currency: string): number {
  const digits = digitsOf(currency);
  const match = /^(\d{1,12})(?:[.,](\d{1,3}))?$/.exec(text.replaceAll(/[\s']/g, ''));
  const [, whole = '', cents = ''] = match ?? [];
  if (!match || cents.length > digits) return Number.NaN;
  return Number(whole + cents.padEnd(digits, '0'));
}
