-- One process at a time works on an endpoint, holding an advisory lock; single deliveries need no claim.
-- A resend starts the schedule anew: the attempts made before it don't count.
ALTER TABLE webhook_deliveries
  DROP COLUMN claimed_until,
  ADD COLUMN schedule_from integer NOT NULL DEFAULT 0,
  ADD COLUMN resent_at timestamptz(3);
ALTER TABLE webhook_deliveries ADD CONSTRAINT webhook_deliveries_schedule_from_check
  CHECK (schedule_from BETWEEN 0 AND attempts);

-- First attempts of an endpoint go out in the order of the log; repeats when they are due.
DROP INDEX webhook_deliveries_due_idx;
DROP INDEX webhook_deliveries_order_idx;
CREATE INDEX webhook_deliveries_pending_idx ON webhook_deliveries (company_id, endpoint_id, sequence)
  WHERE status = 'pending';
CREATE INDEX webhook_deliveries_retrying_idx ON webhook_deliveries (company_id, endpoint_id, next_attempt_at)
  WHERE status = 'retrying';
CREATE INDEX "webhook_deliveries_company_id_created_at_id_idx"
  ON webhook_deliveries (company_id, created_at DESC, id DESC);

-- Rows of the queue change two or three times within seconds.
ALTER TABLE webhook_deliveries SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);

-- How far the dispatcher has read the log; an endpoint's start_sequence keeps older events from it.
INSERT INTO event_cursors (name, sequence) VALUES ('webhooks', 0) ON CONFLICT DO NOTHING;
