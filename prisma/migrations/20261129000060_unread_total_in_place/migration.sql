-- A row for each change left as many dead ones behind, which every reader and writer went through until the next vacuum.
-- Now a writer changes a row that nobody else is at, and adds one only where there is none: there are as many rows as
-- there ever were writers at once, nobody waits, and a page of them cleans itself.
CREATE FUNCTION change_unread(home text, change integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE unread_changes SET delta = delta + change
  WHERE company_id = home AND id = (
    SELECT id FROM unread_changes WHERE company_id = home LIMIT 1 FOR UPDATE SKIP LOCKED
  );
  IF NOT FOUND THEN
    -- With a company that goes, all of it goes.
    INSERT INTO unread_changes (company_id, delta) SELECT id, change FROM companies WHERE id = home;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION count_unread() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_unread(NEW.company_id, TG_ARGV[0]::int);
  RETURN NULL;
END $$;

-- Imports add thousands in one statement, and a company that is erased takes them: each is one change.
CREATE FUNCTION count_unread_rows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM change_unread(company_id, TG_ARGV[0]::int * count(*)::int)
  FROM changed WHERE unread_count > 0 GROUP BY company_id;
  RETURN NULL;
END $$;

DROP TRIGGER conversations_unread_new ON conversations;
DROP TRIGGER conversations_unread_gone ON conversations;
CREATE TRIGGER conversations_unread_new AFTER INSERT ON conversations
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_unread_rows('1');
CREATE TRIGGER conversations_unread_gone AFTER DELETE ON conversations
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_unread_rows('-1');

-- Room on each page for what is changed on it.
ALTER TABLE unread_changes SET (fillfactor = 20);
-- Nobody writes conversations between the triggers and the end of this.
DELETE FROM unread_changes;
INSERT INTO unread_changes (company_id, delta)
SELECT company_id, count(*) FROM conversations WHERE unread_count > 0 GROUP BY company_id;
