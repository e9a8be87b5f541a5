-- Rows as version 8 writes them; they must survive every later migration.
INSERT INTO nodes (name, key, token, joined_ms, seen_ms, draining, revoked, report) VALUES
    ('gpu-a', zeroblob(32), zeroblob(32), 1796083200000, 1796086800000, 1, 0,
     '{"build":"development 0123456789ab","limits":{"ranks":8},"node":{}}'),
    ('gpu-b', zeroblob(32), zeroblob(32), 1796083200000, NULL, 0, 1, NULL);
INSERT INTO node_certificates (serial, node, issued_ms, expires_ms, revoked) VALUES
    ('4f00000000000000000000000000000a', 'gpu-a', 1796083200000, 1796169600000, 0),
    ('4f00000000000000000000000000000b', 'gpu-b', 1796083200000, 1796169600000, 1);
INSERT INTO node_links (from_node, to_node, measured_ms, document) VALUES
    ('gpu-a', 'gpu-b', 1796086800000,
     '{"from":"gpu-a","to":"gpu-b","latency_s":0.000012,"rate_bytes_per_s":12500000000,"measured_at":"2026-12-01T13:00:00Z"}');
