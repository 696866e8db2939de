import { Prisma } from '../../prisma/generated/client/client.ts';
import type { Metric } from '../../schema/reports.ts';
import type { Context } from '../platform/context.ts';
import type { Range } from './period.ts';

/**
 * The one definition of each metric: a query of its cases in a range, `(conversation_id, at, value, who, about)`. `at`
 * places a case in time; `value` is what is measured, null for what is only counted; `who` is the e-mail of the agent
 * it is put down to; `about` the campaign. `schema/reports.ts` says the same in words.
 */
export function casesOf(ctx: Context, metric: Metric, range: Range): Prisma.Sql {
  return definitions[metric](ctx, range);
}

type Definition = (ctx: Context, range: Range) => Prisma.Sql;

const counted = Prisma.sql`NULL::float8 AS value`;
const nobody = Prisma.sql`NULL::text AS who`;
const nothing = Prisma.sql`NULL::text AS about`;

const definitions: Record<Metric, Definition> = {
  opened: (ctx, range) => Prisma.sql`
    SELECT c.id AS conversation_id, c.created_at AS at, ${counted}, ${nobody}, ${nothing} FROM conversations c
    WHERE c.company_id = ${ctx.companyId} AND ${within('c.created_at', range)} AND c.last_inbound_at IS NOT NULL`,

  received: (ctx, range) => Prisma.sql`
    SELECT m.conversation_id, m.at, ${counted}, ${nobody}, ${nothing} FROM messages m
    WHERE m.company_id = ${ctx.companyId} AND ${within('m.at', range)} AND m.direction = 'inbound'`,

  sent: (ctx, range) => Prisma.sql`
    SELECT m.conversation_id, m.at, ${counted}, lower(m.author_email) AS who, ${nothing} FROM messages m
    WHERE m.company_id = ${ctx.companyId} AND ${within('m.at', range)} AND ${isAnswer}`,

  closed: (ctx, range) => Prisma.sql`
    SELECT e.conversation_id, e.at, ${counted}, lower(e.author_email) AS who, ${nothing} FROM timeline_events e
    WHERE e.company_id = ${ctx.companyId} AND e.type = 'conversation.closed' AND ${within('e.at', range)}`,

  first_response: (ctx, range) => Prisma.sql`
    SELECT c.id AS conversation_id, c.created_at AS at,
      extract(epoch FROM c.first_response_at - asked.at)::float8 AS value, answer.who, ${nothing}
    FROM conversations c
    CROSS JOIN LATERAL (SELECT m.at FROM messages m
      WHERE m.company_id = ${ctx.companyId} AND m.conversation_id = c.id AND m.direction = 'inbound'
      ORDER BY m.at LIMIT 1) AS asked
    LEFT JOIN LATERAL (SELECT lower(m.author_email) AS who FROM messages m
      WHERE m.company_id = ${ctx.companyId} AND m.conversation_id = c.id AND m.at > asked.at AND ${isAnswer}
      ORDER BY m.at LIMIT 1) AS answer ON true
    WHERE c.company_id = ${ctx.companyId} AND ${within('c.created_at', range)}
      AND c.first_response_at >= asked.at`,

  resolution: (ctx, range) => Prisma.sql`
    SELECT e.conversation_id, e.at, extract(epoch FROM e.at - coalesce(begun.at, c.created_at))::float8 AS value,
      lower(e.author_email) AS who, ${nothing}
    FROM timeline_events e
    JOIN conversations c ON c.company_id = e.company_id AND c.id = e.conversation_id
    LEFT JOIN LATERAL (SELECT b.at FROM timeline_events b
      WHERE b.company_id = ${ctx.companyId} AND b.conversation_id = e.conversation_id
        AND b.at < e.at AND b.type = 'conversation.closed'
      ORDER BY b.at DESC LIMIT 1) AS closed ON true
    LEFT JOIN LATERAL (SELECT b.at FROM timeline_events b
      WHERE b.company_id = ${ctx.companyId} AND b.conversation_id = e.conversation_id
        AND b.at > closed.at AND b.at < e.at AND b.type IN ('conversation.reopened', 'conversation.transferred')
      ORDER BY b.at LIMIT 1) AS begun ON true
    WHERE e.company_id = ${ctx.companyId} AND e.type = 'conversation.closed' AND ${within('e.at', range)}`,

  rating: (ctx, range) => Prisma.sql`
    SELECT c.id AS conversation_id, c.rated_at AS at, c.rating::float8 AS value,
      (SELECT lower(u.email) FROM users u WHERE u.company_id = c.company_id AND u.id = c.assignee_id) AS who, ${nothing}
    FROM conversations c
    WHERE c.company_id = ${ctx.companyId} AND ${within('c.rated_at', range)} AND c.rating IS NOT NULL`,

  campaign_orders: (ctx, range) => Prisma.sql`
    SELECT o.conversation_id, o.created_at AS at,
      CASE WHEN o.currency = ${ctx.principal.company.currency} THEN o.total::float8 ELSE 0 END AS value,
      ${nobody}, o.campaign_id AS about
    FROM orders o
    WHERE o.company_id = ${ctx.companyId} AND o.campaign_id IS NOT NULL AND ${within('o.created_at', range)}
      AND o.status NOT IN ('cancelled', 'returned')`,
};

/** Said to the customer by somebody, or by AI in their place; broadcasts and what the house says are no answers. */
const isAnswer = Prisma.sql`m.direction = 'outbound' AND m.author_type IN ('agent', 'api', 'ai')
  AND m.status NOT IN ('held', 'cancelled')`;

function within(column: string, { from, to }: Range): Prisma.Sql {
  const at = Prisma.raw(column);
  return Prisma.sql`${at} >= ${from} AND ${at} < ${to}`;
}
