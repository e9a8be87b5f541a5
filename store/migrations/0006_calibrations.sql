-- What machines were found to be like, and who measures one just now. Times
-- are Unix milliseconds. machine is calibrate.Fingerprint.Key; the newest
-- calibration of a machine counts.

-- +goose Up
CREATE TABLE calibrations (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    machine  TEXT    NOT NULL CHECK (machine <> ''),
    made_ms  INTEGER NOT NULL,
    document TEXT    NOT NULL CHECK (json_valid(document))
) STRICT;

CREATE INDEX calibrations_by_machine ON calibrations (machine, id);

-- Whoever measures the machine outside of the queue of runs: no run begins
-- meanwhile. One at a time; owner as in runs.
CREATE TABLE occupied (
    id       INTEGER PRIMARY KEY CHECK (id = 1),
    owner    TEXT    NOT NULL,
    since_ms INTEGER NOT NULL
) STRICT;
