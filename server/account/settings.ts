import { z } from 'zod';
import { issue } from '../../schema/common.ts';

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** An IANA time zone, in its canonical spelling. Offsets such as `+02:00` are none. */
export const timezone = z.string().transform((value, context) => {
  const zone = canonicalZone(value);
  if (zone !== undefined) return zone;
  context.addIssue(issue('format', 'Must be an IANA time zone such as Europe/Lisbon.'));
  return z.NEVER;
});

/** An ISO 4217 currency, in upper case. */
export const currency = z
  .string()
  .toUpperCase()
  .refine((value) => currencies.has(value), issue('format', 'Must be an ISO 4217 currency such as EUR.'));

/** The canonical spelling of an IANA time zone; undefined for anything else. */
export function canonicalZone(value: string): string | undefined {
  if (!/^[A-Za-z]/.test(value)) return undefined;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
