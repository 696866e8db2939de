-- What Prisma's schema cannot say: extensions, functions, generated columns, checks, partial and trigram indexes,
-- the exclusion constraint, append-only triggers.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS btree_gist;
CREATE EXTENSION IF NOT EXISTS unaccent;

------------------------------------------------------------------------------------------------------------------
-- Text
------------------------------------------------------------------------------------------------------------------

-- fold_text('Ágata Müller') = 'agata muller'. unaccent() is only STABLE because its dictionary can be replaced; with
-- the dictionary named it is as good as immutable, which generated columns demand. Names are qualified, so that a
-- dump restores with an empty search_path; the extension may live in another schema than ours.
DO $$
DECLARE
  home text := (SELECT quote_ident(n.nspname) FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
                WHERE e.extname = 'unaccent');
BEGIN
  EXECUTE format($sql$
    CREATE FUNCTION fold_text(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $fn$SELECT pg_catalog.lower(%s.unaccent(%L::pg_catalog.regdictionary, value))$fn$
  $sql$, home, home || '.unaccent');
END $$;

-- A name that is missing sorts after every name: U+10FFFF is the last code point. Collation "C" compares bytes, so
-- the order is the same on every installation and (name_sort, id) > ($1, $2) is a plain keyset.
ALTER TABLE contacts
  DROP COLUMN name_sort,
  DROP COLUMN search,
  ALTER COLUMN phone_key TYPE text COLLATE "C",
  ADD COLUMN name_sort text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (coalesce(fold_text(name), U&'\+10FFFF')) STORED,
  ADD COLUMN search text NOT NULL
    GENERATED ALWAYS AS (
      fold_text(coalesce(name, '') || E'\n' || coalesce(email, '') || E'\n' || coalesce(phone, ''))
    ) STORED;

ALTER TABLE tags
  DROP COLUMN name_sort,
  ADD COLUMN name_sort text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(name)) STORED;

ALTER TABLE products
  DROP COLUMN name_sort,
  DROP COLUMN search,
  ADD COLUMN name_sort text COLLATE "C" NOT NULL GENERATED ALWAYS AS (fold_text(name)) STORED,
  ADD COLUMN search text NOT NULL GENERATED ALWAYS AS (fold_text(name || E'\n' || coalesce(sku, ''))) STORED;

ALTER TABLE quick_replies
  DROP COLUMN search,
  ADD COLUMN search text NOT NULL
    GENERATED ALWAYS AS (fold_text(shortcut || E'\n' || coalesce(title, '') || E'\n' || text)) STORED;

------------------------------------------------------------------------------------------------------------------
-- Sequences of the event log
------------------------------------------------------------------------------------------------------------------

-- sequence = (transaction id + offset) << 12 | ordinal within the transaction, so it needs no counter that writers
-- would queue for, and stays below 2^53 for 2^41 transactions. A transaction that took its id early may commit late;
-- therefore readers take only sequences below event_horizon(), under which every transaction has ended: nothing is
-- ever inserted behind a sequence already served.
-- Order within one record follows the order of its changes as long as the unit of work locks the record
-- (SELECT … FOR NO KEY UPDATE) before its first write: a transaction takes its id with its first write or row lock,
-- and that lock is granted only after the previous writer has ended.
INSERT INTO event_epoch (single, xid_offset) VALUES (true, 0);
ALTER TABLE event_epoch ADD CONSTRAINT event_epoch_single_check CHECK (single);

-- Sequence of ordinal 0 of this transaction. For bulk inserts: event_sequence_base() + n, 0 <= n < 4096.
CREATE FUNCTION event_sequence_base() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (pg_current_xact_id()::text::bigint + xid_offset) << 12 FROM event_epoch
$$;

CREATE FUNCTION event_sequence(ordinal integer) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  IF ordinal NOT BETWEEN 0 AND 4095 THEN
    RAISE EXCEPTION 'a transaction has room for 4096 events, got ordinal %', ordinal USING ERRCODE = '22003';
  END IF;
  RETURN event_sequence_base() + ordinal;
END $$;

-- Every event with a smaller sequence is committed or will never be. Transactions that only read do not hold it back;
-- those that write do, in every database of the cluster.
CREATE FUNCTION event_horizon() RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT (pg_snapshot_xmin(pg_current_snapshot())::text::bigint + xid_offset) << 12 FROM event_epoch
$$;

-- To be called once at server start. A dump restored into a fresh cluster brings sequences made of the old cluster's
-- transaction ids, while the new cluster counts from a few hundred. Then the offset is raised until the horizon lies
-- above everything stored: sequences never go backwards and restored events stay readable. Compares with one
-- snapshot, so it is never true by mistake beside running writers. Returns whether it changed anything.
-- The purge of old events keeps the newest row, which this relies on.
CREATE FUNCTION repair_event_epoch() RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  UPDATE event_epoch e
  SET xid_offset = (newest.sequence >> 12) + 1 - pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
      updated_at = now()
  FROM (SELECT greatest((SELECT max(sequence) FROM events), (SELECT max(sequence) FROM event_cursors)) AS sequence) newest
  WHERE (newest.sequence >> 12) >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint + e.xid_offset;
  RETURN FOUND;
