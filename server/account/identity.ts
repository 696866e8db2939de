import { prismaAdapter } from 'better-auth/adapters/prisma';
import { APIError, betterAuth, type BetterAuthPlugin } from 'better-auth';
import { createAuthEndpoint } from 'better-auth/api';
import { setSessionCookie } from 'better-auth/cookies';
import { twoFactor } from 'better-auth/plugins/two-factor';
import { z } from 'zod';
import { passwordMaxLength, passwordProblem } from '../../schema/passwords.ts';
import { mailJob } from '../platform/mail.ts';
import { newId } from '../platform/ids.ts';
import type { Services } from '../platform/services.ts';
import { sessionLimits } from '../platform/sessions.ts';
import { hashPassword, verifyPassword } from './password.ts';

const recoveryHours = 1;

/** Passwords, second factors and sessions: better-auth over our tables. */
export type Identity = ReturnType<typeof createIdentity>;

/**
 * better-auth, called step by step (`server/account/sign-in.ts`) and never mounted: none of its routes can be reached.
 * What guards ours (origin, budgets, cookies' names) is done before it is called.
 */
export function createIdentity(app: Services) {
  const { sessions } = app;
  return betterAuth({
    appName: 'Parlour',
    baseURL: app.publicUrl(),
    secret: sessions.secret,
    telemetry: { enabled: false },
    logger: {
      log: (level, message, ...rest) => app.log[level === 'error' ? 'error' : 'debug']({ rest }, message),
    },
    database: prismaAdapter(withoutUndefined(app.prisma), { provider: 'postgresql' }),
    user: { modelName: 'login' },
    account: { accountLinking: { enabled: false } },
    // The keys of half-finished steps are not readable in a dump.
    verification: { storeIdentifier: 'hashed' },
    session: { expiresIn: sessionLimits.absolute / 1000, disableSessionRefresh: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      // Ours counts characters, and asks when a password is chosen.
      minPasswordLength: 1,
      maxPasswordLength: passwordMaxLength * 2,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: recoveryHours * 3600,
      password: {
        // An unknown e-mail costs a hash as well, of whatever was typed.
        hash: (password) => hashPassword(passwordProblem(password) ? 'a stand-in' : password),
        verify: ({ hash, password }) => verifyPassword(password, hash),
      },
      sendResetPassword: ({ user, token }) => sendRecovery(app, user, token),
    },
    plugins: [
      twoFactor({
        issuer: 'Parlour',
        accountLockout: { maxFailedAttempts: app.config.rateLimit.signInAttempts, durationSeconds: 900 },
      }),
      passkeySession,
    ],
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            if (!(await isActive(app, userId))) throw new APIError('UNAUTHORIZED');
          },
        },
      },
    },
    advanced: {
      cookiePrefix: sessions.cookiePrefix,
      // The prefix says so already; better-auth would put its own in front.
      useSecureCookies: false,
      defaultCookieAttributes: { secure: sessions.secure, httpOnly: true, sameSite: 'lax', path: '/' },
      database: { generateId: () => newId() },
      ipAddress: { ipAddressHeaders: ['x-client-address'] },
    },
  });
}

/** The session of somebody whose passkey we have checked ourselves; its key asked for the person, so no code is due. */
const passkeySession = {
  id: 'passkey-session',
  endpoints: {
    openPasskeySession: createAuthEndpoint(
      '/passkey-session',
      { method: 'POST', body: z.object({ loginId: z.string() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context;
        const user = await internalAdapter.findUserById(ctx.body.loginId);
        if (!user) throw new APIError('UNAUTHORIZED');
        const session = await internalAdapter.createSession(user.id);
        await setSessionCookie(ctx, { session, user });
        return ctx.json({ signed_in: true });
      },
    ),
  },
} satisfies BetterAuthPlugin;

/** Only agents of an open company who were not deactivated sign in. */
async function isActive({ prisma }: Pick<Services, 'prisma'>, loginId: string): Promise<boolean> {
  const rows = await prisma.$queryRaw<unknown[]>`
    SELECT u.id FROM users u JOIN companies c ON c.id = u.company_id
    WHERE u.login_id = ${loginId} AND u.deactivated_at IS NULL AND c.closed_at IS NULL`;
  return rows.length > 0;
}

async function sendRecovery(
  app: Services,
  { id, email, name }: { id: string; email: string; name: string },
  token: string,
): Promise<void> {
  if (!(await isActive(app, id))) return;
  const text = [
    `Hello ${name},`,
    '',
    'choose a new password here:',
    `${app.publicUrl()}/recovery#${token}`,
    '',
    `The link works once, for ${recoveryHours} hour. If you did not ask for it, ignore this mail.`,
  ].join('\n');
  await app.jobs.enqueue('mail.send', mailJob(app, { to: email, subject: 'Your new password', text }));
}

/** The adapter passes `select: undefined`, which our client takes for a mistake. */
function withoutUndefined<T extends object>(client: T): T {
  const called =
    (method: (...args: unknown[]) => unknown, self: object) =>
    (...args: unknown[]) =>
      method.apply(self, args.map(strip));
  return new Proxy(client, {
    get(target, name) {
      const model: unknown = Reflect.get(target, name);
      if (typeof model !== 'object' || model === null || typeof name !== 'string' || /^[$_]/.test(name))
        return model;
      return new Proxy(model, {
        get(methods, method) {
          const value: unknown = Reflect.get(methods, method);
          return typeof value === 'function'
            ? called(value as (...args: unknown[]) => unknown, methods)
            : value;
        },
      });
    },
  });
}

function strip(argument: unknown): unknown {
  if (typeof argument !== 'object' || argument === null) return argument;
  return Object.fromEntries(Object.entries(argument).filter(([, value]) => value !== undefined));
}
