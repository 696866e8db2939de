import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { replyWindowOf } from '../conversations/reply-window.ts';
import { variablesIn } from '../../schema/quick-replies.ts';
import { renderQuickReply } from '../quick-replies/render.ts';
import { holdsPersonalData, namesSomething } from './personal-data.ts';
import type { ThreadView } from './provider.ts';
import { contentWords, fold } from './words.ts';

/** Longest list of each kind that a provider is given. */
const most = { messages: 30, orders: 5, quickReplies: 8, answers: 8, tags: 30 };
/** What the newest customer messages ask, cut to so many characters. */
const questionLength = 600;
/** Words that similar questions are looked up by: every pair of them. */
const questionWords = 6;
/** Earlier questions that are compared, and how many of the most similar are read on to their answers. */
const cap = 400;
const compared = 60;
/** What so many customers were told is no secret of one of them. */
const crowd = 3;

/**
 * What a provider is told of a conversation: the thread, the facts, and what the company did in similar ones.
 * Two statements, whatever the size of the thread and of the company.
 * @throws AppError `not_found` when it is unknown to this company
 */
export async function gatherThread(ctx: Context, conversationId: string): Promise<ThreadView> {
  const head = await readHead(ctx, conversationId);
  const now = ctx.now();
  const question = questionOf(head.messages);
  return {
    conversationId,
    company: { name: head.companyName, locale: head.locale },
    contact: { firstName: head.contactName?.trim().split(/\s+/)[0] || null, blocked: head.blocked },
    messages: head.messages.map(({ id, from, text, at }) => ({ id, from, text, at: new Date(at) })),
    now,
    waitingSince: head.waitingSince,
    windowClosesAt: replyWindowOf(head.channelKind, head.lastInboundAt, now).expiresAt,
    unpaidOrders: head.orders.map((order) => ({ ...order, placedAt: new Date(order.placedAt) })),
    ...(await readExperience(ctx, head, conversationId, question)),
  };
}

interface Head {
  companyName: string;
  locale: string;
  contactId: string;
  contactName: string | null;
  blocked: boolean;
  channelKind: string;
  lastInboundAt: Date | null;
  waitingSince: Date | null;
  tagIds: string[];
  messages: { id: string; from: 'customer' | 'company'; text: string; at: string }[];
  orders: { number: number; total: number; currency: string; status: string; placedAt: string }[];
}

async function readHead(ctx: Context, id: string): Promise<Head> {
  const [head] = await ctx.db.$queryRaw<Head[]>`
    SELECT company.name AS "companyName", company.locale, thread.contact_id AS "contactId",
      CASE WHEN contact.deleted_at IS NULL THEN contact.name END AS "contactName", contact.blocked,
      thread.channel_kind AS "channelKind", thread.last_inbound_at AS "lastInboundAt",
      thread.waiting_since AS "waitingSince", thread.tag_ids AS "tagIds",
      coalesce(said.messages, '[]') AS messages, coalesce(owed.orders, '[]') AS orders
    FROM conversations thread
    JOIN companies company ON company.id = thread.company_id
    JOIN contacts contact ON contact.company_id = thread.company_id AND contact.id = thread.contact_id
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('id', id, 'text', left(text, 4096), 'at', at,
        'from', CASE direction WHEN 'inbound' THEN 'customer' ELSE 'company' END) ORDER BY at) AS messages
      FROM (SELECT id, text, at, direction FROM messages
        WHERE company_id = thread.company_id AND conversation_id = thread.id AND text IS NOT NULL
          AND status NOT IN ('held', 'cancelled', 'failed')
        ORDER BY at DESC LIMIT ${most.messages}) AS newest
    ) AS said ON true
    LEFT JOIN LATERAL (
      SELECT json_agg(json_build_object('number', number, 'total', total, 'currency', currency, 'status', status,
        'placedAt', placed_at) ORDER BY created_at DESC, id DESC) AS orders
      FROM (SELECT id, number, total, currency, status, placed_at, created_at FROM orders
        WHERE company_id = thread.company_id AND contact_id = thread.contact_id AND payment_status = 'unpaid'
          AND status NOT IN ('cancelled', 'returned')
        ORDER BY created_at DESC, id DESC LIMIT ${most.orders}) AS newest
    ) AS owed ON true
    WHERE thread.company_id = ${ctx.companyId} AND thread.id = ${id}`;
  if (!head) throw notFound();
  return head;
}

/** What the customer wrote since the company's last message, else their last message. */
function questionOf(messages: Head['messages']): string {
  const answered = messages.findLastIndex(({ from }) => from === 'company');
  const open = messages.slice(answered + 1);
  const asked = open.length > 0 ? open : messages.filter(({ from }) => from === 'customer').slice(-1);
  return asked
    .map(({ text }) => text)
    .join('\n')
    .slice(-questionLength);
}

type Experience = Pick<ThreadView, 'quickReplies' | 'earlierAnswers' | 'tags'>;

interface Found {
  quickReplies: Experience['quickReplies'];
  tags: Experience['tags'];
  answers: { text: string; similarity: number; contactId: string; contactName: string | null }[];
}

/**
 * Saved replies by likeness of words; answers to the most similar earlier questions; tags by how often the threads of
 * those questions have them. Similarity is that of trigrams, 0–1.
 */
