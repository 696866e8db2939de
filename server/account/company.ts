import { z } from 'zod';
import { type Company as CompanyRow, Prisma } from '../../prisma/generated/client/client.ts';
import { CompanyUpdate } from '../../schema/company.ts';
import { announceAccessChange } from '../platform/access.ts';
import type { Context } from '../platform/context.ts';
import { conflict } from '../platform/errors.ts';
import { mutation, query } from '../platform/operation.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import { askForAssignment } from './auto-assign.ts';
import { hoursOf } from './business-hours.ts';

/** The settings of the company acted on. */
export function companyOf(ctx: Context): Promise<CompanyRow> {
  return ctx.db.company.findUniqueOrThrow({ where: { id: ctx.companyId } });
}

/** Whoever works in the inbox or the calendar may see when the company is open. */
export const showCompany = query(
  { access: ['inbox.access', 'calendar.view'], dashboardOnly: true, input: z.object({}) },
  companyOf,
);

/** @throws AppError `conflict` when `version` is given and the settings have changed since */
export const updateCompany = mutation(
  { access: 'admin', input: CompanyUpdate },
  async (ctx, { version, ...input }) => {
    await ctx.db.$queryRaw`SELECT 1 FROM companies WHERE id = ${ctx.companyId} FOR NO KEY UPDATE`;
    const before = await companyOf(ctx);
    if (version !== undefined && version !== before.version)
      throw conflict('The settings have been changed meanwhile; load them again.');
    const data = changesOf(before, input);
    if (Object.keys(data).length === 0) return before;
    const after = await ctx.db.company.update({
      where: { id: before.id },
      data: { ...data, version: { increment: 1 }, updatedAt: ctx.now() },
    });
    await mirror(ctx, after);
    announceAccessChange(ctx);
    if (after.autoAssign && !before.autoAssign) await askForAssignment(ctx);
    return after;
  },
);

/** Only what differs: nothing to change is no new version. */
function changesOf(before: CompanyRow, input: Omit<CompanyUpdate, 'version'>): Prisma.CompanyUpdateInput {
  const { business_hours: hours } = input;
  const plain = {
    name: input.name,
    timezone: input.timezone,
    currency: input.currency,
    locale: input.locale,
    undoSendSeconds: input.undo_send_seconds,
    awayMessage: input.away_message,
    autoAssign: input.auto_assign,
    ratingRequest: input.rating_request,
    ratingMessage: input.rating_message,
    autoCloseDays: input.auto_close_days,
    retentionDays: input.retention_days,
  };
  const changed = Object.entries(plain).filter(
    ([field, value]) => value !== undefined && value !== Reflect.get(before, field),
  );
  // Both were read by one schema, so their fields are in one order.
  const sameHours = JSON.stringify(hours) === JSON.stringify(hoursOf(before.businessHours));
  return {
    ...Object.fromEntries(changed),
    ...(hours === undefined || sameHours ? {} : { businessHours: hours ?? Prisma.DbNull }),
  };
}

/** The sandbox shows the same company; what the house does by itself stays off there. */
async function mirror(ctx: WorkContext, { id, name, timezone, currency, locale }: CompanyRow): Promise<void> {
  await ctx.db.company.updateMany({
    where: { sandboxOf: id },
    data: { name, timezone, currency, locale, updatedAt: ctx.now() },
  });
}
