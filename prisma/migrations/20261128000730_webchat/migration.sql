-- The snippet on a web page names the channel alone, so it is found without its company.
CREATE INDEX channels_webchat_idx ON channels (id) WHERE kind = 'webchat';