async function readExperience(
  ctx: Context,
  head: Head,
  conversationId: string,
  question: string,
): Promise<Experience> {
  const words = contentWords(question, questionWords);
  const [found] = await ctx.db.$queryRaw<Found[]>`
    WITH candidates AS MATERIALIZED (
      SELECT * FROM questions_with_words(${ctx.companyId}, to_tsquery('simple', ${pairs(words)}), ${cap}::int)
      UNION
      SELECT * FROM questions_with_words(${ctx.companyId}, to_tsquery('simple', ${words.join(' & ')}), ${cap}::int)
    ), alike AS MATERIALIZED (
      SELECT id, conversation_id, contact_id, at,
        similarity(fold_text(question), fold_text(${question}))::float8 AS similarity
      FROM candidates WHERE conversation_id <> ${conversationId}
      ORDER BY similarity DESC, at DESC, id DESC LIMIT ${compared}
    ), threads AS (
      SELECT conversation_id, max(similarity) AS similarity FROM alike GROUP BY conversation_id
    ), tagged AS (
      SELECT link.tag_id, sum(threads.similarity) AS weight FROM threads
      JOIN conversation_tags link ON link.company_id = ${ctx.companyId}
        AND link.conversation_id = threads.conversation_id
      GROUP BY link.tag_id
    )
    SELECT
      coalesce((SELECT json_agg(reply ORDER BY similarity DESC, id) FROM (
        SELECT id, text, (SELECT coalesce(avg(strict_word_similarity(word, search)), 0)
          FROM unnest(${words}::text[]) AS word)::float8 AS similarity
        FROM quick_replies WHERE company_id = ${ctx.companyId}
        ORDER BY similarity DESC, id LIMIT ${most.quickReplies}) AS reply), '[]') AS "quickReplies",
      coalesce((SELECT json_agg(tag ORDER BY score DESC, name, id) FROM (
        SELECT tags.id, name, color,
          coalesce(weight / (SELECT sum(threads.similarity) + 2 FROM threads), 0)::float8 AS score
        FROM tags LEFT JOIN tagged ON tagged.tag_id = tags.id
        WHERE tags.company_id = ${ctx.companyId} AND tags.id <> ALL(${head.tagIds})
        ORDER BY score DESC, name, id LIMIT ${most.tags}) AS tag), '[]') AS tags,
      coalesce((SELECT json_agg(json_build_object('text', answer.text, 'similarity', similarity,
          'contactId', alike.contact_id, 'contactName', contacts.name) ORDER BY similarity DESC, alike.id)
        FROM alike
        JOIN LATERAL (
          SELECT text, direction, type, author_type, status FROM messages
          WHERE company_id = ${ctx.companyId} AND conversation_id = alike.conversation_id AND at > alike.at
          ORDER BY at LIMIT 1) AS answer ON true
        JOIN contacts ON contacts.company_id = ${ctx.companyId} AND contacts.id = alike.contact_id
        WHERE answer.direction = 'outbound' AND answer.type = 'text' AND answer.author_type IN ('agent', 'api')
          AND answer.status IN ('sent', 'delivered', 'read')), '[]') AS answers`;
  if (!found) throw new Error('The company’s experience can’t be read.');
  return {
    quickReplies: found.quickReplies.flatMap((reply) => rendered(reply, head)),
    tags: found.tags,
    earlierAnswers: distinct(found.answers, head.contactId)
      .filter(
        ({ text, contacts }) => contacts >= crowd || !namesSomething(text, [question, head.companyName]),
      )
      .slice(0, most.answers),
  };
}

/** As it would be sent; a saved reply that names what is not there is left out. An agent may sign or not. */
function rendered(reply: Found['quickReplies'][number], head: Head): Found['quickReplies'] {
  const { contactName, companyName, orders } = head;
  const missing = new Set<string>();
  if (!contactName?.trim()) missing.add('contact.name').add('contact.first_name');
  if (!orders[0]) missing.add('order.number');
  const bare = reply.text.replaceAll(/\{\{[^{}|]*\|[^{}]*\}\}/g, '');
  if (variablesIn(bare).some((name) => missing.has(name))) return [];
  const values = { contact: { name: contactName }, company: { name: companyName }, order: orders[0] ?? null };
  const text = renderQuickReply(reply.text, values).replaceAll(/ {2,}/g, ' ').trim();
  return text === '' ? [] : [{ ...reply, text }];
}

/** Whatever shares two words with the question; a question of one word, that word. */
function pairs(words: readonly string[]): string {
  if (words.length < 2) return words.join('');
  return words
    .flatMap((word, place) => words.slice(place + 1).map((other) => `(${word} & ${other})`))
    .join(' | ');
}

/** Each answer once, with its best similarity, without those that tell of another customer. */
function distinct(answers: Found['answers'], contactId: string): Experience['earlierAnswers'] {
  const known = new Map<string, { text: string; similarity: number; people: Set<string> }>();
  for (const { text, similarity, contactId: to, contactName } of answers) {
    const other = to !== contactId;
    if (holdsPersonalData(text, other ? contactName : null)) continue;
    const key = fold(text).replaceAll(/\s+/g, ' ').trim();
    const entry = known.get(key) ?? { text, similarity, people: new Set() };
    known.set(key, entry);
    entry.people.add(to);
  }
  return [...known.values()].map(({ people, ...answer }) => ({ ...answer, contacts: people.size }));
}
