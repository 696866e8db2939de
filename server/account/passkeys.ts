import { z } from 'zod';
import { PasskeyAddition, PasskeyPath, PasskeyUpdate } from '../../schema/passkeys.ts';
import type { Context } from '../platform/context.ts';
import { conflict, invalidField, notFound } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import { mutation, query } from '../platform/operation.ts';
import { relyingParty, spendChallenge } from './relying-party.ts';
import { loginOf } from './sessions.ts';

const own = { access: 'any', dashboardOnly: true, liveOnly: true } as const;
/** Passkeys of one login. */
const maximum = 20;

/** The caller's passkeys, newest first. */
export const listPasskeys = query({ ...own, input: z.object({}) }, async (ctx) =>
  passkeysOf(ctx, await loginOf(ctx)),
);

/** What a challenge is for that is signed to add a passkey to a login; given out for the password alone. */
export const additionTo = (loginId: string) => `add ${loginId}`;

/**
 * Adds the passkey that an authenticator has made for the challenge of `/auth/passkey/new`.
 * @throws AppError `validation_failed` for what it did not sign, `conflict` above 20
 */
export const addPasskey = mutation({ ...own, input: PasskeyAddition }, async (ctx, { name, response }) => {
  const loginId = await loginOf(ctx);
  const refused = invalidField('response', 'not_allowed', 'The passkey can’t be verified. Try once more.');
  const party = relyingParty(ctx.app);
  if (!party) throw refused;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: { ...response, rawId: response.id },
    expectedChallenge: (challenge) => spendChallenge(ctx.app, ctx.db, additionTo(loginId), challenge),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    requireUserVerification: true,
  }).catch((): never => {
    throw refused;
  });
  if (!verified) throw refused;
  const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
  await ctx.db.$executeRaw`SELECT 1 FROM logins WHERE id = ${loginId} FOR UPDATE`;
  if ((await ctx.db.passkey.count({ where: { loginId } })) >= maximum)
    throw conflict(`At most ${maximum} passkeys. Remove one first.`);
  if (await ctx.db.passkey.findUnique({ where: { credentialId } }))
    throw invalidField('response', 'duplicate', 'That passkey is known already.');
  return ctx.db.passkey.create({
    data: {
      id: newId(),
      loginId,
      name,
      credentialId,
      publicKey,
      counter: BigInt(counter),
      transports,
      createdAt: ctx.now(),
    },
  });
});

export const renamePasskey = mutation(
  { ...own, input: PasskeyUpdate },
  async (ctx, { passkey: id, name }) => {
    const loginId = await loginOf(ctx);
    const { count } = await ctx.db.passkey.updateMany({ where: { id, loginId }, data: { name } });
    if (count === 0) throw notFound();
    return ctx.db.passkey.findUniqueOrThrow({ where: { id } });
  },
);

/** Removes one; it signs nobody in from then on. Answers with those that are left. */
export const removePasskey = mutation({ ...own, input: PasskeyPath }, async (ctx, { passkey: id }) => {
  const loginId = await loginOf(ctx);
  const { count } = await ctx.db.passkey.deleteMany({ where: { id, loginId } });
  if (count === 0) throw notFound();
  return passkeysOf(ctx, loginId);
});

function passkeysOf({ db }: Pick<Context, 'db'>, loginId: string) {
  return db.passkey.findMany({ where: { loginId }, orderBy: { id: 'desc' } });
}
