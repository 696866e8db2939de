/** Stands where something was written. */
export const erasedText = '[Erased]';

interface Statement {
  sql: string;
  /** What it is given as $3 and $4, beside company and contact. */
  uses?: readonly ('now' | 'text' | 'media' | 'addresses')[];
}

const threads = '(SELECT id FROM conversations WHERE company_id = $1 AND contact_id = $2)';
const orders = '(SELECT id FROM orders WHERE company_id = $1 AND contact_id = $2)';
const bookings = `(SELECT id FROM bookings WHERE company_id = $1
  AND (contact_id = $2 OR contact_id IS NULL AND conversation_id IN ${threads}))`;
/** Events that tell of the person; that the contact is gone, they say to whoever has not heard it yet. */
const told = `(SELECT id FROM events WHERE company_id = $1 AND type <> 'contact.deleted' AND (contact_id = $2 OR conversation_id IN ${threads}))`;

/** Letters as they came by mail: keys of the store. */
export const findLetters = `SELECT extra->>'letter' AS key FROM messages
  WHERE company_id = $1 AND contact_id = $2 AND extra->>'letter' IS NOT NULL`;

/** Files of this person alone: what the company sends to others too is the company's. */
export const findMedia = `
  SELECT media.id, media.storage_key AS key FROM media
  WHERE company_id = $1 AND id IN (
      SELECT media_id FROM messages WHERE company_id = $1 AND contact_id = $2 AND media_id IS NOT NULL
      UNION SELECT jsonb_array_elements_text(data->'mediaIds') FROM drafts
        WHERE company_id = $1 AND conversation_id IN ${threads} AND jsonb_typeof(data->'mediaIds') = 'array')
    AND NOT EXISTS (SELECT FROM messages o
      WHERE o.company_id = $1 AND o.media_id = media.id AND o.contact_id <> $2)
    AND NOT EXISTS (SELECT FROM quick_replies q WHERE q.company_id = $1 AND q.media_id = media.id)
    AND NOT EXISTS (SELECT FROM campaigns c WHERE c.company_id = $1 AND c.media_id = media.id)`;

