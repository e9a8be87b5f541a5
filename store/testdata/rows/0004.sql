-- Rows as version 4 writes them; they must survive every later migration.
INSERT INTO runs (outcome, owner, created_ms, started_ms, ended_ms, document, rounds, trace, iterations) VALUES
    ('done', '3f2a9c01d4e5b687', 1796083200000, 1796083200100, 1796083201000,
     '{"version":1,"id":"","outcome":"done","collective":"all-reduce","algorithm":"ring","backend":"host","link":"tcp","ranks":2,"nodes":1,"size_bytes":8,"dtype":"float32","op":"sum","schedule_hash":"00","iterations":2,"time_s":{"min":0.001,"median":0.0011,"p95":0.0012},"verified":true,"events":0,"slices":1,"warnings":[],"created":"2026-12-01T12:00:00Z"}',
     NULL, NULL, x'1f8b08000000000000ff626269e8ac6ad82a01080000ffffefa3671e08000000');
