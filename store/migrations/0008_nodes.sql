-- The nodes of a console's cluster, the certificates that let them in, and what
-- probes found between them. Times are Unix milliseconds; key and token are
-- SHA-256 of what is not kept. report is what the node said of itself when it
-- last connected.

-- +goose Up
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

-- Only a certificate with a row here that is not revoked lets a node in, so
-- that a node that is forgotten is out too.
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
