-- CreateTable
CREATE TABLE "companies" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "currency" TEXT NOT NULL DEFAULT 'USD',
    "locale" TEXT NOT NULL DEFAULT 'en',
    "sandbox_of" TEXT,
    "undo_send_seconds" INTEGER NOT NULL DEFAULT 5,
    "ai_hold_seconds" INTEGER NOT NULL DEFAULT 15,
    "ai_enabled" BOOLEAN NOT NULL DEFAULT true,
    "ai_auto_reply" BOOLEAN NOT NULL DEFAULT false,
    "ai_privacy" TEXT NOT NULL DEFAULT 'redacted',
    "ai_monthly_budget" BIGINT,
    "business_hours" JSONB,
    "away_message" TEXT,
    "auto_assign" BOOLEAN NOT NULL DEFAULT false,
    "rating_request" BOOLEAN NOT NULL DEFAULT false,
    "settings" JSONB NOT NULL DEFAULT '{}',
    "closed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "companies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "roles" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "key" TEXT,
    "name" TEXT NOT NULL,
    "permissions" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "users" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,
    "login_id" TEXT,
    "mirror_of" TEXT,
    "avatar_url" TEXT,
    "locale" TEXT,
    "timezone" TEXT,
    "availability" TEXT NOT NULL DEFAULT 'online',
    "capacity" INTEGER,
    "preferences" JSONB NOT NULL DEFAULT '{}',
    "deactivated_at" TIMESTAMPTZ(3),
    "last_seen_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "teams" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "team_members" (
    "company_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "team_members_pkey" PRIMARY KEY ("company_id","team_id","user_id")
);

-- CreateTable
CREATE TABLE "invitations" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "role_id" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "invited_by_id" TEXT,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "accepted_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "scopes" TEXT[],
    "secret_hash" BYTEA NOT NULL,
    "last4" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_by_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "last_used_ip" TEXT,
    "last_used_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "logins" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "email_verified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "two_factor_enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "logins_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sessions" (
    "id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ip_address" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "accounts" (
    "id" TEXT NOT NULL,
    "account_id" TEXT NOT NULL,
    "provider_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "access_token" TEXT,
    "refresh_token" TEXT,
    "id_token" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "scope" TEXT,
    "password" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "verifications" (
    "id" TEXT NOT NULL,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "verifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "two_factors" (
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "secret" TEXT NOT NULL,
    "backup_codes" TEXT NOT NULL,
    "verified" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "two_factors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ai_feedback" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "rating" INTEGER,
    "rated_by_id" TEXT,
    "rated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ai_feedback_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "ai_insights" (
    "company_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "sentiment" TEXT,
    "purchase_likelihood" TEXT NOT NULL DEFAULT 'unknown',
    "intent_key" TEXT,
    "intent_at" TIMESTAMPTZ(3),
    "ops" JSONB NOT NULL DEFAULT '[]',
    "based_on" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ai_insights_pkey" PRIMARY KEY ("company_id","conversation_id")
);

-- CreateTable
CREATE TABLE "ai_suggestions" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "tag_id" TEXT,
    "color" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "status_at" TIMESTAMPTZ(3) NOT NULL,
    "decided_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ai_suggestions_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "ai_ledger" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "conversation_id" TEXT,
    "message_id" TEXT,
    "purpose" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "input_hash" BYTEA NOT NULL,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "cost" BIGINT NOT NULL DEFAULT 0,
    "latency_ms" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL,
    "approved_by_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ai_ledger_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "audit_logs" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_id" TEXT,
    "actor_name" TEXT,
    "api_key_id" TEXT,
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT,
    "before_hash" BYTEA,
    "after_hash" BYTEA,
    "changed" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "request_id" TEXT,
    "ip" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "prev_hash" BYTEA,
    "hash" BYTEA,

    CONSTRAINT "audit_logs_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "bookings" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'confirmed',
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "contact_id" TEXT,
    "conversation_id" TEXT,
    "attendee" JSONB,
    "location" TEXT,
    "notes" TEXT,
    "cancel_reason" TEXT,
    "created_by" JSONB,
    "closed_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "bookings_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "booking_reschedules" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "booking_id" TEXT NOT NULL,
    "from_starts_at" TIMESTAMPTZ(3) NOT NULL,
    "from_ends_at" TIMESTAMPTZ(3) NOT NULL,
    "actor" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "booking_reschedules_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "campaigns" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "template" JSONB,
    "text" TEXT,
    "media_id" TEXT,
    "audience" JSONB NOT NULL DEFAULT '{}',
    "audience_description" TEXT NOT NULL DEFAULT '',
    "audience_size" INTEGER NOT NULL DEFAULT 0,
    "quiet_hours" JSONB,
    "scheduled_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "pause_reason" TEXT,
    "failure_reason" TEXT,
    "total" INTEGER NOT NULL DEFAULT 0,
    "pending" INTEGER NOT NULL DEFAULT 0,
    "sent" INTEGER NOT NULL DEFAULT 0,
    "delivered" INTEGER NOT NULL DEFAULT 0,
    "read" INTEGER NOT NULL DEFAULT 0,
    "failed" INTEGER NOT NULL DEFAULT 0,
    "skipped" INTEGER NOT NULL DEFAULT 0,
    "replied" INTEGER NOT NULL DEFAULT 0,
    "unsubscribed" INTEGER NOT NULL DEFAULT 0,
    "order_count" INTEGER NOT NULL DEFAULT 0,
    "revenue" BIGINT NOT NULL DEFAULT 0,
    "created_by_id" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "campaigns_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "campaign_recipients" (
    "company_id" TEXT NOT NULL,
    "campaign_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "address" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "skip_reason" TEXT,
    "failure_code" TEXT,
    "message_id" TEXT,
    "claimed_at" TIMESTAMPTZ(3),
    "not_before" TIMESTAMPTZ(3),
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "replied_at" TIMESTAMPTZ(3),
    "unsubscribed_at" TIMESTAMPTZ(3),

    CONSTRAINT "campaign_recipients_pkey" PRIMARY KEY ("company_id","campaign_id","contact_id")
);

