-- Budgets of several processes. Unlogged: losing them in a crash costs nobody anything, and they change with every call.
CREATE UNLOGGED TABLE rate_limits (
  key TEXT NOT NULL,
  points INTEGER NOT NULL DEFAULT 0,
  expire BIGINT,
  CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
);
CREATE INDEX rate_limits_expire_idx ON rate_limits (expire);
