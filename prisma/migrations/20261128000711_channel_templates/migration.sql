-- What the provider has approved, as last read.
ALTER TABLE channels ADD COLUMN templates jsonb NOT NULL DEFAULT '[]';

-- Providers and visitors name a channel by its id alone.
CREATE INDEX "channels_id_idx" ON "channels"("id");
