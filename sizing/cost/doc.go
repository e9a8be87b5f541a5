// Package cost prices one collective on one flat network by the α–β model: a
// message takes α seconds to arrive and its bytes take bytes/B at a port.
//
// The closed forms come from the catalogue (schedule.Entry.Terms), so that
// what is priced is what is taught and run. A Question asks; Price answers for
// one algorithm, All for every one, Predict as the document that commands, the
// API and pages share. Times are computed in exact arithmetic and rounded once,
// so 1.2 GB on ten ranks at 1 GB/s cost 10.8 s and not 10.799999999999999.
//
// The forms hold at equal chunks: a size that does not divide makes the first
// chunks one element longer, which they leave out (sizing/sim plays the real
// lengths). docs/formulas.md derives them.
package cost
