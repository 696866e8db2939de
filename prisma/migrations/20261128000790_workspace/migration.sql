-- Closed conversations are counted up to a limit.
CREATE INDEX conversations_closed_idx ON conversations (company_id, last_message_at DESC, id DESC)
  WHERE status = 'closed';

-- Reports read what began, was rated or was ordered in a period.
CREATE INDEX conversations_company_id_created_at_idx ON conversations (company_id, created_at);
CREATE INDEX conversations_rated_idx ON conversations (company_id, rated_at) WHERE rated_at IS NOT NULL;
CREATE INDEX orders_campaign_created_idx ON orders (company_id, created_at) WHERE campaign_id IS NOT NULL;