-- CreateTable
CREATE TABLE "channels" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "config" JSONB NOT NULL DEFAULT '{}',
    "credentials" BYTEA,
    "credentials_key_id" TEXT,
    "reopen_hours" INTEGER DEFAULT 72,
    "ai_auto_reply" BOOLEAN NOT NULL DEFAULT false,
    "campaign_rate" INTEGER NOT NULL DEFAULT 20,
    "failure_reason" TEXT,
    "last_inbound_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "simulator_messages" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "body" JSONB NOT NULL,
    "outcome" TEXT NOT NULL,
    "accepted_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "simulator_messages_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contacts" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT,
    "phone" TEXT,
    "phone_key" TEXT,
    "email" TEXT,
    "country" TEXT,
    "subscribed" BOOLEAN NOT NULL DEFAULT true,
    "blocked" BOOLEAN NOT NULL DEFAULT false,
    "source" TEXT,
    "timezone" TEXT,
    "locale" TEXT,
    "attributes" JSONB NOT NULL DEFAULT '{}',
    "name_sort" TEXT NOT NULL,
    "search" TEXT NOT NULL,
    "merged_into_id" TEXT,
    "unsubscribed_at" TIMESTAMPTZ(3),
    "blocked_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "anonymised_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contacts_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_identities" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "contact_identities_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "conversations" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "channel_kind" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "archived" BOOLEAN NOT NULL DEFAULT false,
    "muted" BOOLEAN NOT NULL DEFAULT false,
    "muted_until" TIMESTAMPTZ(3),
    "unread_count" INTEGER NOT NULL DEFAULT 0,
    "assignee_id" TEXT,
    "team_id" TEXT,
    "tag_ids" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "rating" INTEGER,
    "rating_comment" TEXT,
    "rated_at" TIMESTAMPTZ(3),
    "last_message" JSONB,
    "last_message_at" TIMESTAMPTZ(3) NOT NULL,
    "last_entry_at" TIMESTAMPTZ(3) NOT NULL,
    "last_inbound_at" TIMESTAMPTZ(3),
    "waiting_since" TIMESTAMPTZ(3),
    "first_response_at" TIMESTAMPTZ(3),
    "held_count" INTEGER NOT NULL DEFAULT 0,
    "held_until" TIMESTAMPTZ(3),
    "ai_auto_reply" TEXT NOT NULL DEFAULT 'off',
    "pending_suggestions" INTEGER NOT NULL DEFAULT 0,
    "closed_at" TIMESTAMPTZ(3),
    "closed_by" JSONB,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "conversation_pins" (
    "company_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_pins_pkey" PRIMARY KEY ("company_id","user_id","conversation_id")
);

-- CreateTable
CREATE TABLE "conversation_followers" (
    "company_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_followers_pkey" PRIMARY KEY ("company_id","conversation_id","user_id")
);

