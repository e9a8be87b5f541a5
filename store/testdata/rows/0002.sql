-- Rows as version 2 writes them; they must survive every later migration.
INSERT INTO runs (outcome, owner, created_ms, started_ms, ended_ms, document, rounds, trace) VALUES
    ('done', '3f2a9c01d4e5b687', 1764590400000, 1764590400100, 1764590401000,
     '{"version":1,"id":"","outcome":"done","collective":"all-reduce","algorithm":"ring","backend":"host","link":"tcp","ranks":2,"nodes":1,"size_bytes":8,"dtype":"float32","op":"sum","schedule_hash":"00","iterations":1,"time_s":{"min":0.001,"median":0.001,"p95":0.001},"algbw_gbytes_per_s":0.000008,"busbw_gbytes_per_s":0.000008,"predicted_s":0.002,"verified":true,"events":1,"slices":1,"warnings":[],"created":"2025-12-01T12:00:00Z"}',
     '[0.001,0.002]', NULL),
    ('queued', '0000000000000000', 1764590400000, NULL, NULL,
     '{"version":1,"id":"","outcome":"queued","collective":"all-reduce","algorithm":"central","backend":"host","link":"tcp","ranks":2,"nodes":1,"size_bytes":8,"dtype":"float32","op":"sum","iterations":1,"verified":false,"events":0,"slices":1,"warnings":[],"created":"2025-12-01T12:00:00Z"}',
     NULL, NULL);
