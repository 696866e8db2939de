-- CreateIndex
CREATE INDEX "quick_replies_company_id_shortcut_id_idx" ON "quick_replies"("company_id", "shortcut", "id");
