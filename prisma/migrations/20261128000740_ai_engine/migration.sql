-- Which engine assists: built_in, openai or none; null = what the installation has.
ALTER TABLE companies
  ADD COLUMN ai_provider text,
  ADD CONSTRAINT companies_ai_provider_check CHECK (ai_provider IN ('built_in', 'openai', 'none'));

-- The words of what customers wrote, without accents: which earlier questions are like a new one.
CREATE INDEX messages_words_idx ON messages
  USING gin (company_id, to_tsvector('simple'::regconfig, fold_text(left(text, 1000))))
  WHERE direction = 'inbound' AND text IS NOT NULL;

-- A bounded probe: at most `cap` messages of customers whose words match. The settings leave only the index, since the
-- planner would else walk the table in the hope of common words.
CREATE FUNCTION questions_with_words(company text, words tsquery, cap integer)
RETURNS TABLE (id text, conversation_id text, contact_id text, at timestamptz, question text)
LANGUAGE sql STABLE PARALLEL SAFE ROWS 300
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
  SELECT id, conversation_id, contact_id, at, left(text, 1000) FROM messages
  WHERE company_id = company AND direction = 'inbound' AND text IS NOT NULL
    AND to_tsvector('simple'::regconfig, fold_text(left(text, 1000))) @@ words
  LIMIT cap
$$;
