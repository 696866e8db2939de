import { z } from 'zod';
import { query } from '../platform/operation.ts';

/** Who the key acts for. A test key sees the live company: the twin is an inner matter. */
export const showAccount = query({ access: 'any', input: z.object({}) }, async ({ principal }) => ({
  company: principal.account,
  scopes: [...principal.grants].sort(),
  livemode: principal.livemode,
}));
