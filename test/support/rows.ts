import type { Services } from '../../server/platform/services.ts';
import { newId } from '../../server/platform/ids.ts';

interface ContactRow {
  name: string | null;
  created_at: Date;
  phone?: string;
  email?: string;
  country?: string;
}

/** Many contacts in one statement, past the API, for tests that need bulk. */
export async function insertContacts(
  app: Services,
  companyId: string,
  count: number,
  row: (n: number) => ContactRow,
): Promise<void> {
  const rows = Array.from({ length: count }, (_, n) => ({ id: newId(), ...row(n) }));
  await app.pool.query(
    `INSERT INTO contacts (company_id, id, name, phone, phone_key, email, country, source, created_at, updated_at)
     SELECT $1, id, name, phone, phone, email, country, 'api', created_at, created_at
     FROM json_to_recordset($2) AS given
       (id text, name text, phone text, email text, country text, created_at timestamptz)`,
    [companyId, JSON.stringify(rows)],
  );
}

interface ConversationRow {
  contact_id?: string;
  channel?: string;
  status?: 'open' | 'closed';
  archived?: boolean;
  muted?: boolean;
  muted_until?: Date | null;
  unread_count?: number;
  assignee_id?: string | null;
  tag_ids?: string[];
  rating?: number | null;
  last_message_at?: Date;
  last_inbound_at?: Date | null;
  waiting_since?: Date | null;
  ai_auto_reply?: 'on' | 'paused' | 'off';
}

/** Conversations past the API, each with a contact of its own unless given. @returns their ids, in order */
export async function insertConversations(
  app: Services,
  companyId: string,
  count: number,
  row: (n: number) => ConversationRow = () => ({}),
): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, n) => {
    const given = row(n);
    const at = given.last_message_at ?? new Date(Date.now() - 60_000);
    return {
      id: newId(),
      channel: 'simulator',
      status: 'open',
      unread_count: 0,
      archived: false,
      muted: given.muted_until != null,
      tag_ids: [],
      ai_auto_reply: 'off',
      closed_at: given.status === 'closed' ? at : null,
      ...given,
      own_contact: given.contact_id ?? newId(),
      at,
    };
  });
  const strangers = rows.filter((one) => one.contact_id === undefined);
  await app.pool.query(
    `INSERT INTO contacts (company_id, id, name, source, created_at, updated_at)
     SELECT $1, id, 'Contact ' || n, 'api', at, at
     FROM json_to_recordset($2) AS given (id text, n int, at timestamptz)`,
    [companyId, JSON.stringify(strangers.map(({ own_contact: id, at }, n) => ({ id, n, at })))],
  );
  for (const kind of new Set(rows.map(({ channel }) => channel))) await channelOf(app, companyId, kind);
  await app.pool.query(
    `INSERT INTO conversations (company_id, id, contact_id, channel_id, channel_kind, status, archived, muted,
       muted_until, unread_count, assignee_id, tag_ids, rating, last_message_at, last_entry_at, last_inbound_at,
       waiting_since, ai_auto_reply, closed_at, created_at, updated_at)
     SELECT $1, given.id, own_contact, channels.id, given.channel, given.status, archived, muted, muted_until,
       unread_count, assignee_id, tag_ids, rating, at, at, given.last_inbound_at, waiting_since,
       given.ai_auto_reply, closed_at, at, at
     FROM json_to_recordset($2) AS given (id text, own_contact text, channel text, status text, archived boolean,
       muted boolean, muted_until timestamptz, unread_count int, assignee_id text, tag_ids text[], rating int,
       at timestamptz, last_inbound_at timestamptz, waiting_since timestamptz, ai_auto_reply text,
       closed_at timestamptz)
     JOIN channels ON channels.company_id = $1 AND channels.kind = given.channel`,
    [companyId, JSON.stringify(rows)],
  );
  await app.pool.query(
    `INSERT INTO conversation_tags (company_id, conversation_id, tag_id)
     SELECT company_id, id, unnest(tag_ids) FROM conversations WHERE company_id = $1 AND id = ANY($2)`,
    [companyId, rows.map(({ id }) => id)],
  );
  return rows.map(({ id }) => id);
}

/** The company's channel of a kind, made when missing; its name is the kind with a capital. */
async function channelOf(app: Services, companyId: string, kind: string): Promise<void> {
  await app.pool.query(
    `INSERT INTO channels (company_id, id, kind, name) SELECT $1, $2, $3, initcap($3)
     WHERE NOT EXISTS (SELECT FROM channels WHERE company_id = $1 AND kind = $3)`,
    [companyId, newId(), kind],
  );
}

interface MessageRow {
  text: string | null;
  direction?: 'inbound' | 'outbound';
  status?: string;
  at?: Date;
  held_origin?: 'undo' | 'ai' | 'request';
  held_until?: Date;
  failure_message?: string;
  reply_to_id?: string;
  media_id?: string;
}

/** Messages of one conversation past the API; its row follows. @returns their ids, in order */
export async function insertMessages(
  app: Services,
  companyId: string,
  conversationId: string,
  messages: readonly MessageRow[],
): Promise<string[]> {
  const start = Date.now() - messages.length * 1000;
  const rows = messages.map((message, n) => {
    const direction = message.direction ?? 'inbound';
    return {
      id: newId(),
      direction,
      type: message.media_id ? 'media' : 'text',
      status: direction === 'inbound' ? 'received' : 'sent',
      at: new Date(start + n * 1000),
      author_type: direction === 'inbound' ? 'contact' : message.held_origin === 'ai' ? 'ai' : 'agent',
      author_name: direction === 'inbound' ? 'Customer' : 'Agent',
      failure_code: message.status === 'failed' ? 'undeliverable' : null,
      ...message,
    };
  });
  await app.pool.query(
    `INSERT INTO messages (company_id, id, conversation_id, contact_id, channel_id, direction, type, text, status,
       author_type, author_name, at, held_origin, held_until, failure_code, failure_message, reply_to_id, media_id,
       ai_generated)
     SELECT $1, given.id, $2, c.contact_id, c.channel_id, direction, given.type, text, given.status, author_type,
       author_name, given.at, held_origin, given.held_until, failure_code, failure_message, reply_to_id, media_id,
       author_type = 'ai'
     FROM json_to_recordset($3) AS given (id text, direction text, type text, text text, status text,
       author_type text, author_name text, at timestamptz, held_origin text, held_until timestamptz,
       failure_code text, failure_message text, reply_to_id text, media_id text)
     JOIN conversations c ON c.company_id = $1 AND c.id = $2`,
    [companyId, conversationId, JSON.stringify(rows)],
  );
  await app.pool.query(
    `UPDATE conversations SET held_count = held.n, held_until = held.until, last_message_at = newest.at,
       last_entry_at = greatest(last_entry_at, newest.at), last_message = newest.preview
     FROM (SELECT count(*) AS n, min(held_until) AS until FROM messages
       WHERE company_id = $1 AND conversation_id = $2 AND status = 'held') held,
       (SELECT at, jsonb_build_object('id', id, 'direction', direction, 'type', type, 'snippet',
         coalesce(text, ''), 'status', status, 'at', to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
         AS preview FROM messages WHERE company_id = $1 AND conversation_id = $2 ORDER BY at DESC LIMIT 1) newest
     WHERE company_id = $1 AND id = $2`,
    [companyId, conversationId],
  );
  return rows.map(({ id }) => id);
}
