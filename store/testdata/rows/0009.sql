-- Rows as version 9 writes them; they must survive every later migration.
INSERT INTO sessions (digest, content, expires_ms, seen_ms) VALUES (x'0909090909090909090909090909090909090909090909090909090909090909', x'0109', 1796774400000, 1796173200000);
INSERT INTO audit (at_ms, who, via, from_addr, action, target, outcome, detail, said) VALUES
    (1796173200000, '', '', '192.0.2.9', 'node-join', 'b', 'refused', 'no', '{"why":"name","node":"b"}');