-- CreateTable
CREATE TABLE "notes" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "author_type" TEXT NOT NULL,
    "author_id" TEXT,
    "author_name" TEXT,
    "author_email" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "note_mentions" (
    "company_id" TEXT NOT NULL,
    "note_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,

    CONSTRAINT "note_mentions_pkey" PRIMARY KEY ("company_id","note_id","user_id")
);

-- CreateTable
CREATE TABLE "timeline_events" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "author_type" TEXT NOT NULL,
    "author_id" TEXT,
    "author_name" TEXT,
    "author_email" TEXT,
    "data" JSONB NOT NULL DEFAULT '{}',
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "timeline_events_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "events" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "family" TEXT NOT NULL,
    "conversation_id" TEXT,
    "contact_id" TEXT,
    "actor" JSONB NOT NULL,
    "cause" TEXT,
    "payload" JSONB NOT NULL,
    "livemode" BOOLEAN NOT NULL DEFAULT true,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "events_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "event_cursors" (
    "name" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_cursors_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "event_epoch" (
    "single" BOOLEAN NOT NULL DEFAULT true,
    "xid_offset" BIGINT NOT NULL DEFAULT 0,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "event_epoch_pkey" PRIMARY KEY ("single")
);

-- CreateTable
CREATE TABLE "media" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "mime_type" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "filename" TEXT NOT NULL,
    "width" INTEGER,
    "height" INTEGER,
    "duration_ms" INTEGER,
    "sha256" BYTEA NOT NULL,
    "storage_key" TEXT NOT NULL,
    "url_token" TEXT NOT NULL,
    "uploaded_by_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "erased_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "media_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "messages" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "channel_id" TEXT NOT NULL,
    "direction" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "text" TEXT,
    "media_id" TEXT,
    "template" JSONB,
    "product_id" TEXT,
    "order_id" TEXT,
    "reply_to_id" TEXT,
    "campaign_id" TEXT,
    "author_type" TEXT NOT NULL,
    "author_id" TEXT,
    "author_name" TEXT,
    "author_email" TEXT,
    "status" TEXT NOT NULL,
    "held_origin" TEXT,
    "held_until" TIMESTAMPTZ(3),
    "held_restarts" INTEGER NOT NULL DEFAULT 0,
    "cancel_reason" TEXT,
    "failure_code" TEXT,
    "failure_message" TEXT,
    "provider_code" TEXT,
    "provider_id" TEXT,
    "client_ref" TEXT,
    "ai_generated" BOOLEAN NOT NULL DEFAULT false,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "attempted_at" TIMESTAMPTZ(3),
    "outcome_unknown" BOOLEAN NOT NULL DEFAULT false,
    "extra" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sent_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "read_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "messages_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "orders" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "contact_id" TEXT NOT NULL,
    "conversation_id" TEXT,
    "campaign_id" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "payment_status" TEXT NOT NULL DEFAULT 'unpaid',
    "currency" TEXT NOT NULL,
    "subtotal" BIGINT NOT NULL,
    "discount" BIGINT NOT NULL DEFAULT 0,
    "shipping_fee" BIGINT NOT NULL DEFAULT 0,
    "tax" BIGINT NOT NULL DEFAULT 0,
    "total" BIGINT NOT NULL,
    "shipping_address" JSONB,
    "notes" TEXT,
    "tracking" JSONB,
    "cancel_reason" TEXT,
    "external_id" TEXT,
    "source" TEXT NOT NULL DEFAULT 'api',
    "placed_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "shipped_at" TIMESTAMPTZ(3),
    "completed_at" TIMESTAMPTZ(3),
    "cancelled_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "orders_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "order_items" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "product_id" TEXT,
    "name" TEXT NOT NULL,
    "sku" TEXT,
    "quantity" INTEGER NOT NULL,
    "unit_price" BIGINT NOT NULL,
    "total" BIGINT NOT NULL,

    CONSTRAINT "order_items_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "order_status_changes" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "order_id" TEXT NOT NULL,
    "from_status" TEXT,
    "status" TEXT NOT NULL,
    "payment_status" TEXT NOT NULL,
    "note" TEXT,
    "actor" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "order_status_changes_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "order_counters" (
    "company_id" TEXT NOT NULL,
    "last_number" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "order_counters_pkey" PRIMARY KEY ("company_id")
);

