import { z } from 'zod';
import { ProfileUpdate } from '../../schema/agents.ts';
import type { Context } from '../platform/context.ts';
import { forbidden, invalidField } from '../platform/errors.ts';
import { sessionLimits } from '../platform/sessions.ts';
import { mutation, query } from '../platform/operation.ts';
import { asHouse } from '../platform/wall.ts';
import { canonicalZone } from '../../schema/company.ts';

const own = { access: 'any', dashboardOnly: true } as const;

/** The agent who is signed in, with what the dashboard needs to know at its start. */
export const showProfile = query({ ...own, input: z.object({}) }, (ctx) => profileOf(ctx));

export const updateProfile = mutation(
  { ...own, input: ProfileUpdate, liveOnly: true },
  async (ctx, { name, locale, timezone, availability, preferences }) => {
    const { user } = await profileOf(ctx);
    const zone = typeof timezone === 'string' ? canonicalZone(timezone) : timezone;
    if (typeof timezone === 'string' && zone === undefined)
      throw invalidField('timezone', 'format', 'Must be an IANA time zone such as Europe/Lisbon.');
    if (typeof locale === 'string' && !isLocale(locale))
      throw invalidField('locale', 'format', 'Must be a language tag such as pt-BR.');
    const data = {
      ...(name === undefined ? {} : { displayName: name }),
      ...(locale === undefined ? {} : { locale }),
      ...(zone === undefined ? {} : { timezone: zone }),
      ...(availability === undefined ? {} : { availability }),
      ...(preferences === undefined ? {} : { preferences: merged(user.preferences, preferences) }),
      updatedAt: ctx.now(),
    };
    const { companyId } = ctx;
    await ctx.db.user.update({ where: { companyId_id: { companyId, id: user.id } }, data });
    // The mirror in the sandbox goes by the same name.
    if (name !== undefined)
      await asHouse(ctx, () =>
        ctx.db.user.updateMany({ where: { mirrorOf: user.id }, data: { displayName: name } }),
      );
    return profileOf(ctx);
  },
);

async function profileOf(ctx: Context) {
  const { principal } = ctx;
  const id = principal.kind === 'user' ? principal.id : null;
  // The agent is of the live company, in test mode too.
  const user = await asHouse(ctx, () =>
    ctx.db.user.findFirst({
      where: { id: id ?? '', companyId: principal.account.id },
      include: { role: true, login: { select: { twoFactorEnabled: true } } },
    }),
  );
  if (!user) throw forbidden('Only agents who sign in have a profile.');
  const session =
    principal.kind === 'user' && principal.session !== undefined
      ? await ctx.db.session.findUnique({
          where: { id: principal.session },
          select: { expiresAt: true, createdAt: true },
        })
      : null;
  return { user, principal, session: session && sessionEnd(session, ctx.now()) };
}

/** Both ends of a session, in seconds from now. */
function sessionEnd({ expiresAt, createdAt }: { expiresAt: Date; createdAt: Date }, now: Date) {
  const end = Math.min(expiresAt.getTime(), createdAt.getTime() + sessionLimits.absolute);
  return {
    idleSeconds: sessionLimits.idle / 1000,
    endsIn: Math.max(0, Math.floor((end - now.getTime()) / 1000)),
  };
}

type Json = z.infer<ReturnType<typeof z.json>>;

function merged(before: unknown, given: Record<string, Json>): Record<string, NonNullable<Json>> {
  const known = typeof before === 'object' && before !== null ? before : {};
  return Object.fromEntries(
    Object.entries({ ...known, ...given }).filter(
      (entry): entry is [string, NonNullable<Json>] => entry[1] !== null,
    ),
  );
}

function isLocale(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}
