-- The inbox by how long a customer waits; where nobody waits comes last.
CREATE INDEX conversations_longest_waiting_idx ON conversations
  (company_id, (coalesce(waiting_since, 'infinity'::timestamptz)), id);
