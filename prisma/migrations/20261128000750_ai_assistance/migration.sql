ALTER TABLE "companies" ADD COLUMN "ai_monthly_tokens" BIGINT;
ALTER TABLE companies ADD CONSTRAINT companies_ai_monthly_tokens_check CHECK (ai_monthly_tokens >= 0);

-- The call that proposed a suggestion; who approves it approves the call's work.
ALTER TABLE "ai_suggestions" ADD COLUMN "ledger_id" TEXT;
ALTER TABLE "ai_suggestions" ADD CONSTRAINT "ai_suggestions_company_id_ledger_id_fkey"
  FOREIGN KEY ("company_id", "ledger_id") REFERENCES "ai_ledger"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION
  DEFERRABLE INITIALLY IMMEDIATE;
CREATE INDEX ai_suggestions_ledger_idx ON ai_suggestions (company_id, ledger_id) WHERE ledger_id IS NOT NULL;

-- What a company spent in a month, without the calls that cost nothing.
CREATE INDEX ai_ledger_spent_idx ON ai_ledger (company_id, created_at) INCLUDE (cost, input_tokens, output_tokens)
  WHERE cost > 0 OR input_tokens > 0 OR output_tokens > 0;

-- The list of calls is read by time and id.
DROP INDEX "ai_ledger_company_id_created_at_idx";
CREATE INDEX "ai_ledger_company_id_created_at_id_idx" ON "ai_ledger"("company_id", "created_at" DESC, "id" DESC);
