import type { Company as CompanyRow } from '../../prisma/generated/client/client.ts';
import type { AgentRecord } from '../../schema/availability.ts';
import type { Company, Opening } from '../../schema/company.ts';
import type { z } from 'zod';
import type { AgentRow } from './availability.ts';
import { hoursOf, openingAt } from './business-hours.ts';

export function presentCompany(row: CompanyRow, now: Date): Company {
  return {
    id: row.id,
    name: row.name,
    timezone: row.timezone,
    currency: row.currency,
    locale: row.locale,
    undo_send_seconds: row.undoSendSeconds,
    business_hours: hoursOf(row.businessHours),
    opening: presentOpening(row, now),
    away_message: row.awayMessage,
    auto_assign: row.autoAssign,
    rating_request: row.ratingRequest,
    rating_message: row.ratingMessage,
    auto_close_days: row.autoCloseDays,
    retention_days: row.retentionDays,
    version: row.version,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
}

export function presentOpening(row: CompanyRow, now: Date): z.infer<typeof Opening> {
  const { open, until } = openingAt(row, now);
  const at = until?.toISOString() ?? null;
  return { open, opens_at: open ? null : at, closes_at: open ? at : null };
}

export function presentAgent({ openConversations, ...agent }: AgentRow): AgentRecord {
  return { ...agent, open_conversations: openConversations };
}
