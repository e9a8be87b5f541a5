-- Rows as version 12 writes them; they must survive every later migration.
INSERT INTO report_versions (report, version, created_ms, title, customer, author, notes, document, seller, valid_until, logo) VALUES
    (1, 3, 1796083320000, '训练一步的估算', 'customer', 'author', '', '{"version":3,"engine":"test","data":"2026-12","words":{},"sheets":{}}', '卖方', '2027-03-01', x'89504e47');
INSERT INTO report_shares (id, digest, report, version, lang, created_by, created_ms, expires_ms, revoked_ms) VALUES
    ('00000001', x'0000000000000000000000000000000000000000000000000000000000000001', 1, 3, 'zh', 'ada', 1796083320000, 1798675320000, NULL),
    ('00000002', x'0000000000000000000000000000000000000000000000000000000000000002', 1, 3, 'en', 'ada', 1796083320000, 1798675320000, 1796083330000);
