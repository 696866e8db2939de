import type { Services } from '../platform/services.ts';
import { inTenant } from '../platform/tenancy.ts';
import type { ChannelRef, OutboundMessage } from './adapter.ts';

/** Where a mail stands among the others, as its headers tell it. */
export interface Place {
  subject: string;
  /** Message-ID of the mail that it answers. */
  inReplyTo: string | null;
  /** Message-IDs of the thread, oldest first. */
  references: string[];
}

/** Of a long thread the first mail and so many of the newest are named. */
const newest = 19;

interface Mail {
  providerId: string;
  direction: string;
  subject: string | null;
}

/** The place of a message in its thread: it answers what it quotes, else the newest mail. */
export async function placeOf(
  app: Services,
  { companyId, id: channelId }: ChannelRef,
  { id, conversationId, replyTo }: Pick<OutboundMessage, 'id' | 'conversationId' | 'replyTo'>,
  ownSubject: string | undefined,
): Promise<Place> {
  const [mails, company] = await inTenant(companyId, () =>
    Promise.all([
      app.prisma.$queryRaw<Mail[]>`
        SELECT provider_id AS "providerId", direction, extra->>'subject' AS subject FROM messages
        WHERE company_id = ${companyId} AND conversation_id = ${conversationId} AND channel_id = ${channelId}
          AND provider_id LIKE '<%>'
          AND at < (SELECT at FROM messages WHERE company_id = ${companyId} AND id = ${id})
        ORDER BY at DESC LIMIT 200`,
      app.prisma.company.findUniqueOrThrow({ where: { id: companyId }, select: { name: true } }),
    ]),
  );
  const ids = mails.map(({ providerId }) => providerId).reverse();
  const inReplyTo = replyTo !== null && ids.includes(replyTo) ? replyTo : (ids.at(-1) ?? null);
  const references = ids.length > newest + 1 ? [...ids.slice(0, 1), ...ids.slice(-newest)] : ids;
  const theirs = mails.find(({ direction, subject }) => direction === 'inbound' && subject !== null)?.subject;
  const fresh = ownSubject ?? company.name;
  const topic = withoutPrefixes(theirs ?? '') || fresh;
  return { subject: ids.length === 0 ? fresh : `Re: ${topic}`, inReplyTo, references };
}

const prefix = /^(?:re|aw|sv|vs|res|rv|ref|antw|odp|r|回复|答复|回覆)(?:\[\d{1,3}\])?\s?[:：]\s*/iu;

/** A subject without the marks of answers, in the languages whose programs write their own. */
export function withoutPrefixes(subject: string): string {
  let rest = subject.trim();
  for (let match = prefix.exec(rest); match; match = prefix.exec(rest)) rest = rest.slice(match[0].length);
  return rest;
}
