// Package trained says what a training step takes on a stack of software, from
// what published runs have shown, and how sure that is.
//
// The formulas are those of sizing/train. Their constants, and factors by which
// a software, a machine or a family of models is off, are fitted together
// (fit.go) to the table under data: an effect that few runs show is drawn
// towards nothing, and a family that no run shows has none. The result is kept
// in constants.json. accuracy_test.go leaves each family of models out in turn
// and prints what is then wrong by how much.
package trained
