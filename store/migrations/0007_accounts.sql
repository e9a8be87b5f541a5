-- Who may come in by name or by token, and what was done. Passwords are kept
-- as argon2id hashes, tokens as SHA-256. Times are Unix milliseconds.

-- +goose Up
CREATE TABLE users (
    name       TEXT    PRIMARY KEY CHECK (name <> ''),
    role       TEXT    NOT NULL CHECK (role IN ('viewer', 'presenter', 'admin')),
    hash       TEXT    NOT NULL CHECK (hash <> ''),
    epoch      TEXT    NOT NULL CHECK (epoch <> ''),
    created_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE tokens (
    id         TEXT    PRIMARY KEY CHECK (id <> ''),
    kind       TEXT    NOT NULL CHECK (kind IN ('join', 'api')),
    role       TEXT    NOT NULL CHECK (role IN ('', 'viewer', 'presenter', 'admin')),
    label      TEXT    NOT NULL,
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    created_by TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
    used_ms    INTEGER,
    revoked_ms INTEGER
) STRICT, WITHOUT ROWID;

-- Entries are only ever added, and dropped from the old end.
CREATE TABLE audit (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms     INTEGER NOT NULL,
    who       TEXT    NOT NULL,
    via       TEXT    NOT NULL,
    from_addr TEXT    NOT NULL,
    action    TEXT    NOT NULL CHECK (action <> ''),
    target    TEXT    NOT NULL,
    outcome   TEXT    NOT NULL,
    detail    TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_by_action ON audit (action, id);
CREATE INDEX audit_by_who ON audit (who, id);
