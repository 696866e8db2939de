-- A row that changes is written anew: beside its old self where the page has room and nothing that an index names has changed,
-- else somewhere else and once more into each index. Of 28,000 changes of conversations and messages in a campaign one in
-- twenty found room.
ALTER TABLE conversations SET (fillfactor = 70);
ALTER TABLE messages SET (fillfactor = 85);

-- The status is no longer named by an index: delivered and read are written in place.
ALTER TABLE messages ADD CONSTRAINT messages_waiting_check
  CHECK (status NOT IN ('held', 'queued') OR (sent_at IS NULL AND failed_at IS NULL AND cancel_reason IS NULL));
DROP INDEX messages_waiting_idx;
CREATE INDEX messages_waiting_idx ON messages (company_id, conversation_id, at)
  WHERE direction = 'outbound' AND sent_at IS NULL AND failed_at IS NULL AND cancel_reason IS NULL;
DROP INDEX messages_held_until_idx;
CREATE INDEX messages_held_until_idx ON messages (held_until) WHERE held_until IS NOT NULL;

-- What PostgreSQL knows of the companies in a table is renewed after a fiftieth of it has changed, not a tenth: until it knows
-- of a new company it takes its rows for few.
ALTER TABLE contacts SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE contact_identities SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE conversations SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE messages SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE timeline_events SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE notes SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE orders SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE products SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE bookings SET (autovacuum_analyze_scale_factor = 0.02);
ALTER TABLE campaign_recipients SET (autovacuum_analyze_scale_factor = 0.02);