-- CreateTable
CREATE TABLE "products" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_sort" TEXT NOT NULL,
    "search" TEXT NOT NULL,
    "sku" TEXT,
    "description" TEXT,
    "price" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "stock" INTEGER,
    "reserved" INTEGER NOT NULL DEFAULT 0,
    "image_url" TEXT,
    "ordered_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "products_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "stock_movements" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "product_id" TEXT NOT NULL,
    "order_id" TEXT,
    "kind" TEXT NOT NULL,
    "quantity" INTEGER NOT NULL,
    "stock_after" INTEGER,
    "actor" JSONB,
    "note" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stock_movements_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "quick_replies" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "shortcut" TEXT NOT NULL,
    "title" TEXT,
    "text" TEXT NOT NULL,
    "variables" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "media_id" TEXT,
    "category" TEXT,
    "usage_count" INTEGER NOT NULL DEFAULT 0,
    "created_by_id" TEXT,
    "search" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "quick_replies_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "conversation_presence" (
    "company_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "holder_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "typing_until" TIMESTAMPTZ(3),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_presence_pkey" PRIMARY KEY ("company_id","conversation_id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "conversation_id" TEXT,
    "event_id" TEXT,
    "data" JSONB NOT NULL DEFAULT '{}',
    "read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "idempotency_records" (
    "company_id" TEXT NOT NULL,
    "principal_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER NOT NULL,
    "headers" JSONB NOT NULL DEFAULT '{}',
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_records_pkey" PRIMARY KEY ("company_id","principal_id","key")
);

-- CreateTable
CREATE TABLE "request_logs" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "api_key_id" TEXT,
    "user_id" TEXT,
    "surface" TEXT NOT NULL DEFAULT 'rest',
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "operation" TEXT,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "param" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "livemode" BOOLEAN NOT NULL,
    "replayed" BOOLEAN NOT NULL DEFAULT false,
    "idempotency_key" TEXT,
    "ip" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_logs_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "tags" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "name_sort" TEXT NOT NULL,
    "color" TEXT NOT NULL DEFAULT '#64748B',
    "system" BOOLEAN NOT NULL DEFAULT false,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "contact_tags" (
    "company_id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "attached_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attached_by" JSONB,

    CONSTRAINT "contact_tags_pkey" PRIMARY KEY ("company_id","contact_id","tag_id")
);

-- CreateTable
CREATE TABLE "conversation_tags" (
    "company_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "attached_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attached_by" JSONB,

    CONSTRAINT "conversation_tags_pkey" PRIMARY KEY ("company_id","conversation_id","tag_id")
);

-- CreateTable
CREATE TABLE "contact_tag_changes" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "contact_id" TEXT NOT NULL,
    "tag_id" TEXT NOT NULL,
    "tag_name" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "actor" JSONB,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "contact_tag_changes_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_endpoints" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "description" TEXT,
    "events" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "skip_api_key_id" TEXT,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "failing_since" TIMESTAMPTZ(3),
    "failure_count" INTEGER NOT NULL DEFAULT 0,
    "circuit_open_until" TIMESTAMPTZ(3),
    "owner_notified_at" TIMESTAMPTZ(3),
    "start_sequence" BIGINT NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_endpoints_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_secrets" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "key_id" TEXT,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_secrets_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "endpoint_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_type" TEXT NOT NULL,
    "sequence" BIGINT NOT NULL,
    "conversation_id" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "claimed_until" TIMESTAMPTZ(3),
    "last_attempt_at" TIMESTAMPTZ(3),
    "last_status" INTEGER,
    "last_error" TEXT,
    "completed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "webhook_attempts" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "delivery_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "trigger" TEXT NOT NULL DEFAULT 'schedule',
    "response_status" INTEGER,
    "response_body" TEXT,
    "response_headers" JSONB,
    "error" TEXT,
    "error_message" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "webhook_attempts_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateTable
CREATE TABLE "drafts" (
    "company_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "conversation_id" TEXT NOT NULL,
    "mode" TEXT NOT NULL,
    "text" TEXT NOT NULL DEFAULT '',
    "data" JSONB NOT NULL DEFAULT '{}',
    "version" INTEGER NOT NULL DEFAULT 1,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "drafts_pkey" PRIMARY KEY ("company_id","user_id","conversation_id","mode")
);

