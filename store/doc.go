// Package store keeps what must survive a restart in one SQLite database in
// the data folder. It owns no nouns: each file saves one aggregate of another
// package and answers with that package's types and errors.
//
// Writes go through a pool of one connection, so they queue in the program
// instead of colliding in the database; reads have a pool of their own and
// never wait for a writer (WAL). Everything that a connection must be set to
// stands in its DSN, hence holds on every connection a pool ever opens. What a
// method acknowledges is on the disk (synchronous=FULL). No transaction spans a
// network call.
//
// To add an aggregate: migrations/NNNN_name.sql with STRICT tables (forward
// only: a released file never changes), sample rows for that version in
// testdata/rows/NNNN.sql, go test ./store -update to renew schema.sql, and one
// file with a type over *Store like Keys.
package store
