-- Reports in versions. A version is written once: its document holds inputs,
-- results and words as they were computed. Times are Unix milliseconds.

-- +goose Up
CREATE TABLE reports (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    created_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE report_versions (
    report     INTEGER NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
    version    INTEGER NOT NULL CHECK (version >= 1),
    created_ms INTEGER NOT NULL,
    title      TEXT    NOT NULL CHECK (title <> ''),
    customer   TEXT    NOT NULL,
    author     TEXT    NOT NULL,
    notes      TEXT    NOT NULL,
    document   TEXT    NOT NULL CHECK (json_valid(document)),
    PRIMARY KEY (report, version)
) STRICT;

-- +goose StatementBegin
CREATE TRIGGER report_versions_are_frozen BEFORE UPDATE ON report_versions BEGIN
    SELECT RAISE(ABORT, 'a saved version of a report never changes');
END;
-- +goose StatementEnd
