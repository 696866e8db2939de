import { z } from 'zod';
import { grantNames } from './scopes.ts';
import { single } from './common.ts';

/** Who a key acts for. Source: API document, "Account (from /me)". */
export const Account = z
  .strictObject({
    company: z.strictObject({ id: z.string().nullable(), name: z.string().nullable() }),
    scopes: z.array(z.enum(grantNames as [string, ...string[]])).meta({ description: 'Sorted by name.' }),
    livemode: z.boolean(),
  })
  .meta({ id: 'Account' });
export type Account = z.infer<typeof Account>;

export const AccountBody = single(Account);
