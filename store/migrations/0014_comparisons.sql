-- Comparisons: the same collective in several ways over a range of sizes. What
-- was asked is in the document; the runs are ordinary ones. A point without a
-- run says why. Times are Unix milliseconds; owner as in runs.

-- +goose Up
CREATE TABLE comparisons (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    owner      TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    ended_ms   INTEGER,
    state      TEXT    NOT NULL CHECK (state IN ('running', 'done', 'stopped')),
    document   TEXT    NOT NULL CHECK (json_valid(document)),
    CHECK ((ended_ms IS NULL) = (state = 'running'))
) STRICT;

CREATE TABLE comparison_points (
    comparison INTEGER NOT NULL REFERENCES comparisons (id) ON DELETE CASCADE,
    place      INTEGER NOT NULL CHECK (place >= 0),
    run        INTEGER REFERENCES runs (id),
    reason     TEXT    NOT NULL CHECK ((run IS NULL) = (reason <> '')),
    says       TEXT    NOT NULL,
    PRIMARY KEY (comparison, place)
) STRICT, WITHOUT ROWID;
