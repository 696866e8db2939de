import {
  Nothing,
  PasswordAgain,
  PasswordChange,
  Recovery,
  RecoveryRequest,
  SecondFactor,
  SetUp,
  SignIn,
  type SignInState,
} from '../../schema/sign-in.ts';
import { readDemoFile } from '../demo/file.ts';
import type { Principal } from '../platform/context.ts';
import { AppError, conflict, invalidField } from '../platform/errors.ts';
import type { Services } from '../platform/services.ts';
import { type SignInAnswer, type SignInCall, type SignInStep, signInStep } from '../platform/sign-in-step.ts';
import { acrossTenants } from '../platform/tenancy.ts';
import { createCompany } from './companies.ts';
import type { Identity } from './identity.ts';
import { relyingParty } from './relying-party.ts';

/** Made, and its library loaded, at the first use: only then do we know where we are reached. */
export function lazyIdentity(app: Services): () => Promise<Identity> {
  let identity: Promise<Identity> | undefined;
  return () => (identity ??= import('./identity.ts').then(({ createIdentity }) => createIdentity(app)));
}

/** What the sign-in page offers. */
export async function signInState(app: Services): Promise<SignInState> {
  const demo = app.config.demo ? readDemoFile(app.config) : null;
  return {
    set_up: !(await hasCompany(app)),
    mail: app.config.smtpUrl !== undefined,
    passkeys: relyingParty(app)?.id ?? null,
    demo: demo?.complete ? demo.logins : [],
  };
}

const wrong = 'The e-mail or the password is wrong.';

/** Everything that `/auth` does, but for invitations. Errors never tell whether an account exists. */
export function signInSteps(app: Services, identity: () => Promise<Identity>): SignInStep[] {
  return [
    signInStep({
      path: '/sign-in',
      input: SignIn,
      guesses: ({ email }) => email,
      run: async (call, input) => signIn(await identity(), call, input),
    }),
    signInStep({
      path: '/second-factor',
      input: SecondFactor,
      // better-auth counts them for the challenge and for the account.
      guesses: () => null,
      async run({ headers }, { code }) {
        const digits = code.replaceAll(/\s/g, '');
        const { api } = await identity();
        const answer = /^\d{6}$/.test(digits)
          ? await api.verifyTOTP({ body: { code: digits }, headers, asResponse: true })
          : await api.verifyBackupCode({ body: { code: code.trim() }, headers, asResponse: true });
        await requireOk(answer, new AppError('unauthenticated', 'The code is wrong or too old.'));
        return { data: { signed_in: true }, cookies: answer.headers.getSetCookie() };
      },
    }),
    signInStep({
      path: '/sign-out',
      input: Nothing,
      async run({ headers }) {
        const answer = await (await identity()).api.signOut({ headers, asResponse: true });
        return { data: { signed_in: false }, cookies: answer.headers.getSetCookie() };
      },
    }),
    signInStep({
      path: '/set-up',
      input: SetUp,
      async run(call, { company, name, email, password, timezone, currency }) {
        if (await hasCompany(app)) throw conflict('This installation has an Owner already.');
        await createCompany(
          app,
          { name: company, ownerName: name, ownerEmail: email, ownerPassword: password, timezone, currency },
          { onlyFirst: true },
        );
        return signIn(await identity(), call, { email, password });
      },
    }),
    signInStep({
      path: '/recovery/request',
      input: RecoveryRequest,
      guesses: ({ email }) => email,
      forgiving: false,
      async run({ headers }, { email }) {
        // Not waited for: how long it takes would tell whether the account exists.
        identity()
          .then(({ api }) => api.requestPasswordReset({ body: { email: email.toLowerCase() }, headers }))
          .catch((error: unknown) => app.log.error({ err: error }, 'recovery failed'));
        return { data: { requested: true } };
      },
    }),
    signInStep({
      path: '/recovery',
      input: Recovery,
      guesses: () => null,
      async run({ headers }, { token, password }) {
        const body = { token, newPassword: password };
        const answer = await (await identity()).api.resetPassword({ body, headers, asResponse: true });
        await requireOk(answer, invalidField('token', 'not_allowed', 'The link was used or is too old.'));
        return { data: { changed: true } };
      },
    }),
    signInStep({
      path: '/graphql-key',
      input: Nothing,
      session: true,
      async run({ principal }) {
        if (principal?.session === undefined) throw new AppError('unauthenticated', 'Sign in first.');
        const key = app.sessions.graphqlKey(principal.session, principal.livemode ? 'live' : 'test');
        return { data: { key } };
      },
    }),
    ...ownSteps(identity),
  ];
}

