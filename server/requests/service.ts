import { Prisma, type RequestLog as RequestRow } from '../../prisma/generated/client/client.ts';
import { momentOf } from '../../schema/common.ts';
import { RequestListQuery } from '../../schema/requests.ts';
import { query } from '../platform/operation.ts';
import { columns, newestFirst, readPage } from '../platform/pagination.ts';

/** A request with the name of the key or agent that sent it. */
export interface RequestRecord extends RequestRow {
  keyName: string | null;
  userName: string | null;
}

const select = Prisma.sql`SELECT ${columns(Prisma.RequestLogScalarFieldEnum)},
    (SELECT name FROM api_keys k WHERE k.company_id = request_logs.company_id AND k.id = api_key_id) AS "keyName",
    (SELECT display_name FROM users u WHERE u.company_id = request_logs.company_id AND u.id = user_id) AS "userName"
  FROM request_logs`;

/** What the company's keys asked for, and what failed in its dashboard, newest first. */
export const listRequests = query(
  { access: 'admin', dashboardOnly: true, liveOnly: true, input: RequestListQuery },
  (ctx, input) =>
    readPage<RequestRecord>(ctx, {
      list: 'requests',
      select,
      where: filtersOf(input),
      filters: input,
      sort: newestFirst,
      limit: input.limit,
      cursor: input.cursor,
    }),
);

function filtersOf(input: RequestListQuery): Prisma.Sql[] {
  const { request, key, failed, status, code, method, surface, livemode, path, from, to } = input;
  const filters: Prisma.Sql[] = [];
  if (request !== undefined) filters.push(Prisma.sql`id = ${request}`);
  if (key !== undefined) filters.push(Prisma.sql`api_key_id = ${key}`);
  if (failed === true) filters.push(Prisma.sql`(code IS NOT NULL OR status >= 400)`);
  if (failed === false) filters.push(Prisma.sql`(code IS NULL AND status < 400)`);
  if (status !== undefined) {
    const first = Number(status[0]) * 100;
    filters.push(Prisma.sql`status BETWEEN ${first} AND ${first + 99}`);
  }
  if (code !== undefined) filters.push(Prisma.sql`code = ${code}`);
  if (method !== undefined) filters.push(Prisma.sql`method = ${method}`);
  if (surface !== undefined) filters.push(Prisma.sql`surface = ${surface}`);
  if (livemode !== undefined) filters.push(Prisma.sql`livemode = ${livemode}`);
  if (path !== undefined)
    filters.push(Prisma.sql`(strpos(lower(path), lower(${path})) > 0
      OR strpos(lower(operation), lower(${path})) > 0)`);
  if (from !== undefined) filters.push(Prisma.sql`created_at >= ${new Date(momentOf(from))}`);
  if (to !== undefined) filters.push(Prisma.sql`created_at < ${new Date(momentOf(to))}`);
  return filters;
}
