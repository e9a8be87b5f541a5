// Package calibrate finds out what a network is like from runs that were
// measured on it: the latency α and the bandwidth B with which the cost model
// comes nearest to their times.
//
// A run's time depends on α and 1/B through its own schedule, played with its
// own slices (package sim), piece by piece linearly: near a given network it is
//
//	t = A·α + F/B
//
// with the latencies A and the bytes F of its critical path. Fit solves for α
// and 1/B by least squares on relative errors, neither below zero, then finds A
// and F anew at the solution, until nothing changes. Relative, because a run of
// a microsecond says as much as one of a second; and runs that are far off the
// others count less (Huber's weights, "Robust estimation of a location
// parameter", Annals of Mathematical Statistics 35, 1964), because a measured
// time is easily much too long and never much too short.
//
// It is a fit to what was seen and no more: outside the sizes and ranks of its
// runs it is a guess.
package calibrate
