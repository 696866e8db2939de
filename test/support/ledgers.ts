import { expect } from 'vitest';
import type { Services } from '../../server/platform/services.ts';

/** Statements that find rows which contradict each other; each must find none, whoever made the rows. */
const contradictions: Record<string, string> = {
  'order totals': `
    SELECT o.id FROM orders o JOIN order_items i ON i.company_id = o.company_id AND i.order_id = o.id
    WHERE o.company_id = $1 GROUP BY o.company_id, o.id HAVING sum(i.total) <> o.subtotal`,
  'stock on hand': `
    SELECT p.id FROM products p LEFT JOIN stock_movements m ON m.company_id = p.company_id AND m.product_id = p.id
    WHERE p.company_id = $1 AND p.stock IS NOT NULL
    GROUP BY p.company_id, p.id HAVING coalesce(sum(m.quantity), 0) <> p.stock`,
  'running stock': `
    SELECT id FROM (
      SELECT m.id, m.stock_after, sum(m.quantity) OVER (PARTITION BY product_id ORDER BY at, id) AS run
      FROM stock_movements m WHERE m.company_id = $1
    ) movements WHERE stock_after IS NOT NULL AND stock_after <> run`,
  'reserved stock': `
    SELECT p.id FROM products p
    LEFT JOIN order_items i ON i.company_id = p.company_id AND i.product_id = p.id
    LEFT JOIN orders o ON o.company_id = i.company_id AND o.id = i.order_id
      AND o.status IN ('pending', 'confirmed', 'processing')
    WHERE p.company_id = $1
    GROUP BY p.company_id, p.id HAVING coalesce(sum(i.quantity) FILTER (WHERE o.id IS NOT NULL), 0) <> p.reserved`,
  'order history': `
    SELECT o.id FROM orders o WHERE o.company_id = $1 AND (o.status, o.payment_status) IS DISTINCT FROM (
      SELECT (c.status, c.payment_status) FROM order_status_changes c
      WHERE c.company_id = o.company_id AND c.order_id = o.id ORDER BY at DESC, id DESC LIMIT 1)`,
  'order numbers': `
    SELECT company_id FROM orders WHERE company_id = $1 GROUP BY company_id
    HAVING max(number) <> (SELECT last_number FROM order_counters c WHERE c.company_id = $1)`,
  'last message': `
    SELECT c.id FROM conversations c LEFT JOIN LATERAL (
      SELECT m.id, m.at, m.status, m.direction, m.type, left(m.text, 160) AS snippet FROM messages m
      WHERE m.company_id = c.company_id AND m.conversation_id = c.id ORDER BY m.at DESC LIMIT 1) m ON true
    WHERE c.company_id = $1 AND m.id IS NOT NULL AND (
      c.last_message ->> 'id' IS DISTINCT FROM m.id OR c.last_message_at <> m.at
      OR c.last_message ->> 'status' <> m.status OR c.last_message ->> 'direction' <> m.direction
      OR c.last_message ->> 'type' <> m.type OR c.last_message ->> 'snippet' <> m.snippet
      OR (c.last_message ->> 'at')::timestamptz <> m.at)`,
  'last entry': `
    SELECT c.id FROM conversations c WHERE c.company_id = $1 AND c.last_entry_at < (
      SELECT max(at) FROM (
        SELECT at FROM messages WHERE company_id = $1 AND conversation_id = c.id
        UNION ALL SELECT at FROM notes WHERE company_id = $1 AND conversation_id = c.id
        UNION ALL SELECT at FROM timeline_events WHERE company_id = $1 AND conversation_id = c.id) entries)`,
  'entries at one time': `
    SELECT conversation_id FROM (
      SELECT conversation_id, at FROM messages WHERE company_id = $1
      UNION ALL SELECT conversation_id, at FROM notes WHERE company_id = $1
      UNION ALL SELECT conversation_id, at FROM timeline_events WHERE company_id = $1) entries
    GROUP BY conversation_id, at HAVING count(*) > 1`,
  'tags of conversations': `
    SELECT c.id FROM conversations c WHERE c.company_id = $1 AND
      (SELECT coalesce(array_agg(x ORDER BY x), '{}') FROM unnest(c.tag_ids) x) <>
      (SELECT coalesce(array_agg(t.tag_id ORDER BY t.tag_id), '{}') FROM conversation_tags t
       WHERE t.company_id = c.company_id AND t.conversation_id = c.id)`,
  'held messages': `
    SELECT c.id FROM conversations c WHERE c.company_id = $1 AND c.held_count <> (
      SELECT count(*) FROM messages m WHERE m.company_id = $1 AND m.conversation_id = c.id AND m.status = 'held')`,
  'waiting and unread': `
    SELECT id FROM conversations WHERE company_id = $1
      AND (status = 'closed' AND (unread_count > 0 OR waiting_since IS NOT NULL)
        OR unread_count > 0 AND last_inbound_at IS NULL)`,
  'pending suggestions': `
    SELECT c.id FROM conversations c WHERE c.company_id = $1 AND c.pending_suggestions <> (
      SELECT count(*) FROM ai_suggestions s
      WHERE s.company_id = $1 AND s.conversation_id = c.id AND s.status = 'pending')`,
  'feedback of AI messages': `
    SELECT m.id FROM messages m WHERE m.company_id = $1 AND m.ai_generated
      AND NOT EXISTS (SELECT FROM ai_feedback f WHERE f.company_id = $1 AND f.message_id = m.id)`,
  'campaign counters': `
    SELECT c.id FROM campaigns c LEFT JOIN campaign_recipients r ON r.company_id = c.company_id AND r.campaign_id = c.id
    WHERE c.company_id = $1 GROUP BY c.company_id, c.id
    HAVING c.total <> count(r.contact_id)
      OR c.pending <> count(*) FILTER (WHERE r.status IN ('pending', 'claimed'))
      OR c.sent <> count(*) FILTER (WHERE r.status IN ('sent', 'delivered', 'read'))
      OR c.delivered <> count(*) FILTER (WHERE r.status IN ('delivered', 'read'))
      OR c.read <> count(*) FILTER (WHERE r.status = 'read')
      OR c.failed <> count(*) FILTER (WHERE r.status = 'failed')
      OR c.skipped <> count(*) FILTER (WHERE r.status = 'skipped')
      OR c.replied <> count(r.replied_at)`,
  'campaign orders': `
    SELECT c.id FROM campaigns c LEFT JOIN orders o ON o.company_id = c.company_id AND o.campaign_id = c.id
      AND o.status NOT IN ('cancelled', 'returned')
    WHERE c.company_id = $1 GROUP BY c.company_id, c.id
    HAVING c.order_count <> count(o.id) OR c.revenue <> coalesce(sum(o.total), 0)`,
};

/** What a company's rows say twice agrees: totals, stock, counters, what conversations carry of their entries. */
export async function expectConsistent(app: Pick<Services, 'pool'>, companyId: string): Promise<void> {
  const found: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(contradictions)) {
    const { rows } = await app.pool.query(sql, [companyId]);
    if (rows.length > 0) found[name] = rows.slice(0, 3);
  }
  expect(found).toEqual({});
}
