-- Failed second factors in a row, and until when no more are tried: better-auth counts them.
ALTER TABLE "two_factors"
  ADD COLUMN "failed_verification_count" INTEGER NOT NULL DEFAULT 0,
  ADD COLUMN "locked_until" TIMESTAMPTZ(3);
-- What has run out is purged by time.
CREATE INDEX "sessions_updated_at_idx" ON "sessions"("updated_at");
