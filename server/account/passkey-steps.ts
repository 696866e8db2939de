import { PasskeySignIn } from '../../schema/passkeys.ts';
import { Nothing, PasswordAgain } from '../../schema/sign-in.ts';
import { AppError } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import { type SignInStep, signInStep } from '../platform/sign-in-step.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import type { Identity } from './identity.ts';
import { additionTo } from './passkeys.ts';
import { makeChallenge, relyingParty, spendChallenge } from './relying-party.ts';
import { passwordIsWrong, requireOk, whose } from './sign-in.ts';

const signingIn = 'sign in';

/** Signing in with a passkey, and what a new one is made from. Adding it is `account.addPasskey`. */
export function passkeySteps(app: Services, identity: () => Promise<Identity>): SignInStep[] {
  return [
    signInStep({
      path: '/passkey/options',
      input: Nothing,
      async run() {
        const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
        const options = await generateAuthenticationOptions({
          rpID: partyOf(app).id,
          challenge: new Uint8Array(makeChallenge(app, signingIn)),
          // The authenticator knows whom it has keys for: nobody has to tell us an e-mail first.
          allowCredentials: [],
          userVerification: 'required',
        });
        return { data: options };
      },
    }),
    signInStep({
      path: '/passkey',
      input: PasskeySignIn,
      guesses: () => null,
      async run({ headers }, { response }) {
        const refused = new AppError('unauthenticated', 'That passkey does not sign in here.');
        const loginId = await loginThatSigned(app, response);
        if (loginId === null) throw refused;
        const { api } = await identity();
        const answer = await api.openPasskeySession({ body: { loginId }, headers, asResponse: true });
        await requireOk(answer, refused);
        return { data: { signed_in: true }, cookies: answer.headers.getSetCookie() };
      },
    }),
    signInStep({
      path: '/passkey/new',
      input: PasswordAgain,
      session: true,
      guesses: whose,
      async run({ headers, principal }, { password }) {
        const answer = await (
          await identity()
        ).api.verifyPassword({ body: { password }, headers, asResponse: true });
        await requireOk(answer, passwordIsWrong('password'));
        const party = partyOf(app);
        const login = await acrossTenants(() =>
          app.prisma.login.findFirstOrThrow({
            where: { user: { id: principal?.id ?? '' } },
            include: { passkeys: true },
          }),
        );
        const { generateRegistrationOptions } = await import('@simplewebauthn/server');
        const options = await generateRegistrationOptions({
          rpName: 'Parlour',
          rpID: party.id,
          userID: new Uint8Array(Buffer.from(login.id)),
          userName: login.email,
          userDisplayName: login.name,
          challenge: new Uint8Array(makeChallenge(app, additionTo(login.id))),
          excludeCredentials: login.passkeys.map(({ credentialId: id, transports }) => ({ id, transports })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        });
        return { data: options };
      },
    }),
  ];
}

/** The login whose passkey has signed; null for anything that is not in order. */
async function loginThatSigned(
  app: Services,
  { response: signed, ...rest }: PasskeySignIn['response'],
): Promise<string | null> {
  const { id: credentialId } = rest;
  const passkey = await app.prisma.passkey.findUnique({ where: { credentialId } });
  if (!passkey) return null;
  const party = partyOf(app);
  const { userHandle, ...response } = signed;
  if (userHandle && Buffer.from(userHandle, 'base64url').toString() !== passkey.loginId) return null;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const checked = await verifyAuthenticationResponse({
    response: { ...rest, rawId: credentialId, response },
    expectedChallenge: (challenge) => spendChallenge(app, app.prisma, signingIn, challenge),
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id: credentialId, publicKey: passkey.publicKey, counter: Number(passkey.counter) },
    requireUserVerification: true,
  }).catch(() => null);
  if (!checked?.verified) return null;
  // Of two that show the same count only one is the authenticator.
  const { count } = await app.prisma.passkey.updateMany({
    where: { id: passkey.id, counter: passkey.counter },
    data: { counter: BigInt(checked.authenticationInfo.newCounter), lastUsedAt: app.clock.now() },
  });
  return count === 1 ? passkey.loginId : null;
}

function partyOf(app: Services) {
  const party = relyingParty(app);
  if (!party) throw new AppError('conflict', 'Passkeys need a PUBLIC_URL with a name and https.');
  return party;
}
