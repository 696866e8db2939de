import { newId } from '../../../server/platform/ids.ts';
import { page, rowsOf, Where } from './database.ts';
import { quote } from './timeline.ts';

interface Message {
  id: string;
  conversation_id: string;
  contact_id: string;
  channel: string;
  direction: string;
  type: string;
  subject: string | null;
  text: string | null;
  template: object | null;
  product_id: string | null;
  order_id: string | null;
  reply_to: Parameters<typeof quote>[0];
  author: object;
  status: string;
  failure_code: string | null;
  failure_message: string | null;
  provider_code: string | null;
  held_until: Date | null;
  ai_generated: boolean;
  feedback_id: string | null;
  campaign_id: string | null;
  client_ref: string | null;
  sent_at: Date | null;
  delivered_at: Date | null;
  read_at: Date | null;
  created_at: Date;
  updated_at: Date;
  at: Date;
}

const columns = `m.id, m.conversation_id, m.contact_id, m.direction, m.type, m.extra->>'subject' AS subject, m.text,
  m.template, m.product_id, m.order_id, m.status, m.failure_code, m.failure_message, m.provider_code, m.held_until,
  m.ai_generated, m.campaign_id, m.client_ref, m.sent_at, m.delivered_at, m.read_at, m.created_at, m.updated_at, m.at,
  json_build_object('type', m.author_type, 'id', m.author_id, 'name', m.author_name, 'email', m.author_email) AS author`;

export async function listMessages(company: string, query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 25);
  const where = new Where(company, 'm.company_id = $1');
  for (const [name, column] of [
    ['conversation', 'm.conversation_id'],
    ['contact', 'm.contact_id'],
    ['direction', 'm.direction'],
    ['type', 'm.type'],
  ] as const) {
    const value = query.get(name);
    if (value !== null) where.add(`${column} = ?`, value);
  }
  where.after('m.at, m.id', query.get('cursor'));
  const rows = await rowsOf<Message>(
    `SELECT ${columns}, h.kind AS channel, f.id AS feedback_id,
       CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'text', left(r.text, 1000), 'author',
         json_build_object('type', r.author_type, 'name', r.author_name, 'email', r.author_email)) END AS reply_to
     FROM messages m
     JOIN channels h ON h.company_id = m.company_id AND h.id = m.channel_id
     LEFT JOIN messages r ON r.company_id = m.company_id AND r.id = m.reply_to_id
     LEFT JOIN ai_feedback f ON f.company_id = m.company_id AND f.message_id = m.id
     WHERE ${where.text} ORDER BY m.at DESC, m.id DESC LIMIT ${limit + 1}`,
    where.values,
  );
  return page(rows, limit, show, ({ at, id }) => [at, id]);
}

/** One statement for message, conversation, counter, announcement and job. */
const send = `
  WITH thread AS (
    SELECT id, contact_id, channel_id, channel_kind, greatest($5::timestamptz, last_entry_at + interval '1 millisecond') AS at
    FROM conversations WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE
  ), m AS (
    INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, author_type,
      author_id, author_name, status, held_origin, held_until, at, created_at, updated_at)
    SELECT $1, $3, id, contact_id, channel_id, 'outbound', 'text', $4, 'api', $6, 'Yardstick', 'held', 'request',
      $7::timestamptz, at, at, at FROM thread RETURNING *
  ), changed AS (
    UPDATE conversations c SET last_message = jsonb_build_object('id', m.id, 'direction', m.direction, 'type', m.type,
        'status', m.status, 'snippet', left(m.text, 160),
        'at', to_char(m.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
      last_message_at = m.at, last_entry_at = m.at, unread_count = 0, held_count = c.held_count + 1,
      held_until = least(c.held_until, m.held_until), version = c.version + 1, updated_at = m.at
    FROM m WHERE c.company_id = $1 AND c.id = m.conversation_id
  ), job AS (
    INSERT INTO yardstick_jobs (name, data, start_after)
    SELECT 'messages.release', jsonb_build_object('companyId', $1::text, 'conversationId', id), $7::timestamptz FROM thread
  ), told AS (
    SELECT pg_notify('yardstick', json_build_object('company', $1::text, 'conversation', conversation_id, 'message', id)::text)
    FROM m
  )
  SELECT ${columns}, thread.channel_kind AS channel, NULL AS feedback_id, NULL AS reply_to FROM m, thread, told`;

export async function sendMessage(
  company: string,
  user: string,
  { conversation, text, hold_seconds: hold }: { conversation: string; text: string; hold_seconds: number },
) {
  const now = new Date();
  const until = new Date(now.getTime() + hold * 1_000);
  const values = [company, conversation, newId(), text, now, user, until];
  const [message] = await rowsOf<Message>(send, values);
  return message && { data: show(message) };
}

/** The queue of this server, which is nobody's work. */
export async function prepareMessages(): Promise<void> {
  await rowsOf(
    `CREATE TABLE IF NOT EXISTS yardstick_jobs (id bigserial PRIMARY KEY, name text NOT NULL, data jsonb NOT NULL,
       start_after timestamptz NOT NULL, created_at timestamptz NOT NULL DEFAULT now())`,
    [],
  );
}

function show(row: Message) {
  return {
    id: row.id,
    conversation: row.conversation_id,
    contact: row.contact_id,
    channel: row.channel,
    direction: row.direction,
    type: row.type,
    subject: row.subject,
    text: row.text,
    media: null,
    template: row.template,
    product: row.product_id,
    order: row.order_id,
    reply_to: quote(row.reply_to),
    author: row.author,
    status: row.status,
    failure:
      row.status === 'failed' && row.failure_code !== null
        ? {
            code: row.failure_code,
            message: row.failure_message ?? row.failure_code,
            provider_code: row.provider_code,
          }
        : null,
    held_until: row.held_until,
    ai_generated: row.ai_generated,
    feedback_id: row.feedback_id,
    campaign: row.campaign_id,
    client_ref: row.client_ref,
    sent_at: row.sent_at,
    delivered_at: row.delivered_at,
    read_at: row.read_at,
    created_at: row.created_at,
    updated_at: row.updated_at,
  };
}