/** Each of company and contact. In this order: what is found by other rows goes before them. */
export const statements: readonly Statement[] = [
  // What was told to others: stored answers, deliveries and the log itself.
  {
    sql: `DELETE FROM idempotency_records r USING unnest(ARRAY(
        SELECT $2 UNION SELECT unnest(ARRAY${threads}) UNION SELECT unnest(ARRAY${orders})
        UNION SELECT unnest(ARRAY${bookings}))) AS named (id)
      WHERE r.company_id = $1 AND position(convert_to(named.id, 'UTF8') IN r.body) > 0`,
  },
  {
    sql: `DELETE FROM webhook_deliveries WHERE company_id = $1 AND event_id IN ${told}`,
  },
  {
    // Sequences are never given again, also when the newest event of all was one of these.
    sql: `WITH gone AS (DELETE FROM events WHERE company_id = $1 AND id IN ${told} RETURNING sequence)
      INSERT INTO event_cursors (name, sequence, updated_at)
      SELECT 'erased', max(sequence), $3 FROM gone HAVING count(*) > 0
      ON CONFLICT (name) DO UPDATE
        SET sequence = greatest(event_cursors.sequence, excluded.sequence), updated_at = excluded.updated_at`,
    uses: ['now'],
  },
  {
    sql: `DELETE FROM notifications WHERE company_id = $1 AND conversation_id IN ${threads}`,
  },
  // Jobs that carry what a provider or a mail said, done or not; those that only name ids find nothing any more.
  {
    sql: `DELETE FROM jobs.job WHERE name IN ('channels.received', 'channels.media', 'email.received')
      AND data->>'companyId' = $1 AND $2 <> '' AND (state >= 'completed' OR EXISTS (
        SELECT FROM unnest($3::text[]) AS known (address) WHERE position(lower(address) IN lower(data::text)) > 0))`,
    uses: ['addresses'],
  },
  {
    sql: `DELETE FROM simulator_messages WHERE company_id = $1 AND (address = ANY($3)
      OR message_id IN (SELECT id FROM messages WHERE company_id = $1 AND contact_id = $2))`,
    uses: ['addresses'],
  },
  // The threads.
  { sql: `DELETE FROM drafts WHERE company_id = $1 AND conversation_id IN ${threads}` },
  { sql: `DELETE FROM ai_suggestions WHERE company_id = $1 AND conversation_id IN ${threads}` },
  { sql: `DELETE FROM ai_insights WHERE company_id = $1 AND conversation_id IN ${threads}` },
  { sql: 'DELETE FROM notes WHERE company_id = $1 AND contact_id = $2' },
  {
    sql: `UPDATE timeline_events SET author_name = CASE author_type WHEN 'contact' THEN NULL ELSE author_name END,
        author_email = CASE author_type WHEN 'contact' THEN NULL ELSE author_email END,
        data = CASE WHEN data ? 'comment' THEN data || '{"comment": null}' ELSE data END
      WHERE company_id = $1 AND conversation_id IN ${threads} AND (author_type = 'contact' OR data ? 'comment')`,
  },
  {
    // What waits is not sent; a provider's id may hold the number.
    sql: `UPDATE messages SET type = 'text', text = $4, media_id = NULL, product_id = NULL, template = NULL, extra = NULL,
        client_ref = NULL, provider_id = NULL, failure_message = NULL,
        author_name = CASE author_type WHEN 'contact' THEN NULL ELSE author_name END,
        author_email = CASE author_type WHEN 'contact' THEN NULL ELSE author_email END,
        status = CASE status WHEN 'held' THEN 'cancelled' WHEN 'queued' THEN 'failed' ELSE status END,
        held_until = NULL, cancel_reason = CASE status WHEN 'held' THEN 'blocked' ELSE cancel_reason END,
        failure_code = CASE status WHEN 'queued' THEN 'provider_error' ELSE failure_code END,
        failed_at = CASE status WHEN 'queued' THEN $3::timestamptz ELSE failed_at END,
        version = version + 1, updated_at = $3
      WHERE company_id = $1 AND contact_id = $2`,
    uses: ['now', 'text'],
  },
  {
    sql: `UPDATE conversations c SET rating_comment = NULL, held_count = 0, held_until = NULL, pending_suggestions = 0,
        last_message = c.last_message || jsonb_build_object('type', 'text', 'snippet', $4::text, 'status',
          (SELECT status FROM messages m WHERE m.company_id = $1 AND m.id = c.last_message->>'id')),
        version = version + 1, updated_at = $3
      WHERE company_id = $1 AND contact_id = $2`,
    uses: ['now', 'text'],
  },
  { sql: `DELETE FROM media WHERE company_id = $1 AND $2 <> '' AND id = ANY($3)`, uses: ['media'] },
  // Orders and bookings keep their figures and times.
  {
    sql: `UPDATE order_status_changes SET note = NULL WHERE company_id = $1 AND order_id IN ${orders} AND note IS NOT NULL`,
  },
  {
    sql: `UPDATE orders SET shipping_address = NULL, notes = NULL, tracking = NULL, external_id = NULL,
        version = version + 1, updated_at = $3
      WHERE company_id = $1 AND contact_id = $2`,
    uses: ['now'],
  },
  {
    sql: `UPDATE bookings SET title = $4, attendee = NULL, location = NULL, notes = NULL, cancel_reason = NULL,
        version = version + 1, updated_at = $3
      WHERE company_id = $1 AND id IN ${bookings}`,
    uses: ['now', 'text'],
  },
  {
    sql: 'UPDATE campaign_recipients SET address = NULL WHERE company_id = $1 AND contact_id = $2',
  },
  // The contact itself, and with it what search finds.
  { sql: 'DELETE FROM contact_identities WHERE company_id = $1 AND contact_id = $2' },
  { sql: 'DELETE FROM contact_tags WHERE company_id = $1 AND contact_id = $2' },
  { sql: 'DELETE FROM contact_tag_changes WHERE company_id = $1 AND contact_id = $2' },
  {
    sql: `UPDATE contacts SET name = NULL, phone = NULL, phone_key = NULL, email = NULL, country = NULL, source = NULL,
        timezone = NULL, locale = NULL, attributes = '{}', deleted_at = coalesce(deleted_at, $3),
        anonymised_at = coalesce(anonymised_at, $3), updated_at = $3, version = version + 1
      WHERE company_id = $1 AND id = $2`,
    uses: ['now'],
  },
];
