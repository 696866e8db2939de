-- A volatile function sees later commits than the query that calls it: a row committed in between would lie below
-- the horizon and still be missing from the query, so a reader would skip it. A stable one shares the query's snapshot.
ALTER FUNCTION event_horizon() STABLE;