END $$;

------------------------------------------------------------------------------------------------------------------
-- Append-only audit log
------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- The one change allowed: sealing a row that is not sealed yet, with nothing else touched.
  IF TG_OP = 'UPDATE' AND OLD.hash IS NULL AND NEW.hash IS NOT NULL
     AND to_jsonb(OLD) - 'hash' - 'prev_hash' = to_jsonb(NEW) - 'hash' - 'prev_hash' THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = '42501';
END $$;

CREATE TRIGGER audit_logs_append_only BEFORE UPDATE OR DELETE ON audit_logs
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_logs_no_truncate BEFORE TRUNCATE ON audit_logs
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();
CREATE INDEX audit_logs_unsealed_idx ON audit_logs (company_id, sequence) WHERE hash IS NULL;

------------------------------------------------------------------------------------------------------------------
-- Ids and lists
------------------------------------------------------------------------------------------------------------------

-- Every id of ours is a ULID. better-auth makes its own ids, the simulator channel makes provider ids.
DO $$
DECLARE
  t text;
BEGIN
  FOR t IN
    SELECT c.table_name FROM information_schema.columns c
    WHERE c.table_schema = current_schema() AND c.column_name = 'id'
      AND c.table_name NOT IN ('logins', 'sessions', 'accounts', 'verifications', 'two_factors',
                               'simulator_messages', 'request_logs', '_prisma_migrations')
  LOOP
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT %I CHECK (octet_length(id) = 26)', t, t || '_id_check');
  END LOOP;
END $$;

-- Removing a company cascades table by table, and references between them are whole again only at the end:
-- BEGIN; SET CONSTRAINTS ALL DEFERRED; DELETE FROM companies …. In every other transaction they are checked at once.
DO $$
DECLARE
  c record;
BEGIN
  FOR c IN
    SELECT conrelid::regclass AS home, conname FROM pg_constraint
    WHERE contype = 'f' AND confdeltype = 'a' AND connamespace = current_schema()::regnamespace
  LOOP
    EXECUTE format('ALTER TABLE %s ALTER CONSTRAINT %I DEFERRABLE INITIALLY IMMEDIATE', c.home, c.conname);
  END LOOP;
END $$;

-- Prisma's lists have no null.
ALTER TABLE roles ALTER COLUMN permissions SET NOT NULL;
ALTER TABLE api_keys ALTER COLUMN scopes SET NOT NULL;
ALTER TABLE conversations ALTER COLUMN tag_ids SET NOT NULL;
ALTER TABLE quick_replies ALTER COLUMN variables SET NOT NULL;
ALTER TABLE webhook_endpoints ALTER COLUMN events SET NOT NULL;
ALTER TABLE audit_logs ALTER COLUMN changed SET NOT NULL;

------------------------------------------------------------------------------------------------------------------
-- Account
------------------------------------------------------------------------------------------------------------------

ALTER TABLE companies
  ADD CONSTRAINT companies_name_check CHECK (char_length(name) BETWEEN 1 AND 191),
  ADD CONSTRAINT companies_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT companies_sandbox_of_check CHECK (sandbox_of <> id),
  ADD CONSTRAINT companies_undo_send_seconds_check CHECK (undo_send_seconds BETWEEN 0 AND 30),
  ADD CONSTRAINT companies_ai_hold_seconds_check CHECK (ai_hold_seconds BETWEEN 0 AND 120),
  ADD CONSTRAINT companies_ai_privacy_check CHECK (ai_privacy IN ('nothing', 'redacted', 'full')),
  ADD CONSTRAINT companies_ai_monthly_budget_check CHECK (ai_monthly_budget >= 0);

ALTER TABLE roles
  ADD CONSTRAINT roles_key_check CHECK (key IN ('owner', 'admin', 'agent')),
  ADD CONSTRAINT roles_name_check CHECK (char_length(name) BETWEEN 1 AND 50);
CREATE UNIQUE INDEX roles_name_key ON roles (company_id, lower(name));

ALTER TABLE users
  ADD CONSTRAINT users_email_check CHECK (char_length(email) BETWEEN 3 AND 191),
  ADD CONSTRAINT users_display_name_check CHECK (char_length(display_name) BETWEEN 1 AND 191),
  ADD CONSTRAINT users_availability_check CHECK (availability IN ('online', 'away', 'offline')),
  ADD CONSTRAINT users_capacity_check CHECK (capacity >= 0),
  -- A mirrored user never signs in.
  ADD CONSTRAINT users_mirror_of_check CHECK (mirror_of IS NULL OR login_id IS NULL);
