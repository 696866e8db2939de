-- Lists by kind of channel.
CREATE INDEX conversations_company_id_channel_kind_last_message_at_id_idx
  ON conversations (company_id, channel_kind, last_message_at DESC, id DESC);

-- Bounded probes for words: the first `cap` matches, or all when there are fewer. The settings leave only the trigram
-- index: with a limit the planner would else walk the table in the hope of common words, and rare ones take seconds.
CREATE FUNCTION conversations_with_text(company text, pattern text, cap integer) RETURNS SETOF text
LANGUAGE sql STABLE PARALLEL SAFE ROWS 500
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
  SELECT conversation_id FROM messages WHERE company_id = company AND text ILIKE pattern LIMIT cap
$$;

-- `pattern` is folded already. The column `search` holds the e-mail too, which is not asked for here.
CREATE FUNCTION contacts_with_text(company text, pattern text, cap integer) RETURNS SETOF text
LANGUAGE sql STABLE PARALLEL SAFE ROWS 500
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
  SELECT id FROM contacts
  WHERE company_id = company AND deleted_at IS NULL AND search LIKE pattern
    AND (name_sort LIKE pattern OR phone LIKE pattern)
  LIMIT cap
$$;

-- Beginnings of names and phones, as ranges of the columns' "C" collation.
CREATE FUNCTION contacts_with_prefix(company text, name_start text, phone_start text, cap integer) RETURNS SETOF text
LANGUAGE sql STABLE PARALLEL SAFE ROWS 500
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
  SELECT id FROM contacts
  WHERE company_id = company AND deleted_at IS NULL AND (
    (name_sort >= name_start AND name_sort < name_start || U&'\+10FFFF')
    OR (phone_key >= phone_start AND phone_key < phone_start || U&'\+10FFFF'))
  LIMIT cap
$$;
