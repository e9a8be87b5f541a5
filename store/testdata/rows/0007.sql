-- Rows as version 7 writes them; they must survive every later migration.
INSERT INTO users (name, role, hash, epoch, created_ms, changed_ms) VALUES
    ('ada', 'admin', '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$RdescudvJCsgt3ub+b+dWRWJTmaaJObG', 'ZV6D', 1764590400000, 1764590400000);
INSERT INTO tokens (id, kind, role, label, digest, created_by, created_ms, expires_ms, used_ms, revoked_ms) VALUES
    ('k2j4h6g8', 'api', 'viewer', 'nightly report', zeroblob(32), 'ada', 1764590400000, 1772366400000, 1764590460000, NULL),
    ('m3n5b7v9', 'join', '', '', x'0101010101010101010101010101010101010101010101010101010101010101', 'ada', 1764590400000, 1764594000000, NULL, 1764590460000);
INSERT INTO audit (at_ms, who, via, from_addr, action, target, outcome, detail) VALUES
    (1764590400000, 'ada', 'password', '192.0.2.7', 'login', '', 'ok', '');
