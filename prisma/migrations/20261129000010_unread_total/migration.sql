-- How many conversations of a company are unread is asked with every page of the inbox. It is the sum of the changes it has
-- had: a writer adds a row, so writers never wait for each other as they would for one counter, and a reader adds up few.
CREATE TABLE "unread_changes" (
    "company_id" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "delta" INTEGER NOT NULL,

    CONSTRAINT "unread_changes_pkey" PRIMARY KEY ("company_id","id")
);
ALTER TABLE "unread_changes" ADD CONSTRAINT "unread_changes_company_id_fkey"
  FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
ALTER TABLE unread_changes SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
SELECT wall_in('unread_changes');

CREATE FUNCTION count_unread() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  home text := CASE TG_OP WHEN 'DELETE' THEN OLD.company_id ELSE NEW.company_id END;
BEGIN
  -- With a company that goes, all of it goes.
  INSERT INTO unread_changes (company_id, delta) SELECT id, TG_ARGV[0]::int FROM companies WHERE id = home;
  -- One writer in 64 makes one row of those that nobody else is at.
  IF random() < 1.0 / 64 THEN
    WITH free AS (
      SELECT id FROM unread_changes WHERE company_id = home FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM unread_changes c USING free WHERE c.company_id = home AND c.id = free.id RETURNING c.delta
    )
    INSERT INTO unread_changes (company_id, delta) SELECT home, sum(delta) FROM gone HAVING sum(delta) <> 0;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER conversations_unread_new AFTER INSERT ON conversations
  FOR EACH ROW WHEN (NEW.unread_count > 0) EXECUTE FUNCTION count_unread('1');
CREATE TRIGGER conversations_unread_more AFTER UPDATE OF unread_count ON conversations
  FOR EACH ROW WHEN (OLD.unread_count = 0 AND NEW.unread_count > 0) EXECUTE FUNCTION count_unread('1');
CREATE TRIGGER conversations_unread_less AFTER UPDATE OF unread_count ON conversations
  FOR EACH ROW WHEN (OLD.unread_count > 0 AND NEW.unread_count = 0) EXECUTE FUNCTION count_unread('-1');
CREATE TRIGGER conversations_unread_gone AFTER DELETE ON conversations
  FOR EACH ROW WHEN (OLD.unread_count > 0) EXECUTE FUNCTION count_unread('-1');

-- Nobody writes conversations between the triggers and the end of this.
INSERT INTO unread_changes (company_id, delta)
SELECT company_id, count(*) FROM conversations WHERE unread_count > 0 GROUP BY company_id;
