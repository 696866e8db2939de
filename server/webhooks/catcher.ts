import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import type { Caught } from '../platform/catcher.ts';
import { query } from '../platform/operation.ts';
import { openSecret, secretsKey } from './secrets.ts';
import { signatureFits } from './signature.ts';

export interface Catch extends Caught {
  /** Whether a secret of an endpoint at this address made the signature. */
  verified: boolean;
}

/** What the demo's own receiver was sent, newest first; no address where there is none. */
export const showWebhookCatcher = query(
  { access: 'admin', liveOnly: true, input: z.object({}) },
  async (ctx): Promise<{ url: string | null; caught: Catch[] }> => {
    const { catcher } = ctx.app;
    if (!catcher) return { url: null, caught: [] };
    const url = catcher.urlOf(ctx.companyId);
    const caught = catcher.list(ctx.companyId);
    const secrets = caught.length > 0 ? await secretsAt(ctx, url) : [];
    return {
      url,
      caught: caught.map((one) => ({
        ...one,
        verified: secrets.some((secret) =>
          signatureFits(one.headers['x-service-signature'] ?? '', one.body, secret),
        ),
      })),
    };
  },
);

async function secretsAt(ctx: Context, url: string): Promise<string[]> {
  const { companyId } = ctx;
  const rows = await ctx.db.webhookSecret.findMany({ where: { companyId, endpoint: { companyId, url } } });
  const key = secretsKey(ctx.app.config);
  return rows.map((row) => openSecret(key, row));
}
