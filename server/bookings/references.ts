import type { BookingCreate } from '../../schema/bookings.ts';
import { invalidField } from '../platform/errors.ts';
import type { Context } from '../platform/context.ts';
import type { WorkContext } from '../platform/unit-of-work.ts';
import type { BookingRow } from './rows.ts';

interface Agent {
  id: string;
  email: string;
  name: string;
}

/** The agent with this e-mail, in either case. @throws AppError 422 unknown_id, deactivated agents included */
export async function requireAgent(ctx: Context, agentEmail: string): Promise<Agent> {
  const [agent] = await ctx.db.$queryRaw<Agent[]>`
    SELECT id, email, display_name AS name FROM users
    WHERE company_id = ${ctx.companyId} AND lower(email) = lower(${agentEmail}) AND deactivated_at IS NULL`;
  if (!agent) throw invalidField('agent_email', 'unknown_id', 'There is no such agent.');
  return agent;
}

interface Wanted {
  contact?: string | null | undefined;
  conversation?: string | null | undefined;
}

/** The contact to show; also checks the conversation. @throws AppError 422 with the field that names no record */
export async function requireLinks(
  ctx: WorkContext,
  { contact, conversation }: Wanted,
): Promise<BookingRow['contact']> {
  if (!contact && !conversation) return null;
  const [found] = await ctx.db.$queryRaw<{ contact: BookingRow['contact']; conversation: string | null }[]>`
    SELECT
      (SELECT json_build_object('id', id, 'name', name, 'phone', phone, 'email', email, 'deleted', false) FROM contacts
        WHERE company_id = ${ctx.companyId} AND id = ${contact ?? null} AND deleted_at IS NULL) AS contact,
      (SELECT id FROM conversations
        WHERE company_id = ${ctx.companyId} AND id = ${conversation ?? null}) AS conversation`;
  if (contact && !found?.contact) throw invalidField('contact', 'unknown_id', 'There is no such contact.');
  if (conversation && !found?.conversation)
    throw invalidField('conversation', 'unknown_id', 'There is no such conversation.');
  return found?.contact ?? null;
}

/**
 * Changes of one agent's bookings follow each other. The exclusion constraint is what keeps slots apart;
 * without this, two inserts could each wait for the other until the deadlock detector wakes.
 */
export async function lockCalendar(ctx: WorkContext, ...agentIds: string[]): Promise<void> {
  for (const agentId of [...new Set(agentIds)].sort()) {
    await ctx.db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`bookings:${agentId}`}, 0))`;
  }
}

/** Only the fields of an attendee. */
export function attendeeOf({ name, email, phone }: NonNullable<BookingCreate['attendee']>) {
  return { name: name ?? null, email: email ?? null, phone: phone ?? null };
}
