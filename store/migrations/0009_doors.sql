-- Open sessions can be listed: seen_ms is roughly when one was last used, NULL
-- for never since this migration. What strangers cause in the audit log has a
-- bound of its own, so that it does not wash away what members do; said is the
-- JSON of what an entry's detail says, or empty.

-- +goose Up
ALTER TABLE sessions ADD COLUMN seen_ms INTEGER;

ALTER TABLE audit ADD COLUMN said TEXT NOT NULL DEFAULT '' CHECK (said = '' OR json_valid(said));

CREATE INDEX audit_by_strangers ON audit (id) WHERE via = '' AND outcome <> 'ok';

CREATE INDEX audit_by_members ON audit (id) WHERE NOT (via = '' AND outcome <> 'ok');
