-- How long a company keeps what was written; null: for ever.
ALTER TABLE companies
  ADD COLUMN retention_days integer,
  ADD CONSTRAINT companies_retention_days_check CHECK (retention_days BETWEEN 1 AND 3650);
