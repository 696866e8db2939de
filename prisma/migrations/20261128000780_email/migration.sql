-- How far the mailboxes of e-mail channels have been read.
CREATE TABLE mailboxes (
  company_id text NOT NULL,
  channel_id text NOT NULL,
  path text NOT NULL,
  uid_validity bigint NOT NULL,
  last_uid bigint NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  CONSTRAINT mailboxes_pkey PRIMARY KEY (company_id, channel_id),
  CONSTRAINT mailboxes_company_id_channel_id_fkey FOREIGN KEY (company_id, channel_id)
    REFERENCES channels (company_id, id) ON DELETE CASCADE ON UPDATE NO ACTION,
  CONSTRAINT mailboxes_uid_check CHECK (uid_validity >= 0 AND last_uid >= 0)
);

-- All that fetch mail, over all companies.
CREATE INDEX channels_email_idx ON channels (id) WHERE kind = 'email';
