-- Users' own entries of the catalogue: accelerators, systems, fabrics and
-- models beside those that the program carries. document is the entry as
-- catalog.Read has completed it. Times are Unix milliseconds.

-- +goose Up
CREATE TABLE entries (
    kind       TEXT    NOT NULL CHECK (kind IN ('accelerators', 'systems', 'fabrics', 'models')),
    id         TEXT    NOT NULL CHECK (id <> ''),
    document   TEXT    NOT NULL CHECK (json_valid(document)),
    changed_by TEXT    NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;
