-- Passkeys of logins: the public half, and how often the authenticator says it was used.
CREATE TABLE "passkeys" (
    "id" TEXT NOT NULL CHECK (octet_length(id) = 26),
    "login_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");
CREATE INDEX "passkeys_login_id_idx" ON "passkeys"("login_id");
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_login_id_fkey" FOREIGN KEY ("login_id") REFERENCES "logins"("id") ON DELETE CASCADE ON UPDATE NO ACTION;
