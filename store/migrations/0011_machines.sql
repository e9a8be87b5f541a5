-- Systems of which somebody has kept logs, for predictions that rest on them.
-- document is measured.Kept; times are Unix milliseconds.

-- +goose Up
CREATE TABLE machines (
    name     TEXT    PRIMARY KEY CHECK (name <> ''),
    made_ms  INTEGER NOT NULL,
    document TEXT    NOT NULL CHECK (json_valid(document))
) STRICT, WITHOUT ROWID;
