-- Rows as version 6 writes them; they must survive every later migration.
INSERT INTO calibrations (machine, made_ms, document) VALUES
    ('AMD EPYC|2|amd64|6.8.0-45-generic|development 0123456789ab', 1796083200000,
     '{"version":1,"machine":{"cpu":"AMD EPYC","cpus":2,"arch":"amd64","kernel":"6.8.0-45-generic","build":"development 0123456789ab"},"made":"2026-12-01T12:00:00Z","took_s":9.5,"measured":[],"found":[]}');
INSERT INTO occupied (id, owner, since_ms) VALUES (1, '3f2a9c01d4e5b687', 1796083200000);
