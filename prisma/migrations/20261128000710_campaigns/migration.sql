-- What the sending of campaigns remembers between two steps.
ALTER TABLE "campaigns" ADD COLUMN "claimed_to" INTEGER NOT NULL DEFAULT -1,
  ADD COLUMN "breaker_from" INTEGER NOT NULL DEFAULT -1,
  ADD COLUMN "idle_until" TIMESTAMPTZ(3);
ALTER TABLE "channels" ADD COLUMN "campaign_paced_until" TIMESTAMPTZ(3);

-- An address gets a campaign once, whichever contacts have it.
CREATE INDEX "campaign_recipients_company_id_campaign_id_address_idx"
  ON "campaign_recipients"("company_id", "campaign_id", "address");
