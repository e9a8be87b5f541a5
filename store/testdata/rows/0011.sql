-- Rows as version 11 writes them; they must survive every later migration.
INSERT INTO machines (name, made_ms, document) VALUES
    ('lab', 1796083200000, '{"version":1,"name":"lab","made":"2026-12-01T00:00:00Z","by":"ada","tables":[{"file":"a.txt","collective":"all-reduce","gpu":"NVIDIA H100 80GB HBM3","inter_link":"InfiniBand","ranks":16,"nodes":2,"ranks_per_node":8,"rows":[{"size_bytes":1048576,"time_us":108.9},{"size_bytes":1073741824,"time_us":22891}]}]}');
