-- Rows as version 5 writes them; they must survive every later migration.
INSERT INTO runs (outcome, owner, created_ms, document, schedule) VALUES
    ('queued', '3f2a9c01d4e5b687', 1796083200000,
     '{"version":1,"id":"","outcome":"queued","collective":"all-reduce","algorithm":"mine","backend":"host","link":"tcp","ranks":2,"nodes":1,"size_bytes":8,"dtype":"float32","op":"sum","schedule_hash":"00","iterations":2,"verified":false,"events":0,"slices":1,"warnings":[],"created":"2026-12-01T12:00:00Z","imported":true}',
     x'1f8b08000000000000ff');
