import { z } from 'zod';
import { momentOf } from '../../schema/common.ts';
import { ApiKeyCreate, ApiKeyPath, ApiKeyRotate } from '../../schema/keys.ts';
import { announceAccessChange } from '../platform/access.ts';
import { newKey, withAbilities } from '../platform/auth.ts';
import type { Context } from '../platform/context.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import { isId } from '../platform/ids.ts';
import { inAnyCase } from '../platform/names.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';

const withPeople = { user: true, createdBy: true } as const;

export const listApiKeys = query({ access: 'owner', input: z.object({}), liveOnly: true }, (ctx) =>
  ctx.db.apiKey.findMany({
    where: { companyId: ctx.companyId },
    include: withPeople,
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
    return insertKey(ctx, { ...input, scopes, userId: user.id, expiresAt });
  },
);

/**
 * A new key like an old one, which goes on for some hours, or ends at once.
 * @throws AppError `conflict` where the old one has ended already
 */
export const rotateApiKey = mutation(
  { access: 'owner', input: ApiKeyRotate, liveOnly: true },
  async (ctx, { key, overlap_hours: hours }) => {
    const before = await requireKey(ctx, key);
    const now = ctx.now();
    if (before.revokedAt || (before.expiresAt && before.expiresAt <= now))
      throw conflict('The key has ended: make a new one.');
    const end = new Date(now.getTime() + hours * 60 * 60 * 1000);
    const ended = hours === 0 ? { revokedAt: now } : {};
    announceAccessChange(ctx);
    await ctx.db.apiKey.update({
      where: { companyId_id: { companyId: ctx.companyId, id: key } },
      data: { expiresAt: earlier(before.expiresAt, end), ...ended, updatedAt: now },
    });
    return insertKey(ctx, {
      name: before.name,
      mode: before.mode as 'live' | 'test',
      scopes: before.scopes,
      userId: before.userId,
      expiresAt: before.expiresAt,
    });
  },
);

/** What is left of a key's requests in this minute. */
export const showApiKeyBudget = query(
  { access: 'owner', input: ApiKeyPath, liveOnly: true },
  async (ctx, { key }) => {
    const { id } = await requireKey(ctx, key);
    return ctx.app.keyBudget(id);
  },
);

/** Effective at once on every process: they are told in the same transaction. */
export const revokeApiKey = mutation(
  { access: 'owner', input: ApiKeyPath, liveOnly: true },
  async (ctx, { key }) => {
    const where = { companyId_id: { companyId: ctx.companyId, id: key } };
    const before = await requireKey(ctx, key);
    if (before.revokedAt) return before;
    const now = ctx.now();
    announceAccessChange(ctx);
    return ctx.db.apiKey.update({ where, data: { revokedAt: now, updatedAt: now }, include: withPeople });
  },
);

interface NewKey {
  name: string;
  mode: 'live' | 'test';
  scopes: string[];
  userId: string;
  expiresAt: Date | null;
}

/** @returns the row with the whole key, this once */
async function insertKey(ctx: WorkContext, { name, mode, scopes, userId, expiresAt }: NewKey) {
  const now = ctx.now();
  const { id, key, secretHash, last4 } = newKey(mode);
  const row = await ctx.db.apiKey.create({
    data: {
      companyId: ctx.companyId,
      id,
      name,
      mode,
      scopes,
      secretHash: Uint8Array.from(secretHash),
      last4,
      userId,
      createdById: ctx.principal.kind === 'user' ? (ctx.principal.user?.id ?? null) : null,
      expiresAt,
      createdAt: now,
      updatedAt: now,
    },
    include: withPeople,
  });
  return { ...row, key };
}

async function requireKey(ctx: Context, id: string) {
  const where = { companyId_id: { companyId: ctx.companyId, id } };
  const row = isId(id) ? await ctx.db.apiKey.findUnique({ where, include: withPeople }) : null;
  if (!row) throw notFound();
  return row;
}

function earlier(one: Date | null, other: Date): Date {
  return one && one < other ? one : other;
}

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
        : { email: inAnyCase(email) }),
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