CREATE UNIQUE INDEX users_email_key ON users (company_id, lower(email));
CREATE UNIQUE INDEX users_sign_in_email_key ON users (lower(email)) WHERE mirror_of IS NULL;

ALTER TABLE teams
  ADD CONSTRAINT teams_name_check CHECK (char_length(name) BETWEEN 1 AND 100),
  -- Lower case, so a slug is never taken for an id.
  ADD CONSTRAINT teams_slug_check CHECK (slug ~ '^[a-z0-9][a-z0-9-]*$' AND char_length(slug) <= 50);

ALTER TABLE invitations
  ADD CONSTRAINT invitations_token_hash_check CHECK (octet_length(token_hash) = 32);

ALTER TABLE api_keys
  ADD CONSTRAINT api_keys_name_check CHECK (char_length(name) BETWEEN 1 AND 191),
  ADD CONSTRAINT api_keys_mode_check CHECK (mode IN ('live', 'test')),
  ADD CONSTRAINT api_keys_secret_hash_check CHECK (octet_length(secret_hash) = 32),
  ADD CONSTRAINT api_keys_last4_check CHECK (char_length(last4) = 4);

ALTER TABLE logins ADD CONSTRAINT logins_email_check CHECK (email = lower(email));

------------------------------------------------------------------------------------------------------------------
-- Contacts and tags
------------------------------------------------------------------------------------------------------------------

ALTER TABLE contacts
  ADD CONSTRAINT contacts_name_check CHECK (char_length(name) <= 191),
  ADD CONSTRAINT contacts_phone_check CHECK (char_length(phone) <= 32),
  ADD CONSTRAINT contacts_phone_key_check CHECK ((phone IS NULL) = (phone_key IS NULL)),
  ADD CONSTRAINT contacts_email_check CHECK (char_length(email) <= 191),
  ADD CONSTRAINT contacts_country_check CHECK (char_length(country) = 2),
  ADD CONSTRAINT contacts_source_check CHECK (char_length(source) <= 20),
  ADD CONSTRAINT contacts_anonymised_at_check CHECK (anonymised_at IS NULL OR deleted_at IS NOT NULL);
