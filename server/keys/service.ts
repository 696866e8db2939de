import { z } from 'zod';
import { momentOf } from '../../schema/common.ts';
import { ApiKeyCreate, ApiKeyPath } from '../../schema/keys.ts';
import { announceAccessChange } from '../platform/access.ts';
import { newKey, withAbilities } from '../platform/auth.ts';
import { invalidField, notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

export const listApiKeys = query({ access: 'owner', input: z.object({}), liveOnly: true }, (ctx) =>
  ctx.db.apiKey.findMany({
    where: { companyId: ctx.companyId },
    include: { user: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  }),
);

/** Only the Owner creates keys, and grants only what the key's user and the Owner hold. */
export const createApiKey = mutation(
  { access: 'owner', input: ApiKeyCreate, liveOnly: true },
  async (ctx, input) => {
    const user = await keyUser(ctx, input.user);
    const scopes = [...new Set(input.scopes)].sort();
    const held = withAbilities(user.role.permissions);
    const refused = scopes.findIndex((scope) => !held.has(scope) || !mayGrant(ctx, scope));
    if (refused !== -1)
      throw invalidField(`scopes.${refused}`, 'not_allowed', `${scopes[refused]} is not held.`);
    const now = ctx.now();
    const expiresAt = input.expires_at ? new Date(momentOf(input.expires_at)) : null;
    if (expiresAt && expiresAt <= now) throw invalidField('expires_at', 'min', 'Must be in the future.');
    const { id, key, secretHash, last4 } = newKey(input.mode);
    const row = await ctx.db.apiKey.create({
      data: {
        companyId: ctx.companyId,
        id,
        name: input.name,
        mode: input.mode,
        scopes,
        secretHash: Uint8Array.from(secretHash),
        last4,
        userId: user.id,
        createdById: ctx.principal.kind === 'user' ? (ctx.principal.user?.id ?? null) : null,
        expiresAt,
        createdAt: now,
        updatedAt: now,
      },
      include: { user: true },
    });
    return { ...row, key };
  },
);

/** Effective at once on every process: they are told in the same transaction. */
export const revokeApiKey = mutation(
  { access: 'owner', input: ApiKeyPath, liveOnly: true },
  async (ctx, { key }) => {
    const where = { companyId_id: { companyId: ctx.companyId, id: key } };
    const before = isId(key) ? await ctx.db.apiKey.findUnique({ where, include: { user: true } }) : null;
    if (!before) throw notFound();
    if (before.revokedAt) return before;
    const now = ctx.now();
    await announceAccessChange(ctx);
    return ctx.db.apiKey.update({ where, data: { revokedAt: now, updatedAt: now }, include: { user: true } });
  },
);

async function keyUser(ctx: WorkContext, email: string | undefined) {
  const { companyId, principal } = ctx;
  const user = await ctx.db.user.findFirst({
    where: {
      companyId,
      deactivatedAt: null,
      ...(email === undefined
        ? principal.user
          ? { id: principal.user.id }
          : { role: { key: 'owner' } }
        : { email: { equals: email, mode: 'insensitive' } }),
    },
    include: { role: true },
    orderBy: { createdAt: 'asc' },
  });
  if (!user) throw invalidField('user', 'unknown_id', 'Must be the e-mail of an agent of this company.');
  return user;
}

function mayGrant({ principal }: WorkContext, scope: Parameters<ReadonlySet<string>['has']>[0]): boolean {
  return principal.kind === 'system' || (principal.grants as ReadonlySet<string>).has(scope);
}
