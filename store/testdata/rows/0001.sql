-- Rows as version 1 writes them; they must survive every later migration.
INSERT INTO opening_keys (digest, created_ms, expires_ms) VALUES (zeroblob(32), 1764590400000, 1764676800000);
INSERT INTO sessions (digest, content, expires_ms) VALUES (zeroblob(32), x'2a', 1765195200000);