-- CreateTable
CREATE TABLE "saved_views" (
    "company_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "owner_id" TEXT NOT NULL,
    "resource" TEXT NOT NULL DEFAULT 'conversations',
    "name" TEXT NOT NULL,
    "filters" JSONB NOT NULL DEFAULT '{}',
    "shared" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE UNIQUE INDEX "companies_sandbox_of_key" ON "companies"("sandbox_of");

-- CreateIndex
CREATE UNIQUE INDEX "roles_company_id_key_key" ON "roles"("company_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "users_id_key" ON "users"("id");

-- CreateIndex
CREATE UNIQUE INDEX "users_login_id_key" ON "users"("login_id");

-- CreateIndex
CREATE INDEX "users_company_id_role_id_idx" ON "users"("company_id", "role_id");

-- CreateIndex
CREATE UNIQUE INDEX "users_company_id_mirror_of_key" ON "users"("company_id", "mirror_of");

-- CreateIndex
CREATE UNIQUE INDEX "teams_company_id_slug_key" ON "teams"("company_id", "slug");

-- CreateIndex
CREATE INDEX "team_members_company_id_user_id_idx" ON "team_members"("company_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");

-- CreateIndex
CREATE INDEX "invitations_company_id_email_idx" ON "invitations"("company_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_id_key" ON "api_keys"("id");

-- CreateIndex
CREATE INDEX "api_keys_company_id_user_id_idx" ON "api_keys"("company_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "logins_email_key" ON "logins"("email");

-- CreateIndex
CREATE UNIQUE INDEX "sessions_token_key" ON "sessions"("token");

-- CreateIndex
CREATE INDEX "sessions_user_id_idx" ON "sessions"("user_id");

-- CreateIndex
CREATE INDEX "accounts_user_id_idx" ON "accounts"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "accounts_provider_id_account_id_key" ON "accounts"("provider_id", "account_id");

-- CreateIndex
CREATE INDEX "verifications_identifier_idx" ON "verifications"("identifier");

-- CreateIndex
CREATE INDEX "two_factors_user_id_idx" ON "two_factors"("user_id");

-- CreateIndex
CREATE INDEX "two_factors_secret_idx" ON "two_factors"("secret");

-- CreateIndex
CREATE UNIQUE INDEX "ai_feedback_company_id_message_id_key" ON "ai_feedback"("company_id", "message_id");

-- CreateIndex
CREATE INDEX "ai_suggestions_company_id_conversation_id_created_at_id_idx" ON "ai_suggestions"("company_id", "conversation_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "ai_ledger_company_id_created_at_idx" ON "ai_ledger"("company_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "ai_ledger_company_id_message_id_idx" ON "ai_ledger"("company_id", "message_id");

-- CreateIndex
CREATE INDEX "audit_logs_company_id_at_id_idx" ON "audit_logs"("company_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_logs_company_id_target_type_target_id_at_idx" ON "audit_logs"("company_id", "target_type", "target_id", "at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "audit_logs_company_id_sequence_key" ON "audit_logs"("company_id", "sequence");

-- CreateIndex
CREATE INDEX "bookings_company_id_starts_at_id_idx" ON "bookings"("company_id", "starts_at", "id");

-- CreateIndex
CREATE INDEX "bookings_company_id_agent_id_starts_at_idx" ON "bookings"("company_id", "agent_id", "starts_at");

-- CreateIndex
CREATE INDEX "bookings_company_id_contact_id_starts_at_idx" ON "bookings"("company_id", "contact_id", "starts_at" DESC);

-- CreateIndex
CREATE INDEX "booking_reschedules_company_id_booking_id_at_idx" ON "booking_reschedules"("company_id", "booking_id", "at" DESC);

-- CreateIndex
CREATE INDEX "campaigns_company_id_created_at_id_idx" ON "campaigns"("company_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "campaigns_company_id_status_created_at_id_idx" ON "campaigns"("company_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "campaign_recipients_company_id_contact_id_idx" ON "campaign_recipients"("company_id", "contact_id");

-- CreateIndex
CREATE INDEX "campaign_recipients_company_id_message_id_idx" ON "campaign_recipients"("company_id", "message_id");

-- CreateIndex
CREATE UNIQUE INDEX "campaign_recipients_company_id_campaign_id_position_key" ON "campaign_recipients"("company_id", "campaign_id", "position");

-- CreateIndex
CREATE INDEX "simulator_messages_company_id_accepted_at_idx" ON "simulator_messages"("company_id", "accepted_at");

-- CreateIndex
CREATE INDEX "simulator_messages_company_id_message_id_idx" ON "simulator_messages"("company_id", "message_id");

-- CreateIndex
CREATE INDEX "contact_identities_company_id_contact_id_idx" ON "contact_identities"("company_id", "contact_id");

-- CreateIndex
CREATE UNIQUE INDEX "contact_identities_company_id_channel_id_address_key" ON "contact_identities"("company_id", "channel_id", "address");

-- CreateIndex
CREATE INDEX "conversations_company_id_last_message_at_id_idx" ON "conversations"("company_id", "last_message_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "conversations_company_id_contact_id_last_message_at_id_idx" ON "conversations"("company_id", "contact_id", "last_message_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "conversation_pins_company_id_conversation_id_idx" ON "conversation_pins"("company_id", "conversation_id");

-- CreateIndex
CREATE INDEX "conversation_followers_company_id_user_id_idx" ON "conversation_followers"("company_id", "user_id");

-- CreateIndex
CREATE INDEX "notes_company_id_contact_id_at_idx" ON "notes"("company_id", "contact_id", "at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "notes_company_id_conversation_id_at_key" ON "notes"("company_id", "conversation_id", "at" DESC);

-- CreateIndex
CREATE INDEX "note_mentions_company_id_user_id_idx" ON "note_mentions"("company_id", "user_id");

-- CreateIndex
CREATE INDEX "timeline_events_company_id_type_at_idx" ON "timeline_events"("company_id", "type", "at" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "timeline_events_company_id_conversation_id_at_key" ON "timeline_events"("company_id", "conversation_id", "at" DESC);

-- CreateIndex
CREATE INDEX "events_sequence_idx" ON "events"("sequence");

-- CreateIndex
CREATE INDEX "events_created_at_idx" ON "events" USING BRIN ("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "events_company_id_sequence_key" ON "events"("company_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "media_url_token_key" ON "media"("url_token");

-- CreateIndex
CREATE INDEX "messages_company_id_at_id_idx" ON "messages"("company_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "messages_company_id_contact_id_at_id_idx" ON "messages"("company_id", "contact_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "messages_company_id_conversation_id_at_key" ON "messages"("company_id", "conversation_id", "at" DESC);

-- CreateIndex
CREATE INDEX "orders_company_id_created_at_id_idx" ON "orders"("company_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_company_id_status_created_at_id_idx" ON "orders"("company_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_company_id_payment_status_created_at_id_idx" ON "orders"("company_id", "payment_status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "orders_company_id_contact_id_created_at_id_idx" ON "orders"("company_id", "contact_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "orders_company_id_number_key" ON "orders"("company_id", "number");

-- CreateIndex
CREATE INDEX "order_items_company_id_product_id_idx" ON "order_items"("company_id", "product_id");

-- CreateIndex
CREATE UNIQUE INDEX "order_items_company_id_order_id_position_key" ON "order_items"("company_id", "order_id", "position");

-- CreateIndex
CREATE INDEX "order_status_changes_company_id_order_id_at_idx" ON "order_status_changes"("company_id", "order_id", "at");

-- CreateIndex
CREATE INDEX "products_company_id_created_at_id_idx" ON "products"("company_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "products_company_id_status_created_at_id_idx" ON "products"("company_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "products_company_id_name_sort_id_idx" ON "products"("company_id", "name_sort", "id");

-- CreateIndex
CREATE INDEX "stock_movements_company_id_product_id_at_idx" ON "stock_movements"("company_id", "product_id", "at" DESC);

-- CreateIndex
CREATE INDEX "stock_movements_company_id_order_id_idx" ON "stock_movements"("company_id", "order_id");

-- CreateIndex
CREATE UNIQUE INDEX "quick_replies_company_id_shortcut_key" ON "quick_replies"("company_id", "shortcut");

-- CreateIndex
CREATE INDEX "notifications_company_id_user_id_created_at_id_idx" ON "notifications"("company_id", "user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "idempotency_records_created_at_idx" ON "idempotency_records"("created_at");

-- CreateIndex
CREATE INDEX "request_logs_company_id_created_at_id_idx" ON "request_logs"("company_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "request_logs_company_id_api_key_id_created_at_id_idx" ON "request_logs"("company_id", "api_key_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "request_logs_created_at_idx" ON "request_logs" USING BRIN ("created_at");

-- CreateIndex
CREATE INDEX "tags_company_id_name_sort_id_idx" ON "tags"("company_id", "name_sort", "id");

-- CreateIndex
CREATE INDEX "contact_tags_company_id_tag_id_contact_id_idx" ON "contact_tags"("company_id", "tag_id", "contact_id");

-- CreateIndex
CREATE INDEX "conversation_tags_company_id_tag_id_conversation_id_idx" ON "conversation_tags"("company_id", "tag_id", "conversation_id");

-- CreateIndex
CREATE INDEX "contact_tag_changes_company_id_contact_id_at_idx" ON "contact_tag_changes"("company_id", "contact_id", "at" DESC);

-- CreateIndex
CREATE INDEX "webhook_secrets_company_id_endpoint_id_created_at_idx" ON "webhook_secrets"("company_id", "endpoint_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_company_id_endpoint_id_created_at_id_idx" ON "webhook_deliveries"("company_id", "endpoint_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "webhook_deliveries_created_at_idx" ON "webhook_deliveries" USING BRIN ("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_deliveries_company_id_endpoint_id_event_id_key" ON "webhook_deliveries"("company_id", "endpoint_id", "event_id");

-- CreateIndex
CREATE INDEX "webhook_attempts_company_id_delivery_id_at_idx" ON "webhook_attempts"("company_id", "delivery_id", "at");

-- CreateIndex
CREATE INDEX "drafts_company_id_conversation_id_idx" ON "drafts"("company_id", "conversation_id");

-- CreateIndex
CREATE INDEX "saved_views_company_id_owner_id_idx" ON "saved_views"("company_id", "owner_id");

-- AddForeignKey
ALTER TABLE "companies" ADD CONSTRAINT "companies_sandbox_of_fkey" FOREIGN KEY ("sandbox_of") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "roles" ADD CONSTRAINT "roles_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_company_id_role_id_fkey" FOREIGN KEY ("company_id", "role_id") REFERENCES "roles"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_login_id_fkey" FOREIGN KEY ("login_id") REFERENCES "logins"("id") ON DELETE SET NULL ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "teams" ADD CONSTRAINT "teams_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_company_id_team_id_fkey" FOREIGN KEY ("company_id", "team_id") REFERENCES "teams"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "users"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_role_id_fkey" FOREIGN KEY ("company_id", "role_id") REFERENCES "roles"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "invitations" ADD CONSTRAINT "invitations_company_id_invited_by_id_fkey" FOREIGN KEY ("company_id", "invited_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_company_id_created_by_id_fkey" FOREIGN KEY ("company_id", "created_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "logins"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "logins"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "two_factors" ADD CONSTRAINT "two_factors_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "logins"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_feedback" ADD CONSTRAINT "ai_feedback_company_id_message_id_fkey" FOREIGN KEY ("company_id", "message_id") REFERENCES "messages"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_feedback" ADD CONSTRAINT "ai_feedback_company_id_rated_by_id_fkey" FOREIGN KEY ("company_id", "rated_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_insights" ADD CONSTRAINT "ai_insights_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_suggestions" ADD CONSTRAINT "ai_suggestions_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_suggestions" ADD CONSTRAINT "ai_suggestions_company_id_decided_by_id_fkey" FOREIGN KEY ("company_id", "decided_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_ledger" ADD CONSTRAINT "ai_ledger_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_ledger" ADD CONSTRAINT "ai_ledger_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_ledger" ADD CONSTRAINT "ai_ledger_company_id_message_id_fkey" FOREIGN KEY ("company_id", "message_id") REFERENCES "messages"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ai_ledger" ADD CONSTRAINT "ai_ledger_company_id_approved_by_id_fkey" FOREIGN KEY ("company_id", "approved_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_company_id_agent_id_fkey" FOREIGN KEY ("company_id", "agent_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "bookings" ADD CONSTRAINT "bookings_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "booking_reschedules" ADD CONSTRAINT "booking_reschedules_company_id_booking_id_fkey" FOREIGN KEY ("company_id", "booking_id") REFERENCES "bookings"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_company_id_channel_id_fkey" FOREIGN KEY ("company_id", "channel_id") REFERENCES "channels"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_company_id_media_id_fkey" FOREIGN KEY ("company_id", "media_id") REFERENCES "media"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_company_id_created_by_id_fkey" FOREIGN KEY ("company_id", "created_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "campaign_recipients" ADD CONSTRAINT "campaign_recipients_company_id_campaign_id_fkey" FOREIGN KEY ("company_id", "campaign_id") REFERENCES "campaigns"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "campaign_recipients" ADD CONSTRAINT "campaign_recipients_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "campaign_recipients" ADD CONSTRAINT "campaign_recipients_company_id_message_id_fkey" FOREIGN KEY ("company_id", "message_id") REFERENCES "messages"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "channels" ADD CONSTRAINT "channels_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "simulator_messages" ADD CONSTRAINT "simulator_messages_company_id_channel_id_fkey" FOREIGN KEY ("company_id", "channel_id") REFERENCES "channels"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_company_id_merged_into_id_fkey" FOREIGN KEY ("company_id", "merged_into_id") REFERENCES "contacts"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_identities" ADD CONSTRAINT "contact_identities_company_id_channel_id_fkey" FOREIGN KEY ("company_id", "channel_id") REFERENCES "channels"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_company_id_channel_id_fkey" FOREIGN KEY ("company_id", "channel_id") REFERENCES "channels"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_company_id_assignee_id_fkey" FOREIGN KEY ("company_id", "assignee_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversations" ADD CONSTRAINT "conversations_company_id_team_id_fkey" FOREIGN KEY ("company_id", "team_id") REFERENCES "teams"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_pins" ADD CONSTRAINT "conversation_pins_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "users"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_pins" ADD CONSTRAINT "conversation_pins_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_followers" ADD CONSTRAINT "conversation_followers_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_followers" ADD CONSTRAINT "conversation_followers_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "users"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notes" ADD CONSTRAINT "notes_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_company_id_note_id_fkey" FOREIGN KEY ("company_id", "note_id") REFERENCES "notes"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "note_mentions" ADD CONSTRAINT "note_mentions_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "users"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "timeline_events" ADD CONSTRAINT "timeline_events_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "media" ADD CONSTRAINT "media_company_id_uploaded_by_id_fkey" FOREIGN KEY ("company_id", "uploaded_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_channel_id_fkey" FOREIGN KEY ("company_id", "channel_id") REFERENCES "channels"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_media_id_fkey" FOREIGN KEY ("company_id", "media_id") REFERENCES "media"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_product_id_fkey" FOREIGN KEY ("company_id", "product_id") REFERENCES "products"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_order_id_fkey" FOREIGN KEY ("company_id", "order_id") REFERENCES "orders"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_reply_to_id_fkey" FOREIGN KEY ("company_id", "reply_to_id") REFERENCES "messages"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "messages" ADD CONSTRAINT "messages_company_id_campaign_id_fkey" FOREIGN KEY ("company_id", "campaign_id") REFERENCES "campaigns"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "orders" ADD CONSTRAINT "orders_company_id_campaign_id_fkey" FOREIGN KEY ("company_id", "campaign_id") REFERENCES "campaigns"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_company_id_order_id_fkey" FOREIGN KEY ("company_id", "order_id") REFERENCES "orders"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_items" ADD CONSTRAINT "order_items_company_id_product_id_fkey" FOREIGN KEY ("company_id", "product_id") REFERENCES "products"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_status_changes" ADD CONSTRAINT "order_status_changes_company_id_order_id_fkey" FOREIGN KEY ("company_id", "order_id") REFERENCES "orders"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_counters" ADD CONSTRAINT "order_counters_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_company_id_product_id_fkey" FOREIGN KEY ("company_id", "product_id") REFERENCES "products"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_company_id_order_id_fkey" FOREIGN KEY ("company_id", "order_id") REFERENCES "orders"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "quick_replies" ADD CONSTRAINT "quick_replies_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "quick_replies" ADD CONSTRAINT "quick_replies_company_id_media_id_fkey" FOREIGN KEY ("company_id", "media_id") REFERENCES "media"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "quick_replies" ADD CONSTRAINT "quick_replies_company_id_created_by_id_fkey" FOREIGN KEY ("company_id", "created_by_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_presence" ADD CONSTRAINT "conversation_presence_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_presence" ADD CONSTRAINT "conversation_presence_company_id_holder_id_fkey" FOREIGN KEY ("company_id", "holder_id") REFERENCES "users"("company_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "users"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_tags" ADD CONSTRAINT "contact_tags_company_id_tag_id_fkey" FOREIGN KEY ("company_id", "tag_id") REFERENCES "tags"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_tags" ADD CONSTRAINT "conversation_tags_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "conversation_tags" ADD CONSTRAINT "conversation_tags_company_id_tag_id_fkey" FOREIGN KEY ("company_id", "tag_id") REFERENCES "tags"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "contact_tag_changes" ADD CONSTRAINT "contact_tag_changes_company_id_contact_id_fkey" FOREIGN KEY ("company_id", "contact_id") REFERENCES "contacts"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_secrets" ADD CONSTRAINT "webhook_secrets_company_id_endpoint_id_fkey" FOREIGN KEY ("company_id", "endpoint_id") REFERENCES "webhook_endpoints"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_company_id_endpoint_id_fkey" FOREIGN KEY ("company_id", "endpoint_id") REFERENCES "webhook_endpoints"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_company_id_delivery_id_fkey" FOREIGN KEY ("company_id", "delivery_id") REFERENCES "webhook_deliveries"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_company_id_user_id_fkey" FOREIGN KEY ("company_id", "user_id") REFERENCES "users"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "drafts" ADD CONSTRAINT "drafts_company_id_conversation_id_fkey" FOREIGN KEY ("company_id", "conversation_id") REFERENCES "conversations"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "saved_views" ADD CONSTRAINT "saved_views_company_id_owner_id_fkey" FOREIGN KEY ("company_id", "owner_id") REFERENCES "users"("company_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

