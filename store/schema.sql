-- The schema after all migrations; go test ./store -update writes it.

CREATE TABLE calibrations (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    machine  TEXT    NOT NULL CHECK (machine <> ''),
    made_ms  INTEGER NOT NULL,
    document TEXT    NOT NULL CHECK (json_valid(document))
) STRICT;

CREATE INDEX calibrations_by_machine ON calibrations (machine, id);

CREATE TABLE occupied (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    owner    TEXT    NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE opening_keys (
    digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
    created_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL CHECK (expires_ms > created_ms)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER report_versions_are_frozen BEFORE UPDATE ON report_versions BEGIN
    SELECT RAISE(ABORT, 'a saved version of a report never changes');
END;

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

CREATE TABLE reports (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    created_ms INTEGER NOT NULL
) STRICT;

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
, iterations BLOB CHECK (iterations IS NULL OR outcome IN ('done', 'failed', 'cancelled')), schedule BLOB) STRICT;

CREATE INDEX runs_not_ended ON runs (id) WHERE outcome IN ('queued', 'running');

CREATE UNIQUE INDEX runs_one_running ON runs (outcome) WHERE outcome = 'running';

CREATE TABLE sessions (
    digest     BLOB    PRIMARY KEY CHECK (length(digest) = 32),
    content    BLOB    NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_expiry ON sessions (expires_ms);
