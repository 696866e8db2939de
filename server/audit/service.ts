import { type AuditLog as AuditRow, Prisma } from '../../prisma/generated/client/client.ts';
import { AuditListQuery } from '../../schema/audit.ts';
import { momentOf } from '../../schema/common.ts';
import type { Context } from '../platform/context.ts';
import { query } from '../platform/operation.ts';
import { columns, readPage, type Sort } from '../platform/pagination.ts';

/** An entry with the e-mail of the agent. */
export interface AuditRecord extends Pick<
  AuditRow,
  | 'id'
  | 'at'
  | 'actorType'
  | 'actorName'
  | 'apiKeyId'
  | 'action'
  | 'targetType'
  | 'targetId'
  | 'changed'
  | 'requestId'
  | 'ip'
> {
  email: string | null;
}

const byTime: Sort<AuditRecord> = {
  name: 'at',
  column: 'at',
  type: 'timestamptz',
  direction: 'desc',
  valueOf: (row) => row.at,
};

const fields = Object.fromEntries(
  Object.entries(Prisma.AuditLogScalarFieldEnum).filter(([name]) => !/hash|sequence/i.test(name)),
);

const select = Prisma.sql`SELECT ${columns(fields)}, (SELECT users.email FROM users
    WHERE users.company_id = audit_logs.company_id AND users.id = audit_logs.actor_id) AS email
  FROM audit_logs`;

/** Who changed what, newest first. */
export const listAudit = query(
  { access: 'admin', dashboardOnly: true, input: AuditListQuery },
  (ctx, input) =>
    readPage<AuditRecord>(ctx, {
      list: 'audit',
      select,
      where: filtersOf(ctx, input),
      filters: input,
      sort: byTime,
      limit: input.limit,
      cursor: input.cursor,
    }),
);

function filtersOf(
  ctx: Context,
  { actor, key, action, resource, target, from, to }: AuditListQuery,
): Prisma.Sql[] {
  const filters: Prisma.Sql[] = [];
  if (actor !== undefined)
    filters.push(Prisma.sql`actor_id = (SELECT u.id FROM users u
      WHERE u.company_id = ${ctx.companyId} AND lower(u.email) = lower(${actor}))`);
  if (key !== undefined) filters.push(Prisma.sql`api_key_id = ${key}`);
  if (action !== undefined) filters.push(Prisma.sql`action = ${action}`);
  if (resource !== undefined) filters.push(Prisma.sql`target_type = ${resource}`);
  if (target !== undefined) filters.push(Prisma.sql`target_id = ${target}`);
  if (from !== undefined) filters.push(Prisma.sql`at >= ${new Date(momentOf(from))}`);
  if (to !== undefined) filters.push(Prisma.sql`at < ${new Date(momentOf(to))}`);
  return filters;
}
