-- Runs: what was asked, how it stands or ended, and the trace of what happened.
-- Times are Unix milliseconds. The document is the run as `console run --json`
-- prints it, but for id and outcome, which stand in their columns. owner names
-- the process that will end the run; it lives as long as it holds the lock of
-- owners/<owner>.lock in the data folder.

-- +goose Up
CREATE TABLE runs (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    outcome    TEXT    NOT NULL CHECK (outcome IN ('queued', 'running', 'done', 'failed', 'cancelled')),
    owner      TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER CHECK (started_ms IS NOT NULL OR outcome NOT IN ('running', 'done')),
    ended_ms   INTEGER CHECK ((ended_ms IS NULL) = (outcome IN ('queued', 'running'))),
    document   TEXT    NOT NULL CHECK (json_valid(document)),
    rounds     TEXT    CHECK (rounds IS NULL OR json_valid(rounds)), -- predicted end of each, in seconds
    trace      BLOB    CHECK (trace IS NULL OR outcome IN ('done', 'failed', 'cancelled'))
) STRICT;

CREATE INDEX runs_not_ended ON runs (id) WHERE outcome IN ('queued', 'running');

-- Two measured runs at a time would measure each other.
CREATE UNIQUE INDEX runs_one_running ON runs (outcome) WHERE outcome = 'running';
