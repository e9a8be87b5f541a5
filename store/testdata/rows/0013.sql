-- Rows as version 13 writes them; they must survive every later migration.
INSERT INTO report_versions (report, version, created_ms, title, customer, author, notes, document, seller, contact, valid_until, logo) VALUES
    (1, 4, 1796083340000, '训练一步的估算', 'customer', 'author', '', '{"version":4,"engine":"test","data":"2026-12","words":{},"sheets":{}}', '卖方', 'sales@example.com', '2027-03-01', x'89504e47');
