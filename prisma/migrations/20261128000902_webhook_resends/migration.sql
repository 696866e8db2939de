-- What became of those that were sent again together.
CREATE INDEX webhook_deliveries_resent_idx ON webhook_deliveries (company_id, endpoint_id, resent_at)
  WHERE resent_at IS NOT NULL;
