-- The second wall: whatever a unit of work reads and writes, the database itself keeps to the company it is for.
--
-- A unit of work runs as the role parlour_runtime, which owns nothing, can't sign in and is subject to row-level
-- security; its first statement names the company. The owner of the tables, as whom the house migrates, saves and looks
-- after all companies, has a policy of its own, since FORCE leaves nobody out.

-- Puts a table with company_id behind the wall. A later migration calls it for each table it makes.
CREATE FUNCTION wall_in(home regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own text := 'company_id = current_setting(''parlour.company'', true)';
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY', home);
  EXECUTE format('DROP POLICY IF EXISTS company ON %s', home);
  EXECUTE format('DROP POLICY IF EXISTS house ON %s', home);
  EXECUTE format('CREATE POLICY company ON %s USING (%s) WITH CHECK (%s)', home, own, own);
  EXECUTE format('CREATE POLICY house ON %s TO CURRENT_USER USING (true) WITH CHECK (true)', home);
END $$;

-- Tables with company_id that are not behind the wall, or open to more than the two policies say.
CREATE FUNCTION wall_gaps() RETURNS SETOF regclass LANGUAGE sql STABLE AS $$
  SELECT c.oid::regclass FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'company_id' AND NOT a.attisdropped
  WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::regnamespace
    AND NOT (c.relrowsecurity AND c.relforcerowsecurity
      AND (SELECT array_agg(polname::text ORDER BY polname) FROM pg_policy p WHERE p.polrelid = c.oid) = '{company,house}')
$$;

-- Whether the caller may take the role, and the role is one that walls are for.
CREATE FUNCTION wall_role_stands() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parlour_runtime' AND NOT rolsuper AND NOT rolbypassrls
    AND NOT rolcanlogin) THEN
    RETURN false;
  END IF;
  IF current_setting('server_version_num')::int >= 160000 THEN
    RETURN pg_has_role(current_user, 'parlour_runtime', 'SET');
  END IF;
  RETURN pg_has_role(current_user, 'parlour_runtime', 'MEMBER');
END $$;

-- Builds what is missing, as far as the caller may, and tells whether the wall stands then. The role belongs to the
-- whole cluster: where the caller may not make roles, somebody who may does
--   CREATE ROLE parlour_runtime NOLOGIN; GRANT parlour_runtime TO <the user of DATABASE_URL>;
-- and the rest follows at the next start.
CREATE FUNCTION raise_wall() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  home regclass;
  place text;
BEGIN
  PERFORM pg_advisory_xact_lock(7203114405);
  FOR home IN SELECT wall_gaps() LOOP
    PERFORM wall_in(home);
  END LOOP;
  IF NOT wall_role_stands() THEN
    -- Another database of the cluster may be doing the same.
    BEGIN
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parlour_runtime') THEN
        CREATE ROLE parlour_runtime NOLOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS;
      END IF;
    EXCEPTION WHEN OTHERS THEN
      RAISE NOTICE 'parlour_runtime: %', SQLERRM;
    END;
    BEGIN
      EXECUTE format('GRANT parlour_runtime TO %I', current_user);
    EXCEPTION WHEN OTHERS THEN
      RAISE NOTICE 'parlour_runtime: %', SQLERRM;
    END;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'parlour_runtime') THEN
    RETURN false;
  END IF;
  -- Ours, and the queue's, in which a unit of work puts its jobs.
  FOR place IN SELECT nspname FROM pg_namespace WHERE nspname IN (current_schema(), 'jobs') LOOP
    EXECUTE format('GRANT USAGE ON SCHEMA %I TO parlour_runtime', place);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA %I TO parlour_runtime', place);
    EXECUTE format('GRANT USAGE ON ALL SEQUENCES IN SCHEMA %I TO parlour_runtime', place);
    EXECUTE format(
      'ALTER DEFAULT PRIVILEGES IN SCHEMA %I GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO parlour_runtime', place);
  END LOOP;
  -- What is written there stays.
  REVOKE UPDATE, DELETE ON audit_logs FROM parlour_runtime;
  IF to_regclass('audit_chains') IS NOT NULL THEN
    REVOKE INSERT, UPDATE, DELETE ON audit_chains FROM parlour_runtime;
  END IF;
  REVOKE ALL ON _prisma_migrations FROM parlour_runtime;
  RETURN wall_role_stands();
END $$;

-- Whether there is nothing to build. Asked at each start, so it is cheap.
CREATE FUNCTION wall_stands() RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT wall_role_stands() OR EXISTS (SELECT FROM wall_gaps()) THEN
    RETURN false;
  END IF;
  RETURN has_table_privilege('parlour_runtime', 'companies', 'INSERT')
    AND has_schema_privilege('parlour_runtime', 'jobs', 'USAGE')
    AND has_table_privilege('parlour_runtime', 'jobs.job', 'INSERT');
END $$;

-- Contacts of a company by their e-mail addresses. Behind the wall lower(email) can't be looked up in its index, because
-- PostgreSQL asks only functions that can't leak before the policy; so this looks for the owner, in one company.
CREATE FUNCTION contacts_by_email(company text, addresses text[]) RETURNS TABLE (id text, address text)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 1
BEGIN ATOMIC
  SELECT c.id, lower(c.email) FROM unnest(addresses) AS given (email)
    JOIN contacts c ON c.company_id = company AND lower(c.email) = lower(given.email) AND c.deleted_at IS NULL
  WHERE company = coalesce(nullif(current_setting('parlour.company', true), ''), company);
END;

SELECT raise_wall();
