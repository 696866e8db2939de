-- The recipients of a campaign, all of them or those of one status or reason, in the order of sending.
CREATE INDEX "campaign_recipients_company_id_campaign_id_status_position_idx"
  ON "campaign_recipients"("company_id", "campaign_id", "status", "position");
CREATE INDEX campaign_recipients_skip_reason_idx
  ON campaign_recipients (company_id, campaign_id, skip_reason, position) WHERE skip_reason IS NOT NULL;

-- Those who wait for the day are not gone over again and again to find those whose turn it is.
DROP INDEX campaign_recipients_pending_idx;
CREATE INDEX campaign_recipients_waiting_idx ON campaign_recipients (company_id, campaign_id, position)
  WHERE status = 'pending' AND not_before IS NULL;
CREATE INDEX campaign_recipients_deferred_idx ON campaign_recipients (company_id, campaign_id, not_before)
  WHERE status = 'pending' AND not_before IS NOT NULL;

-- What a dead process claimed and did not post.
CREATE INDEX campaign_recipients_unposted_idx ON campaign_recipients (company_id, campaign_id)
  WHERE status = 'claimed' AND message_id IS NULL;
