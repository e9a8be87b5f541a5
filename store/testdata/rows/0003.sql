-- Rows as version 3 writes them; they must survive every later migration.
INSERT INTO reports (created_ms) VALUES (1796083200000);
INSERT INTO report_versions (report, version, created_ms, title, customer, author, notes, document) VALUES
    (1, 1, 1796083200000, '训练通信估算', '', '', '', '{"version":1,"engine":"test","data":"2026-12","estimate":{},"words":{}}'),
    (1, 2, 1796083260000, '训练通信估算，改', 'customer', 'author', 'two
lines', '{"version":1,"engine":"test","data":"2026-12","estimate":{},"words":{}}');
