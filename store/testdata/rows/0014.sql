-- Rows as version 14 writes them; they must survive every later migration.
INSERT INTO comparisons (id, owner, created_ms, ended_ms, state, document)
VALUES (1, 'gone', 1700000000000, 1700000060000, 'done', '{"collective":"all-reduce","ranks":4,"dtype":"float32","op":"sum","link":"shm","first_bytes":8,"last_bytes":1024,"factor":4,"ways":[{"backend":"host","algorithm":"auto"},{"backend":"mpi","algorithm":"library"}]}');
INSERT INTO comparison_points (comparison, place, run, reason, says) VALUES (1, 0, 1, '', ''), (1, 1, NULL, 'refused', 'there is no mpirun on the path');
