-- Who may come in: opening keys not yet used, and open sessions.
-- Keys and session tokens are kept as SHA-256 only. Times are Unix milliseconds.

-- +goose Up
CREATE TABLE opening_keys (
    digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms)
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
    content    BLOB    NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_expiry ON sessions (expires_ms);
