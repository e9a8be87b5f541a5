// Package sweep carries one collective out in several ways over a range of
// sizes, in turns, so that the ways meet the same machine in the same minutes.
// A comparison is a list of ordinary runs: each is planned, verified and saved
// as any other, and whoever else asks for a run gets a turn in between.
package sweep
