import { snippetOf } from '../../../server/conversations/present-timeline.ts';
import { replyWindowOf } from '../../../server/conversations/reply-window.ts';
import { page, rowsOf, Where } from './database.ts';

/** A conversation with what belongs to it, joined as the tables have it: nothing is kept twice. */
interface Conversation {
  id: string;
  contact: object;
  channel_kind: string;
  status: string;
  archived: boolean;
  muted: boolean;
  muted_until: Date | null;
  unread_count: number;
  assignee: object | null;
  team: object | null;
  tags: object[];
  rating: number | null;
  rating_comment: string | null;
  last_message: { text: string | null; type: string } | null;
  last_message_at: Date;
  waiting_since: Date | null;
  first_response_at: Date | null;
  last_inbound_at: Date | null;
  held_count: number;
  held_until: Date | null;
  ai_auto_reply: string;
  pending_suggestions: number;
  closed_at: Date | null;
  closed_by: { type: string; name: string | null; email: string | null } | null;
  created_at: Date;
  updated_at: Date;
  version: number;
  pinned: boolean;
  followed: boolean;
  total_unread?: number;
  followers_count?: number;
}

const columns = `c.id, c.channel_kind, c.status, c.archived, c.muted, c.muted_until, c.unread_count, c.rating,
  c.rating_comment, c.last_message_at, c.waiting_since, c.first_response_at, c.last_inbound_at, c.held_count,
  c.held_until, c.ai_auto_reply, c.pending_suggestions, c.closed_at, c.closed_by, c.created_at, c.updated_at, c.version,
  json_build_object('id', p.id,
    'name', CASE WHEN p.deleted_at IS NULL THEN p.name ELSE 'Deleted contact' END,
    'phone', CASE WHEN p.deleted_at IS NULL THEN p.phone END,
    'email', CASE WHEN p.deleted_at IS NULL THEN p.email END) AS contact,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('name', u.display_name, 'email', u.email) END AS assignee,
  CASE WHEN t.id IS NOT NULL THEN json_build_object('id', t.id, 'name', t.name) END AS team,
  coalesce((SELECT json_agg(json_build_object('id', g.id, 'name', g.name, 'color', g.color) ORDER BY ct.attached_at, g.id)
    FROM conversation_tags ct JOIN tags g ON g.company_id = ct.company_id AND g.id = ct.tag_id
    WHERE ct.company_id = c.company_id AND ct.conversation_id = c.id), '[]') AS tags,
  (SELECT json_build_object('id', m.id, 'direction', m.direction, 'type', m.type, 'text', m.text, 'status', m.status,
      'at', m.at) FROM messages m
    WHERE m.company_id = c.company_id AND m.conversation_id = c.id ORDER BY m.at DESC LIMIT 1) AS last_message,
  EXISTS (SELECT FROM conversation_pins x WHERE x.company_id = c.company_id AND x.user_id = $2
    AND x.conversation_id = c.id) AS pinned,
  EXISTS (SELECT FROM conversation_followers x WHERE x.company_id = c.company_id AND x.conversation_id = c.id
    AND x.user_id = $2) AS followed`;

const joined = `FROM conversations c
  JOIN contacts p ON p.company_id = c.company_id AND p.id = c.contact_id
  LEFT JOIN users u ON u.company_id = c.company_id AND u.id = c.assignee_id
  LEFT JOIN teams t ON t.company_id = c.company_id AND t.id = c.team_id`;

const unread = `(SELECT count(*)::int FROM conversations WHERE company_id = $1 AND unread_count > 0)`;

export async function listConversations(company: string, user: string, query: URLSearchParams) {
  const limit = Number(query.get('limit') ?? 25);
  const where = filtersOf(company, user, query);
  where.after('c.last_message_at, c.id', query.get('cursor'));
  const rows = await rowsOf<Conversation>(
    `SELECT ${columns}, ${unread} AS total_unread ${joined} WHERE ${where.text}
     ORDER BY c.last_message_at DESC, c.id DESC LIMIT ${limit + 1}`,
    where.values,
  );
  const totalUnread = rows[0]?.total_unread ?? (await countUnread(company));
  const { data, meta } = page(rows, limit, show, ({ last_message_at: at, id }) => [at, id]);
  return { data, meta: { ...meta, total_unread: totalUnread } };
}

