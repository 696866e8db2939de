-- The audit log as a chain: each row of a company carries a hash over the one before and itself, so that whoever changes
-- or removes one leaves a trace. A job writes the hashes in the order of the sequence, a moment later, so that changes
-- of one company don't queue for each other. Where each chain ends is kept apart: otherwise its end could be cut off.

CREATE TABLE audit_chains (
  company_id text NOT NULL PRIMARY KEY,
  sequence bigint NOT NULL,
  hash bytea NOT NULL,
  entries bigint NOT NULL
);
SELECT wall_in('audit_chains');
-- Units of work add to the log; the chain is the job's.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'parlour_runtime') THEN
    REVOKE INSERT, UPDATE, DELETE ON audit_chains FROM parlour_runtime;
  END IF;
END $$;

-- What a row's hash is over. The zone is fixed, because JSON shows times in the session's.
CREATE FUNCTION audit_hash(entry audit_logs, previous bytea) RETURNS bytea LANGUAGE sql STABLE SET timezone = 'UTC' AS $$
  SELECT sha256(coalesce(previous, '') || convert_to((to_jsonb(entry) - 'hash' - 'prev_hash')::text, 'UTF8'))
$$;

-- Seals rows that no transaction can come before any more, at most so many. Returns how many.
CREATE FUNCTION seal_audit(maximum integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  entry audit_logs;
  head audit_chains;
  sealed integer := 0;
BEGIN
  -- One at a time; the next one goes on from there.
  PERFORM pg_advisory_xact_lock(7203114406);
  FOR entry IN
    SELECT * FROM audit_logs WHERE hash IS NULL AND sequence < event_horizon()
    ORDER BY company_id, sequence LIMIT maximum
  LOOP
    IF head.company_id IS DISTINCT FROM entry.company_id THEN
      SELECT * INTO head FROM audit_chains c WHERE c.company_id = entry.company_id;
    END IF;
    head := ROW(entry.company_id, entry.sequence, audit_hash(entry, head.hash), coalesce(head.entries, 0) + 1);
    UPDATE audit_logs a SET hash = head.hash,
      prev_hash = (SELECT hash FROM audit_chains c WHERE c.company_id = entry.company_id)
    WHERE a.company_id = entry.company_id AND a.id = entry.id;
    INSERT INTO audit_chains SELECT head.*
    ON CONFLICT (company_id) DO UPDATE
      SET sequence = excluded.sequence, hash = excluded.hash, entries = excluded.entries;
    sealed := sealed + 1;
  END LOOP;
  RETURN sealed;
END $$;
