import type { Prisma } from '../../prisma/generated/client/client.ts';
import type { ViewResource } from '../../schema/views.ts';
import type { Context } from '../platform/context.ts';

/** What the public record shows of the user who saved it. */
export const withOwner = { owner: { select: { displayName: true, email: true } } } as const;

type Row = Prisma.SavedViewGetPayload<{ include: typeof withOwner }>;

/** A saved view, and whether the signed-in user may change it. */
export type SavedViewRecord = Omit<Row, 'resource'> & { resource: ViewResource; editable: boolean };

/** Admins and the Owner share views and keep those that are shared. */
export function keepsShared({ principal }: Pick<Context, 'principal'>): boolean {
  return principal.role === 'owner' || principal.role === 'admin';
}

/** Own views, and shared ones for whoever keeps them. */
export function recordOf(ctx: Context, row: Row): SavedViewRecord {
  const own = row.ownerId === ctx.principal.user?.id;
  return {
    ...row,
    // The database allows only these words.
    resource: row.resource as ViewResource,
    editable: own || (row.shared && keepsShared(ctx)),
  };
}
