-- What was sent, as it was signed.
ALTER TABLE webhook_attempts ADD COLUMN request_headers JSONB;
