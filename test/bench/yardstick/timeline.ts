import { labelOf } from '../../../server/conversations/labels.ts';
import { snippetOf } from '../../../server/conversations/present-timeline.ts';
import { rowsOf } from './database.ts';

interface Entry {
  id: string;
  kind: 'message' | 'note' | 'event';
  at: Date;
  author_type: string;
  author_name: string | null;
  author_email: string | null;
  type: string;
  text: string | null;
  direction: string;
  status: string;
  failure: string | null;
  ai_generated: boolean;
  held_until: Date | null;
  subject: string | null;
  data: Record<string, unknown>;
  mentions: object[] | null;
  reply_to: { id: string; text: string | null; author: object } | null;
}

/** Each table is read only as far as the page goes. Files are left out, because the data set has none. */
const statement = `
  SELECT e.*,
    CASE WHEN r.id IS NOT NULL THEN json_build_object('id', r.id, 'text', left(r.text, 1000), 'author',
      json_build_object('type', r.author_type, 'name', r.author_name, 'email', r.author_email)) END AS reply_to,
    CASE WHEN e.kind = 'note' THEN (
      SELECT coalesce(json_agg(json_build_object('name', u.display_name, 'email', u.email) ORDER BY m.position), '[]')
      FROM note_mentions m JOIN users u ON u.company_id = m.company_id AND u.id = m.user_id
      WHERE m.company_id = $1 AND m.note_id = e.id) END AS mentions
  FROM (
    (SELECT id, 'message' AS kind, at, author_type, author_name, author_email, type, text, direction, status,
       coalesce(failure_message, failure_code) AS failure, ai_generated, held_until, extra->>'subject' AS subject,
       NULL::jsonb AS data, reply_to_id
     FROM messages WHERE company_id = $1 AND conversation_id = $2 AND at < $3 ORDER BY at DESC LIMIT $4)
    UNION ALL
    (SELECT id, 'note', at, author_type, author_name, author_email, NULL, text, NULL, NULL, NULL, NULL, NULL, NULL,
       NULL, NULL
     FROM notes WHERE company_id = $1 AND conversation_id = $2 AND at < $3 ORDER BY at DESC LIMIT $4)
    UNION ALL
    (SELECT id, 'event', at, author_type, author_name, author_email, type, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
       data, NULL
     FROM timeline_events WHERE company_id = $1 AND conversation_id = $2 AND at < $3 ORDER BY at DESC LIMIT $4)
    ORDER BY at DESC LIMIT $4
  ) e LEFT JOIN messages r ON r.company_id = $1 AND r.id = e.reply_to_id
  ORDER BY e.at DESC`;

export async function showTimeline(company: string, id: string, query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 25);
  const before = query.get('before') ?? 'infinity';
  const rows = await rowsOf<Entry>(statement, [company, id, before, limit + 1]);
  if (rows.length === 0) {
    const known = await rowsOf('SELECT FROM conversations WHERE company_id = $1 AND id = $2', [company, id]);
    if (known.length === 0) return undefined;
  }
  const more = rows.length > limit;
  if (more) rows.length = limit;
  return { data: rows.map(show), meta: { has_more: more, next_before: more ? rows.at(-1)?.at : null } };
}

function show(entry: Entry) {
  const { id, at, kind, text } = entry;
  const base = {
    id,
    at,
    kind,
    author: { type: entry.author_type, name: entry.author_name, email: entry.author_email },
  };
  if (kind === 'note') return { ...base, text, mentions: entry.mentions };
  if (kind === 'event')
    return { ...base, event: entry.type, label: labelOf(entry.type, entry.data), data: entry.data };
  return {
    ...base,
    direction: entry.direction,
    type: entry.type,
    subject: entry.subject,
    text,
    media: null,
    status: entry.status,
    failure_reason: entry.status === 'failed' ? entry.failure : null,
    reply_to: quote(entry.reply_to),
    ai_generated: entry.ai_generated,
    held_until: entry.held_until,
  };
}

/** @param replied the message that another one answers, as it was read */
export function quote(replied: { id: string; text: string | null; author: object } | null) {
  return replied && { id: replied.id, snippet: snippetOf(replied.text ?? '', 140), author: replied.author };
}
