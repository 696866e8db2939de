-- Closed conversations are counted up to a limit.
CREATE INDEX conversations_closed_idx ON conversations (company_id, last_message_at DESC, id DESC)
  WHERE status = 'closed';
