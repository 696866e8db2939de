import { z } from 'zod';
import { issue } from './common.ts';

/** Money is whole minor units (cents) of a currency: 0 to this (decisions §0.3). */
export const maximumAmount = 999_999_999_999;

/** An amount of money in a request. */
export const amount = z
  .int()
  .min(0)
  .max(maximumAmount)
  .meta({ description: 'Minor units.', examples: [1990] });

/** An amount of money in a response. */
export const amountOut = z.int().min(0).max(maximumAmount).meta({ description: 'Minor units.' });

/** ISO 4217 currency in a request, in either case; kept in upper case. */
export const currency = z
  .string()
  .superRefine((value, context) => {
    if (!/^[A-Za-z]{3}$/.test(value) || !isCurrency(value.toUpperCase()))
      context.addIssue(issue('format', 'Must be an ISO 4217 currency such as EUR.'));
  })
  .meta({ minLength: 3, maxLength: 3, examples: ['EUR'] });

/** A currency in a response. */
export const currencyOut = z.string().meta({ description: 'ISO 4217.', examples: ['EUR'] });

let known: ReadonlySet<string> | undefined;

function isCurrency(code: string): boolean {
  known ??= new Set(Intl.supportedValuesOf('currency'));
  return known.has(code);
}
