// Package measured says what a collective of a vendor's library takes on a
// system that nobody has measured yet, from what public measurements of others
// say, and how sure that is.
//
// The model (model.go) has one form for all collectives and systems: a floor,
// latencies of both tiers, a pipeline's cost between latency and bytes, and bytes
// over the slower tier's bandwidth. Its constants are properties of classes of
// hardware, never of one system; they are fitted by this package (fit.go) to the
// measurements under testdata and kept in constants.json. accuracy_test.go
// leaves each system out in turn and prints what is then wrong by how much.
package measured
