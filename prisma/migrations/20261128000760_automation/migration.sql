-- What the house does by itself in the inbox.
ALTER TABLE companies
  ADD COLUMN rating_message text,
  ADD COLUMN auto_close_days integer;
ALTER TABLE companies
  ADD CONSTRAINT companies_auto_close_days_check CHECK (auto_close_days BETWEEN 1 AND 365);

-- The company's switch comes first; a channel may stay out.
ALTER TABLE channels ADD COLUMN rating_request boolean NOT NULL DEFAULT true;

-- Round robin: whoever has the lowest number is next. No time, so that clocks need not agree.
ALTER TABLE users ADD COLUMN assign_turn bigint NOT NULL DEFAULT 0;

ALTER TABLE conversations
  ADD COLUMN away_sent_at timestamptz(3),
  ADD COLUMN rating_requested_at timestamptz(3);
-- An agent's open conversations are counted each time one is given away.
CREATE INDEX conversations_load_idx ON conversations (company_id, assignee_id)
  WHERE assignee_id IS NOT NULL AND status = 'open' AND NOT archived;
