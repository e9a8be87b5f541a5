-- The schema after all migrations; go test ./store -update writes it.

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
, said TEXT NOT NULL DEFAULT '' CHECK (said = '' OR json_valid(said))) STRICT;

CREATE INDEX audit_by_action ON audit (action, id);

CREATE INDEX audit_by_members ON audit (id) WHERE NOT (via = '' AND outcome <> 'ok');

CREATE INDEX audit_by_strangers ON audit (id) WHERE via = '' AND outcome <> 'ok';

CREATE INDEX audit_by_who ON audit (who, id);

CREATE TABLE calibrations (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    machine  TEXT    NOT NULL CHECK (machine <> ''),
    made_ms  INTEGER NOT NULL,
    document TEXT    NOT NULL CHECK (json_valid(document))
) STRICT;

CREATE INDEX calibrations_by_machine ON calibrations (machine, id);

CREATE TABLE comparison_points (
    comparison INTEGER NOT NULL REFERENCES comparisons (id) ON DELETE CASCADE,
    place      INTEGER NOT NULL CHECK (place >= 0),
    run        INTEGER REFERENCES runs (id),
    reason     TEXT    NOT NULL CHECK ((run IS NULL) = (reason <> '')),
    says       TEXT    NOT NULL,
    PRIMARY KEY (comparison, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE comparisons (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    owner      TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    ended_ms   INTEGER,
    state      TEXT    NOT NULL CHECK (state IN ('running', 'done', 'stopped')),
    document   TEXT    NOT NULL CHECK (json_valid(document)),
    CHECK ((ended_ms IS NULL) = (state = 'running'))
) STRICT;

CREATE TABLE entries (
    kind       TEXT    NOT NULL CHECK (kind IN ('accelerators', 'systems', 'fabrics', 'models')),
    id         TEXT    NOT NULL CHECK (id <> ''),
    document   TEXT    NOT NULL CHECK (json_valid(document)),
    changed_by TEXT    NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (kind, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE machines (
    name     TEXT    PRIMARY KEY CHECK (name <> ''),
    made_ms  INTEGER NOT NULL,
    document TEXT    NOT NULL CHECK (json_valid(document))
) STRICT, WITHOUT ROWID;

CREATE TABLE node_certificates (
    serial     TEXT    PRIMARY KEY CHECK (serial <> ''),
    node       TEXT    NOT NULL REFERENCES nodes (name) ON DELETE CASCADE,
    issued_ms  INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL CHECK (expires_ms > issued_ms),
    revoked    INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX node_certificates_by_node ON node_certificates (node, issued_ms);

CREATE TABLE node_links (
    from_node   TEXT    NOT NULL REFERENCES nodes (name) ON DELETE CASCADE,
    to_node     TEXT    NOT NULL REFERENCES nodes (name) ON DELETE CASCADE,
    measured_ms INTEGER NOT NULL,
    document    TEXT    NOT NULL CHECK (json_valid(document)),
    PRIMARY KEY (from_node, to_node)
) STRICT, WITHOUT ROWID;

CREATE TABLE nodes (
    name      TEXT    PRIMARY KEY CHECK (name <> ''),
    key       BLOB    NOT NULL CHECK (length(key) = 32),
    token     BLOB    NOT NULL CHECK (length(token) = 32),
    joined_ms INTEGER NOT NULL,
    seen_ms   INTEGER,
    draining  INTEGER NOT NULL DEFAULT 0 CHECK (draining IN (0, 1)),
    revoked   INTEGER NOT NULL DEFAULT 0 CHECK (revoked IN (0, 1)),
    report    TEXT    CHECK (report IS NULL OR json_valid(report))
) STRICT, WITHOUT ROWID;

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
    document   TEXT    NOT NULL CHECK (json_valid(document)), seller TEXT NOT NULL DEFAULT '', valid_until TEXT NOT NULL DEFAULT '', logo BLOB, contact TEXT NOT NULL DEFAULT '',
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
, seen_ms INTEGER) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_by_expiry ON sessions (expires_ms);

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

CREATE TABLE users (
    name       TEXT    PRIMARY KEY CHECK (name <> ''),
    role       TEXT    NOT NULL CHECK (role IN ('viewer', 'presenter', 'admin')),
    hash       TEXT    NOT NULL CHECK (hash <> ''),
    epoch      TEXT    NOT NULL CHECK (epoch <> ''),
    created_ms INTEGER NOT NULL,
    changed_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
