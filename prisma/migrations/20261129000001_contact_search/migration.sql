-- Contacts whose name, e-mail or phone has a text in it, by the trigram index whatever the planner thinks of the text: its
-- guess for one that it has no statistics of was off by thousands in both directions. A call of it is not planned together
-- with the query around it.
CREATE FUNCTION contacts_containing(company text, pattern text) RETURNS SETOF text
LANGUAGE sql STABLE PARALLEL SAFE ROWS 500
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
  SELECT id FROM contacts WHERE company_id = company AND deleted_at IS NULL AND search LIKE pattern
$$;
