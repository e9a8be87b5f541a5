-- Whose report it is, until when it holds, and the links that let people without
-- an account read it. Of a link only the SHA-256 of its secret is kept. Times
-- are Unix milliseconds; a logo is a PNG.

-- +goose Up
ALTER TABLE report_versions ADD COLUMN seller TEXT NOT NULL DEFAULT '';
ALTER TABLE report_versions ADD COLUMN valid_until TEXT NOT NULL DEFAULT '';
ALTER TABLE report_versions ADD COLUMN logo BLOB;

CREATE TABLE report_shares (
    id         TEXT    PRIMARY KEY CHECK (id <> ''),
    digest     BLOB    NOT NULL UNIQUE CHECK (length(digest) = 32),
    report     INTEGER NOT NULL,
    version    INTEGER NOT NULL,
    lang       TEXT    NOT NULL CHECK (lang IN ('zh', 'en')),
    created_by TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms),
    revoked_ms INTEGER,
    FOREIGN KEY (report, version) REFERENCES report_versions (report, version) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX report_shares_by_report ON report_shares (report, version);