CREATE UNIQUE INDEX contacts_phone_key_key ON contacts (company_id, phone_key) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX contacts_email_key ON contacts (company_id, lower(email)) WHERE deleted_at IS NULL;
CREATE INDEX contacts_created_at_idx ON contacts (company_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;
-- Serves the list by name and, since the collation is "C", short needles as a prefix.
CREATE INDEX contacts_name_sort_idx ON contacts (company_id, name_sort, id) WHERE deleted_at IS NULL;
CREATE INDEX contacts_country_idx ON contacts (company_id, country, created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX contacts_blocked_idx ON contacts (company_id, created_at DESC, id DESC)
  WHERE deleted_at IS NULL AND blocked;
CREATE INDEX contacts_unsubscribed_idx ON contacts (company_id, created_at DESC, id DESC)
  WHERE deleted_at IS NULL AND NOT subscribed;
-- search LIKE '%needle%' with the needle folded and %, _ and \ escaped.
CREATE INDEX contacts_search_idx ON contacts USING gin (company_id, search gin_trgm_ops) WHERE deleted_at IS NULL;
-- What the anonymising job looks for.
CREATE INDEX contacts_deleted_at_idx ON contacts (deleted_at) WHERE deleted_at IS NOT NULL AND anonymised_at IS NULL;
CREATE INDEX contacts_merged_into_idx ON contacts (company_id, merged_into_id) WHERE merged_into_id IS NOT NULL;

ALTER TABLE tags
  ADD CONSTRAINT tags_name_check CHECK (char_length(name) BETWEEN 1 AND 50),
  ADD CONSTRAINT tags_color_check CHECK (color ~ '^#[0-9A-Fa-f]{6}$');
CREATE UNIQUE INDEX tags_name_key ON tags (company_id, lower(name));
CREATE INDEX tags_company_id_name_sort_id_idx ON tags (company_id, name_sort, id);

ALTER TABLE contact_tag_changes ADD CONSTRAINT contact_tag_changes_action_check CHECK (action IN ('add', 'remove'));

------------------------------------------------------------------------------------------------------------------
-- Channels
------------------------------------------------------------------------------------------------------------------

ALTER TABLE channels
  ADD CONSTRAINT channels_kind_check CHECK (kind IN
    ('simulator', 'webchat', 'whatsapp', 'messenger', 'instagram', 'tiktok', 'sms', 'email', 'api')),
  ADD CONSTRAINT channels_name_check CHECK (char_length(name) BETWEEN 1 AND 30),
  ADD CONSTRAINT channels_status_check CHECK (status IN ('active', 'disabled', 'failing')),
  ADD CONSTRAINT channels_reopen_hours_check CHECK (reopen_hours >= 0),
  ADD CONSTRAINT channels_campaign_rate_check CHECK (campaign_rate BETWEEN 1 AND 1000);
CREATE UNIQUE INDEX channels_name_key ON channels (company_id, lower(name));
CREATE UNIQUE INDEX channels_default_key ON channels (company_id) WHERE is_default;

------------------------------------------------------------------------------------------------------------------
-- Conversations
------------------------------------------------------------------------------------------------------------------

ALTER TABLE conversations
  ADD CONSTRAINT conversations_status_check CHECK (status IN ('open', 'closed')),
  ADD CONSTRAINT conversations_closed_at_check CHECK (status <> 'closed' OR closed_at IS NOT NULL),
  ADD CONSTRAINT conversations_muted_until_check CHECK (muted OR muted_until IS NULL),
  ADD CONSTRAINT conversations_unread_count_check CHECK (unread_count >= 0),
  ADD CONSTRAINT conversations_rating_check CHECK (rating BETWEEN 1 AND 5),
  ADD CONSTRAINT conversations_held_check CHECK (held_count >= 0 AND (held_count > 0) = (held_until IS NOT NULL)),
  ADD CONSTRAINT conversations_pending_suggestions_check CHECK (pending_suggestions BETWEEN 0 AND 5),
  ADD CONSTRAINT conversations_ai_auto_reply_check CHECK (ai_auto_reply IN ('on', 'paused', 'off'));
-- A message moves its thread in each of these, so there are only as many as lists need: most are partial.
CREATE INDEX conversations_open_idx ON conversations (company_id, last_message_at DESC, id DESC) WHERE status = 'open';
CREATE INDEX conversations_unassigned_idx ON conversations (company_id, last_message_at DESC, id DESC)
  WHERE assignee_id IS NULL AND status = 'open';
CREATE INDEX conversations_assignee_idx ON conversations (company_id, assignee_id, last_message_at DESC, id DESC)
  WHERE assignee_id IS NOT NULL;
CREATE INDEX conversations_team_idx ON conversations (company_id, team_id, last_message_at DESC, id DESC)
  WHERE team_id IS NOT NULL;
-- total_unread counts this index only.
CREATE INDEX conversations_unread_idx ON conversations (company_id, last_message_at DESC, id DESC)
  WHERE unread_count > 0;
CREATE INDEX conversations_archived_idx ON conversations (company_id, last_message_at DESC, id DESC) WHERE archived;
CREATE INDEX conversations_muted_idx ON conversations (company_id, last_message_at DESC, id DESC) WHERE muted;
CREATE INDEX conversations_rating_idx ON conversations (company_id, rating, last_message_at DESC, id DESC)
  WHERE rating IS NOT NULL;
-- Auto-assignment: oldest waiting first.
CREATE INDEX conversations_waiting_idx ON conversations (company_id, waiting_since)
  WHERE waiting_since IS NOT NULL AND assignee_id IS NULL AND status = 'open';

ALTER TABLE notes
  ADD CONSTRAINT notes_text_check CHECK (char_length(text) <= 2000),
  ADD CONSTRAINT notes_author_type_check CHECK (author_type IN ('agent', 'api', 'ai', 'automation', 'system'));
ALTER TABLE note_mentions ADD CONSTRAINT note_mentions_position_check CHECK (position BETWEEN 0 AND 49);
ALTER TABLE timeline_events ADD CONSTRAINT timeline_events_author_type_check CHECK (author_type IN
  ('contact', 'agent', 'api', 'ai', 'campaign', 'automation', 'system'));

ALTER TABLE conversation_presence ADD CONSTRAINT conversation_presence_holder_check
  CHECK ((holder_id IS NULL) = (expires_at IS NULL) AND (typing_until IS NULL OR holder_id IS NOT NULL));

------------------------------------------------------------------------------------------------------------------
-- Messages
------------------------------------------------------------------------------------------------------------------

ALTER TABLE messages
  ADD CONSTRAINT messages_direction_check CHECK (direction IN ('inbound', 'outbound')),
  ADD CONSTRAINT messages_type_check CHECK (type IN ('text', 'media', 'template', 'product', 'order')),
  ADD CONSTRAINT messages_author_type_check CHECK (author_type IN
    ('contact', 'agent', 'ai', 'api', 'campaign', 'automation', 'system')),
  ADD CONSTRAINT messages_status_check CHECK (status IN
    ('received', 'held', 'queued', 'sent', 'delivered', 'read', 'failed', 'cancelled')),
  ADD CONSTRAINT messages_received_check CHECK ((direction = 'inbound') = (status = 'received')),
  -- Inbound may be longer: a mail.
  ADD CONSTRAINT messages_text_check CHECK (direction = 'inbound' OR char_length(text) <= 4096),
  ADD CONSTRAINT messages_text_present_check CHECK (type <> 'text' OR text IS NOT NULL),
  ADD CONSTRAINT messages_held_until_check CHECK ((status = 'held') = (held_until IS NOT NULL)),
  ADD CONSTRAINT messages_held_origin_check CHECK (held_origin IN ('undo', 'ai', 'request')),
  ADD CONSTRAINT messages_held_restarts_check CHECK (held_restarts BETWEEN 0 AND 3),
  ADD CONSTRAINT messages_failure_code_check CHECK (status <> 'failed' OR failure_code IS NOT NULL),
  ADD CONSTRAINT messages_client_ref_check CHECK (char_length(client_ref) <= 64);
CREATE UNIQUE INDEX messages_provider_id_key ON messages (company_id, channel_id, provider_id)
  WHERE provider_id IS NOT NULL;
CREATE UNIQUE INDEX messages_client_ref_key ON messages (company_id, conversation_id, client_ref)
  WHERE client_ref IS NOT NULL;
-- The hold timer, over all companies.
CREATE INDEX messages_held_until_idx ON messages (held_until) WHERE status = 'held';
-- The batch of a thread, and the next one to send: sends of a thread are serial.
CREATE INDEX messages_waiting_idx ON messages (company_id, conversation_id, at) WHERE status IN ('held', 'queued');
-- text ILIKE '%needle%': a bounded probe for rare words. Common words walk the newest threads instead.
CREATE INDEX messages_text_idx ON messages USING gin (company_id, text gin_trgm_ops) WHERE text IS NOT NULL;
-- Foreign keys: deleting what they refer to must not read every message.
CREATE INDEX messages_media_idx ON messages (company_id, media_id) WHERE media_id IS NOT NULL;
CREATE INDEX messages_product_idx ON messages (company_id, product_id) WHERE product_id IS NOT NULL;
CREATE INDEX messages_order_idx ON messages (company_id, order_id) WHERE order_id IS NOT NULL;
CREATE INDEX messages_reply_to_idx ON messages (company_id, reply_to_id) WHERE reply_to_id IS NOT NULL;
CREATE INDEX messages_campaign_idx ON messages (company_id, campaign_id) WHERE campaign_id IS NOT NULL;

------------------------------------------------------------------------------------------------------------------
-- Media and quick replies
------------------------------------------------------------------------------------------------------------------

ALTER TABLE media
  ADD CONSTRAINT media_kind_check CHECK (kind IN ('image', 'video', 'audio', 'document', 'sticker')),
  ADD CONSTRAINT media_size_check CHECK (size BETWEEN 0 AND 104857600),
  ADD CONSTRAINT media_filename_check CHECK (char_length(filename) <= 191),
  ADD CONSTRAINT media_dimensions_check CHECK (width > 0 AND height > 0 AND duration_ms >= 0),
  ADD CONSTRAINT media_sha256_check CHECK (octet_length(sha256) = 32),
  ADD CONSTRAINT media_url_token_check CHECK (char_length(url_token) >= 22);
CREATE INDEX media_expires_at_idx ON media (expires_at) WHERE expires_at IS NOT NULL;

ALTER TABLE quick_replies
  ADD CONSTRAINT quick_replies_shortcut_check
    CHECK (shortcut ~ '^[a-z0-9][a-z0-9_-]*$' AND char_length(shortcut) <= 50),
  ADD CONSTRAINT quick_replies_title_check CHECK (char_length(title) <= 100),
  ADD CONSTRAINT quick_replies_text_check CHECK (char_length(text) BETWEEN 1 AND 4096),
  ADD CONSTRAINT quick_replies_category_check CHECK (char_length(category) <= 50),
  ADD CONSTRAINT quick_replies_usage_count_check CHECK (usage_count >= 0);
CREATE INDEX quick_replies_media_idx ON quick_replies (company_id, media_id) WHERE media_id IS NOT NULL;

------------------------------------------------------------------------------------------------------------------
-- Products and orders
------------------------------------------------------------------------------------------------------------------

ALTER TABLE products
  ADD CONSTRAINT products_name_check CHECK (char_length(name) BETWEEN 1 AND 191),
  ADD CONSTRAINT products_sku_check CHECK (char_length(sku) <= 64),
  ADD CONSTRAINT products_description_check CHECK (char_length(description) <= 5000),
  ADD CONSTRAINT products_image_url_check CHECK (char_length(image_url) <= 2048),
  ADD CONSTRAINT products_price_check CHECK (price BETWEEN 0 AND 999999999999),
  ADD CONSTRAINT products_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT products_status_check CHECK (status IN ('draft', 'active', 'archived')),
  ADD CONSTRAINT products_stock_check CHECK (stock BETWEEN 0 AND 1000000000),
  ADD CONSTRAINT products_reserved_check CHECK (reserved >= 0);
CREATE UNIQUE INDEX products_sku_key ON products (company_id, sku) WHERE sku IS NOT NULL;
CREATE INDEX products_company_id_name_sort_id_idx ON products (company_id, name_sort, id);
-- The predicate is always true; it keeps the index out of sight of Prisma, whose schema cannot name a hidden field.
CREATE INDEX products_search_idx ON products USING gin (company_id, search gin_trgm_ops) WHERE search IS NOT NULL;

ALTER TABLE stock_movements
  ADD CONSTRAINT stock_movements_kind_check CHECK (kind IN
    ('initial', 'sale', 'return', 'adjustment', 'recount', 'import', 'untracked')),
  ADD CONSTRAINT stock_movements_stock_after_check CHECK (stock_after >= 0);

ALTER TABLE orders
  ADD CONSTRAINT orders_number_check CHECK (number > 0),
  ADD CONSTRAINT orders_status_check CHECK (status IN
    ('pending', 'confirmed', 'processing', 'shipped', 'delivered', 'completed', 'cancelled', 'returned')),
  ADD CONSTRAINT orders_payment_status_check CHECK (payment_status IN ('unpaid', 'paid', 'refunded')),
  ADD CONSTRAINT orders_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT orders_amounts_check CHECK (
    subtotal BETWEEN 0 AND 999999999999 AND discount BETWEEN 0 AND 999999999999
    AND shipping_fee BETWEEN 0 AND 999999999999 AND tax BETWEEN 0 AND 999999999999
    AND total BETWEEN 0 AND 999999999999),
  ADD CONSTRAINT orders_total_check CHECK (total = subtotal - discount + shipping_fee + tax),
  -- What was paid is refunded in the same step.
  ADD CONSTRAINT orders_cancelled_paid_check CHECK (status <> 'cancelled' OR payment_status <> 'paid'),
  ADD CONSTRAINT orders_cancelled_at_check CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
  ADD CONSTRAINT orders_cancel_reason_check CHECK (
    cancel_reason IN ('customer', 'inventory', 'fraud', 'declined', 'staff', 'other')
    AND (cancel_reason IS NULL OR status = 'cancelled')),
  ADD CONSTRAINT orders_source_check CHECK (source IN ('api', 'agent', 'ai', 'campaign', 'catalog')),
  ADD CONSTRAINT orders_notes_check CHECK (char_length(notes) <= 2000),
  ADD CONSTRAINT orders_external_id_check CHECK (char_length(external_id) <= 64);
CREATE UNIQUE INDEX orders_external_id_key ON orders (company_id, external_id) WHERE external_id IS NOT NULL;
CREATE INDEX orders_conversation_idx ON orders (company_id, conversation_id, created_at DESC, id DESC)
  WHERE conversation_id IS NOT NULL;
CREATE INDEX orders_campaign_idx ON orders (company_id, campaign_id) WHERE campaign_id IS NOT NULL;

ALTER TABLE order_items
  ADD CONSTRAINT order_items_position_check CHECK (position BETWEEN 0 AND 99),
  ADD CONSTRAINT order_items_name_check CHECK (char_length(name) BETWEEN 1 AND 191),
  ADD CONSTRAINT order_items_quantity_check CHECK (quantity BETWEEN 1 AND 9999),
  ADD CONSTRAINT order_items_unit_price_check CHECK (unit_price BETWEEN 0 AND 999999999999),
  ADD CONSTRAINT order_items_total_check CHECK (total = quantity * unit_price);

ALTER TABLE order_status_changes
  ADD CONSTRAINT order_status_changes_status_check CHECK (status IN
    ('pending', 'confirmed', 'processing', 'shipped', 'delivered', 'completed', 'cancelled', 'returned')),
  ADD CONSTRAINT order_status_changes_payment_status_check CHECK (payment_status IN ('unpaid', 'paid', 'refunded')),
  ADD CONSTRAINT order_status_changes_note_check CHECK (char_length(note) <= 500);

ALTER TABLE order_counters ADD CONSTRAINT order_counters_last_number_check CHECK (last_number >= 0);

------------------------------------------------------------------------------------------------------------------
-- Bookings
------------------------------------------------------------------------------------------------------------------

ALTER TABLE bookings
  ADD CONSTRAINT bookings_title_check CHECK (char_length(title) BETWEEN 1 AND 191),
  ADD CONSTRAINT bookings_status_check CHECK (status IN ('pending', 'confirmed', 'cancelled', 'completed', 'no_show')),
  ADD CONSTRAINT bookings_duration_check CHECK (ends_at > starts_at AND ends_at - starts_at <= interval '24 hours'),
  ADD CONSTRAINT bookings_location_check CHECK (char_length(location) <= 191),
  ADD CONSTRAINT bookings_notes_check CHECK (char_length(notes) <= 2000),
  ADD CONSTRAINT bookings_cancel_reason_check CHECK (char_length(cancel_reason) <= 500),
  -- Half-open ranges: back-to-back bookings touch, they do not overlap.
  ADD CONSTRAINT bookings_no_overlap EXCLUDE USING gist (
    company_id WITH =, agent_id WITH =, tstzrange(starts_at, ends_at, '[)') WITH &&
  ) WHERE (status IN ('pending', 'confirmed') AND deleted_at IS NULL);
CREATE INDEX bookings_conversation_idx ON bookings (company_id, conversation_id) WHERE conversation_id IS NOT NULL;

------------------------------------------------------------------------------------------------------------------
-- Campaigns
------------------------------------------------------------------------------------------------------------------

ALTER TABLE campaigns
  ADD CONSTRAINT campaigns_name_check CHECK (char_length(name) BETWEEN 1 AND 191),
  ADD CONSTRAINT campaigns_status_check CHECK (status IN
    ('draft', 'scheduled', 'queued', 'sending', 'paused', 'cancelling', 'cancelled', 'completed', 'failed')),
  ADD CONSTRAINT campaigns_pause_reason_check CHECK (pause_reason IN ('manual', 'error_rate', 'channel_down')),
  ADD CONSTRAINT campaigns_text_check CHECK (char_length(text) <= 4096),
  ADD CONSTRAINT campaigns_scheduled_at_check CHECK (status <> 'scheduled' OR scheduled_at IS NOT NULL),
  ADD CONSTRAINT campaigns_stats_check CHECK (
    total = pending + sent + failed + skipped AND pending >= 0 AND sent >= 0 AND failed >= 0 AND skipped >= 0
    AND read >= 0 AND delivered >= read AND sent >= delivered
    AND replied >= 0 AND unsubscribed >= 0 AND order_count >= 0 AND revenue >= 0);
CREATE INDEX campaigns_scheduled_at_idx ON campaigns (scheduled_at) WHERE status = 'scheduled';
CREATE INDEX campaigns_active_idx ON campaigns (company_id, channel_id) WHERE status IN ('queued', 'sending', 'cancelling');
CREATE INDEX campaigns_media_idx ON campaigns (company_id, media_id) WHERE media_id IS NOT NULL;

ALTER TABLE campaign_recipients
  ADD CONSTRAINT campaign_recipients_status_check CHECK (status IN
    ('pending', 'claimed', 'sent', 'delivered', 'read', 'failed', 'skipped')),
  ADD CONSTRAINT campaign_recipients_skip_reason_check CHECK (
    skip_reason IN ('unsubscribed', 'blocked', 'no_address', 'duplicate', 'template_rejected', 'quiet_hours_expired')
    AND (status = 'skipped') = (skip_reason IS NOT NULL));
-- Claimed in order with FOR UPDATE SKIP LOCKED.
CREATE INDEX campaign_recipients_pending_idx ON campaign_recipients (company_id, campaign_id, position)
  WHERE status = 'pending';
CREATE INDEX campaign_recipients_claimed_idx ON campaign_recipients (company_id, campaign_id, claimed_at)
  WHERE status = 'claimed';

------------------------------------------------------------------------------------------------------------------
-- AI
------------------------------------------------------------------------------------------------------------------

ALTER TABLE ai_feedback ADD CONSTRAINT ai_feedback_rating_check CHECK (rating IN (-1, 1));
ALTER TABLE ai_insights
  ADD CONSTRAINT ai_insights_sentiment_check CHECK (sentiment IN ('positive', 'neutral', 'negative')),
  ADD CONSTRAINT ai_insights_purchase_likelihood_check CHECK (purchase_likelihood IN ('low', 'medium', 'high', 'unknown')),
  ADD CONSTRAINT ai_insights_intent_key_check CHECK (intent_key IN
    ('product_question', 'price', 'order_status', 'booking', 'complaint', 'return', 'greeting', 'other'));
ALTER TABLE ai_suggestions
  ADD CONSTRAINT ai_suggestions_kind_check CHECK (kind IN ('reply', 'tag', 'tip')),
  ADD CONSTRAINT ai_suggestions_status_check CHECK (status IN ('pending', 'APPROVED', 'DISMISSED', 'EXPIRED')),
  ADD CONSTRAINT ai_suggestions_tag_check CHECK ((kind = 'tag') = (tag_id IS NOT NULL));
CREATE UNIQUE INDEX ai_suggestions_pending_key ON ai_suggestions (company_id, conversation_id, kind, md5(text))
  WHERE status = 'pending';
CREATE INDEX ai_suggestions_expiry_idx ON ai_suggestions (created_at) WHERE status = 'pending';
ALTER TABLE ai_ledger
  ADD CONSTRAINT ai_ledger_input_hash_check CHECK (octet_length(input_hash) = 32),
  ADD CONSTRAINT ai_ledger_purpose_check CHECK (purpose IN ('reply', 'suggestions', 'insights', 'rewrite', 'summary')),
  ADD CONSTRAINT ai_ledger_outcome_check CHECK (outcome IN ('ok', 'refused', 'malformed', 'timeout', 'error', 'budget')),
  ADD CONSTRAINT ai_ledger_figures_check CHECK (input_tokens >= 0 AND output_tokens >= 0 AND cost >= 0 AND latency_ms >= 0);
CREATE INDEX ai_ledger_conversation_idx ON ai_ledger (company_id, conversation_id) WHERE conversation_id IS NOT NULL;

------------------------------------------------------------------------------------------------------------------
-- Webhooks
------------------------------------------------------------------------------------------------------------------

ALTER TABLE webhook_endpoints
  ADD CONSTRAINT webhook_endpoints_url_check CHECK (char_length(url) BETWEEN 1 AND 2048),
  ADD CONSTRAINT webhook_endpoints_events_check CHECK (cardinality(events) >= 1),
  ADD CONSTRAINT webhook_endpoints_disabled_check CHECK (
    disabled_reason IN ('manual', 'gone', 'failing') AND enabled = (disabled_reason IS NULL));
CREATE UNIQUE INDEX webhook_secrets_current_key ON webhook_secrets (company_id, endpoint_id) WHERE expires_at IS NULL;
ALTER TABLE webhook_deliveries
  ADD CONSTRAINT webhook_deliveries_status_check CHECK (status IN
    ('pending', 'retrying', 'succeeded', 'exhausted', 'discarded')),
  ADD CONSTRAINT webhook_deliveries_next_attempt_at_check
    CHECK ((status IN ('pending', 'retrying')) = (next_attempt_at IS NOT NULL)),
  ADD CONSTRAINT webhook_deliveries_attempts_check CHECK (attempts >= 0);
-- The dispatcher's queue, over all companies.
CREATE INDEX webhook_deliveries_due_idx ON webhook_deliveries (next_attempt_at, company_id, endpoint_id)
  WHERE status IN ('pending', 'retrying');
-- First attempts of a thread, in order.
CREATE INDEX webhook_deliveries_order_idx ON webhook_deliveries (company_id, endpoint_id, conversation_id, sequence)
  WHERE status = 'pending';
ALTER TABLE webhook_attempts
  ADD CONSTRAINT webhook_attempts_number_check CHECK (number >= 1),
  ADD CONSTRAINT webhook_attempts_trigger_check CHECK (trigger IN ('schedule', 'manual')),
  ADD CONSTRAINT webhook_attempts_response_body_check CHECK (octet_length(response_body) <= 4096);

------------------------------------------------------------------------------------------------------------------
-- Events, requests, workspace
------------------------------------------------------------------------------------------------------------------

ALTER TABLE events ADD CONSTRAINT events_family_check CHECK (family IN
  ('message', 'conversation', 'contact', 'product', 'order', 'booking', 'campaign', 'ai_suggestion', 'webhook'));

ALTER TABLE idempotency_records
  ADD CONSTRAINT idempotency_records_key_check CHECK (char_length(key) BETWEEN 1 AND 255),
  ADD CONSTRAINT idempotency_records_fingerprint_check CHECK (octet_length(fingerprint) = 32),
  ADD CONSTRAINT idempotency_records_status_check CHECK (status BETWEEN 200 AND 299);

ALTER TABLE request_logs
  ADD CONSTRAINT request_logs_surface_check CHECK (surface IN ('rest', 'trpc', 'graphql')),
  ADD CONSTRAINT request_logs_duration_ms_check CHECK (duration_ms >= 0);

ALTER TABLE drafts
  ADD CONSTRAINT drafts_mode_check CHECK (mode IN ('reply', 'note')),
  ADD CONSTRAINT drafts_text_check CHECK (char_length(text) <= 4096);

ALTER TABLE saved_views
  ADD CONSTRAINT saved_views_name_check CHECK (char_length(name) BETWEEN 1 AND 100),
  ADD CONSTRAINT saved_views_resource_check CHECK (resource IN
    ('conversations', 'contacts', 'products', 'orders', 'bookings', 'campaigns'));

ALTER TABLE notifications ADD CONSTRAINT notifications_kind_check CHECK (kind IN
  ('mention', 'assigned', 'transferred', 'reply', 'system'));
CREATE INDEX notifications_unread_idx ON notifications (company_id, user_id, created_at DESC) WHERE read_at IS NULL;
CREATE INDEX notifications_conversation_idx ON notifications (company_id, conversation_id)
  WHERE conversation_id IS NOT NULL;