export async function showConversation(company: string, user: string, id: string) {
  const [row] = await rowsOf<Conversation>(
    `SELECT ${columns}, (SELECT count(*)::int FROM conversation_followers x
       WHERE x.company_id = c.company_id AND x.conversation_id = c.id) AS followers_count
     ${joined} WHERE c.company_id = $1 AND c.id = $3`,
    [company, user, id],
  );
  return row && { data: { ...show(row), followers_count: row.followers_count } };
}

async function countUnread(company: string): Promise<number> {
  const [row] = await rowsOf<{ total: number }>(`SELECT ${unread} AS total`, [company]);
  return row?.total ?? 0;
}

function filtersOf(company: string, user: string, query: URLSearchParams): Where {
  const where = new Where(company, 'c.company_id = $1');
  where.values.push(user);
  const flag = (name: string, yes: string, no: string) => {
    const value = query.get(name);
    if (value !== null) where.add(value === '1' || value === 'true' ? yes : no);
  };
  // Literals, so that partial indexes are chosen without looking at values.
  const status = query.get('status');
  if (status !== null) where.add(status === 'open' ? `c.status = 'open'` : `c.status = 'closed'`);
  flag('archived', 'c.archived', 'NOT c.archived');
  flag('read', 'c.unread_count = 0', 'c.unread_count > 0');
  flag('unassigned', 'c.assignee_id IS NULL', 'c.assignee_id IS NOT NULL');
  const assignee = query.get('assignee');
  if (assignee !== null)
    where.add(
      'c.assignee_id = (SELECT id FROM users WHERE company_id = $1 AND lower(email) = lower(?))',
      assignee,
    );
  for (const [name, column] of [
    ['channel', 'c.channel_kind'],
    ['contact', 'c.contact_id'],
    ['rating', 'c.rating'],
  ] as const) {
    const value = query.get(name);
    if (value !== null) where.add(`${column} = ?`, value);
  }
  const tag = query.get('tag');
  if (tag !== null)
    where.add(
      `EXISTS (SELECT FROM conversation_tags ct WHERE ct.company_id = $1 AND ct.conversation_id = c.id AND ct.tag_id = ?)`,
      tag,
    );
  return where;
}

function show(row: Conversation) {
  const now = new Date();
  const muted = row.muted && (row.muted_until === null || row.muted_until > now);
  const window = replyWindowOf(row.channel_kind, row.last_inbound_at, now);
  return {
    id: row.id,
    contact: row.contact,
    channel: row.channel_kind,
    status: row.status,
    archived: row.archived,
    muted,
    muted_until: muted ? row.muted_until : null,
    pinned: row.pinned,
    followed: row.followed,
    read: row.unread_count === 0,
    unread_count: row.unread_count,
    assignee: row.assignee,
    team: row.team,
    tags: row.tags,
    rating: row.rating,
    rating_comment: row.rating_comment,
    last_message: row.last_message && preview(row.last_message as Preview),
    last_message_at: row.last_message_at,
    waiting_since: row.waiting_since,
    first_response_at: row.first_response_at,
    reply_window: { open: window.open, expires_at: window.expiresAt },
    held: row.held_until ? { count: row.held_count, send_at: row.held_until } : null,
    ai: { auto_reply: row.ai_auto_reply, pending_suggestions: row.pending_suggestions },
    closed_at: row.closed_at,
    closed_by: row.closed_by && {
      type: row.closed_by.type,
      name: row.closed_by.name,
      email: row.closed_by.email,
    },
    created_at: row.created_at,
    updated_at: row.updated_at,
    version: row.version,
    allowed_actions: actionsOf(row, muted),
  };
}

interface Preview {
  id: string;
  direction: string;
  type: string;
  text: string | null;
  status: string;
  at: string;
}

function preview({ text, at, ...rest }: Preview) {
  return { ...rest, snippet: snippetOf(text ?? rest.type, 160), at: new Date(at) };
}

function actionsOf(row: Conversation, muted: boolean): string[] {
  const actions = ['assign'];
  if (row.assignee) actions.push('unassign');
  actions.push(
    'transfer',
    row.status === 'open' ? 'close' : 'reopen',
    row.unread_count > 0 ? 'read' : 'unread',
  );
  actions.push('mute');
  if (muted) actions.push('unmute');
  actions.push(row.archived ? 'unarchive' : 'archive', row.pinned ? 'unpin' : 'pin');
  actions.push(row.followed ? 'unfollow' : 'follow', 'notes', 'tags');
  if (row.held_count > 0) actions.push('flush-held');
  return actions;
}
