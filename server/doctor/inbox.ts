import type { Check } from './check.ts';

export const inboxChecks: readonly Check[] = [
  {
    name: 'conversation-shows-its-last-message',
    holds:
      'The last message kept on a conversation is its newest one, with the status it has now; what a blocked contact wrote since is left out.',
    sql: `SELECT c.company_id, c.id, format('shows %s %s, newest is %s %s', coalesce(c.last_message->>'id', 'none'), c.last_message->>'status', coalesce(m.id, 'none'), m.status) AS detail
      FROM conversations c
      LEFT JOIN LATERAL (SELECT id, status FROM messages m
        WHERE m.company_id = c.company_id AND m.conversation_id = c.id
          AND (m.at <= c.last_message_at OR m.direction = 'outbound')
        ORDER BY at DESC LIMIT 1) m ON true
      WHERE (c.last_message->>'id', c.last_message->>'status') IS DISTINCT FROM (m.id, m.status)`,
  },
  {
    name: 'conversation-counts-what-it-holds',
    holds:
      'The held replies counted on a conversation are its held messages, the first of them due when it says.',
    sql: `SELECT c.company_id, c.id, format('counts %s until %s, held are %s until %s', c.held_count, c.held_until, m.held, m.until) AS detail
      FROM conversations c
      CROSS JOIN LATERAL (SELECT count(*) AS held, min(held_until) AS until FROM messages m
        WHERE m.company_id = c.company_id AND m.conversation_id = c.id AND m.status = 'held') m
      WHERE c.held_count <> m.held OR c.held_until IS DISTINCT FROM m.until`,
  },
  {
    name: 'conversation-knows-its-tags',
    holds: 'The tag ids kept on a conversation are the tags attached to it.',
    sql: `SELECT c.company_id, c.id, format('keeps %s, attached are %s', c.tag_ids, t.ids) AS detail
      FROM conversations c
      CROSS JOIN LATERAL (SELECT coalesce(array_agg(tag_id ORDER BY tag_id), '{}') AS ids FROM conversation_tags t
        WHERE t.company_id = c.company_id AND t.conversation_id = c.id) t
      WHERE ARRAY(SELECT unnest(c.tag_ids) ORDER BY 1) <> t.ids`,
  },
  {
    name: 'conversation-counts-its-suggestions',
    holds: 'The pending suggestions counted on a conversation are pending.',
    sql: `SELECT c.company_id, c.id, format('counts %s, pending are %s', c.pending_suggestions, s.pending) AS detail
      FROM conversations c
      CROSS JOIN LATERAL (SELECT count(*) AS pending FROM ai_suggestions s
        WHERE s.company_id = c.company_id AND s.conversation_id = c.id AND s.status = 'pending') s
      WHERE c.pending_suggestions <> s.pending`,
  },
  {
    name: 'conversation-timeline-is-in-order',
    holds: 'No entry of a conversation is later than the last one it knows, and no two share a time.',
    sql: `SELECT c.company_id, c.id, format('last entry at %s, entries until %s, %s share a time', c.last_entry_at, e.latest, e.twice) AS detail
      FROM conversations c
      CROSS JOIN LATERAL (
        SELECT max(at) AS latest, count(*) - count(DISTINCT at) AS twice FROM (
          SELECT at FROM messages m WHERE m.company_id = c.company_id AND m.conversation_id = c.id
          UNION ALL SELECT at FROM notes n WHERE n.company_id = c.company_id AND n.conversation_id = c.id
          UNION ALL SELECT at FROM timeline_events t WHERE t.company_id = c.company_id AND t.conversation_id = c.id
        ) entries
      ) e
      WHERE e.latest > c.last_entry_at OR e.twice > 0`,
  },
  {
    name: 'conversation-unread-is-possible',
    holds: 'A conversation has no more unread messages than it received.',
    sql: `SELECT c.company_id, c.id, format('unread %s, received %s', c.unread_count, m.received) AS detail
      FROM conversations c
      CROSS JOIN LATERAL (SELECT count(*) AS received FROM messages m
        WHERE m.company_id = c.company_id AND m.conversation_id = c.id AND m.direction = 'inbound') m
      WHERE c.unread_count > greatest(m.received, 1)`,
  },
  {
    name: 'unread-total-is-the-sum',
    holds: 'The changes of the number of unread conversations add up to that number.',
    sql: `SELECT company_id, company_id AS id, format('unread %s, changes %s', n.unread, c.changes) AS detail
      FROM (SELECT company_id, count(*) AS unread FROM conversations WHERE unread_count > 0 GROUP BY company_id) n
      FULL JOIN (SELECT company_id, sum(delta) AS changes FROM unread_changes GROUP BY company_id) c USING (company_id)
      WHERE coalesce(n.unread, 0) <> coalesce(c.changes, 0)`,
  },
  {
    name: 'rating-has-its-time',
    holds: 'A conversation is rated if and only if it knows since when.',
    sql: `SELECT company_id, id, format('rating %s, rated at %s', rating, rated_at) AS detail FROM conversations
      WHERE (rating IS NULL) <> (rated_at IS NULL)`,
  },
  {
    name: 'automatic-message-was-written',
    holds: 'What the house says it wrote by itself, away messages and rating requests, is in the thread.',
    sql: `SELECT c.company_id, c.id, format('wrote by itself at %s', said.at) AS detail
      FROM conversations c CROSS JOIN LATERAL (VALUES (c.away_sent_at), (c.rating_requested_at)) said (at)
      WHERE said.at IS NOT NULL AND NOT EXISTS (SELECT FROM messages m
        WHERE m.company_id = c.company_id AND m.conversation_id = c.id AND m.at = said.at
          AND m.author_type = 'automation')`,
  },
  {
    name: 'message-is-of-its-conversation',
    holds: 'A message has the contact of its conversation.',
    sql: `SELECT m.company_id, m.id, format('contact %s, of conversation %s is %s', m.contact_id, c.id, c.contact_id) AS detail
      FROM messages m JOIN conversations c ON c.company_id = m.company_id AND c.id = m.conversation_id
      WHERE m.contact_id <> c.contact_id`,
  },
];
