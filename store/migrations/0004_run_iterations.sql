-- The time of each counted iteration of a run, packed as store/runtimes.go
-- says: the document stays short, and lists of runs do not read them.

-- +goose Up
ALTER TABLE runs ADD COLUMN iterations BLOB CHECK (iterations IS NULL OR outcome IN ('done', 'failed', 'cancelled'));