/** Whose password is guessed at where somebody is signed in. */
export const whose = (_input: unknown, principal: Principal | null) =>
  principal?.account.id + (principal?.id ?? '');

/** The password that was asked for again is not theirs. */
export const passwordIsWrong = (param: string) =>
  invalidField(param, 'not_allowed', 'The password is wrong.');

/** What is done to one's own login; each asks for the password again. */
function ownSteps(identity: () => Promise<Identity>): SignInStep[] {
  return [
    signInStep({
      path: '/password',
      input: PasswordChange,
      session: true,
      guesses: whose,
      async run({ headers }, { current_password: currentPassword, password: newPassword }) {
        const body = { currentPassword, newPassword, revokeOtherSessions: true };
        const answer = await (await identity()).api.changePassword({ body, headers, asResponse: true });
        await requireOk(answer, passwordIsWrong('current_password'));
        return { data: { changed: true }, cookies: answer.headers.getSetCookie() };
      },
    }),
    signInStep({
      path: '/two-factor/enable',
      input: PasswordAgain,
      session: true,
      guesses: whose,
      async run({ headers }, { password }) {
        const answer = await (
          await identity()
        ).api.enableTwoFactor({
          body: { password },
          headers,
          asResponse: true,
        });
        const body = (await requireOk(answer, passwordIsWrong('password'))) as Record<string, unknown>;
        return { data: { uri: body['totpURI'], recovery_codes: body['backupCodes'] } };
      },
    }),
    signInStep({
      path: '/two-factor/confirm',
      input: SecondFactor,
      session: true,
      guesses: whose,
      async run({ headers }, { code }) {
        const body = { code: code.replaceAll(/\s/g, '') };
        const answer = await (await identity()).api.verifyTOTP({ body, headers, asResponse: true });
        await requireOk(answer, invalidField('code', 'not_allowed', 'The code is wrong or too old.'));
        return { data: { enabled: true }, cookies: answer.headers.getSetCookie() };
      },
    }),
    signInStep({
      path: '/two-factor/disable',
      input: PasswordAgain,
      session: true,
      guesses: whose,
      async run({ headers }, { password }) {
        const answer = await (
          await identity()
        ).api.disableTwoFactor({
          body: { password },
          headers,
          asResponse: true,
        });
        await requireOk(answer, passwordIsWrong('password'));
        return { data: { enabled: false }, cookies: answer.headers.getSetCookie() };
      },
    }),
    signInStep({
      path: '/two-factor/recovery-codes',
      input: PasswordAgain,
      session: true,
      guesses: whose,
      async run({ headers }, { password }) {
        const answer = await (
          await identity()
        ).api.generateBackupCodes({
          body: { password },
          headers,
          asResponse: true,
        });
        const body = (await requireOk(answer, passwordIsWrong('password'))) as Record<string, unknown>;
        return { data: { recovery_codes: body['backupCodes'] } };
      },
    }),
  ];
}

/** Signs in; with a second factor the answer says so, and its cookie is good for that step alone. */
export async function signIn(
  identity: Identity,
  { headers }: SignInCall,
  { email, password }: { email: string; password: string },
): Promise<SignInAnswer> {
  const body = { email: email.trim().toLowerCase(), password };
  const answer = await identity.api.signInEmail({ body, headers, asResponse: true });
  const told = await requireOk(answer, new AppError('unauthenticated', wrong));
  const second = typeof told === 'object' && told !== null && 'twoFactorRedirect' in told;
  return {
    data: second ? { signed_in: false, second_factor: true } : { signed_in: true },
    cookies: answer.headers.getSetCookie(),
  };
}

/** The body of a success of better-auth; `refusal` for what the caller got wrong. */
export async function requireOk(answer: Response, refusal: AppError): Promise<unknown> {
  if (answer.ok) return answer.json();
  if (answer.status === 429)
    throw new AppError('rate_limited', 'Too many tries. Wait a while, then try again.', { retryAfter: 900 });
  if (answer.status >= 500) throw new Error(`better-auth answered ${answer.status}.`);
  throw refusal;
}

function hasCompany({ prisma }: Pick<Services, 'prisma'>): Promise<boolean> {
  return acrossTenants(async () => (await prisma.company.findFirst({ select: { id: true } })) !== null);
}
