-- Files of the dashboard go beside tRPC.
ALTER TABLE request_logs
  DROP CONSTRAINT request_logs_surface_check,
  ADD CONSTRAINT request_logs_surface_check CHECK (surface IN ('rest', 'trpc', 'graphql', 'uploads', 'csv'));

-- What failed is looked for among much that did not.
CREATE INDEX request_logs_failed_idx ON request_logs (company_id, created_at DESC, id DESC)
  WHERE code IS NOT NULL OR status >= 400;
