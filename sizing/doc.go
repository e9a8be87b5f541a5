// Package sizing says how communication is best carried out and what it
// should cost, on top of the cost model (sizing/cost) and the simulator that
// plays schedules in cost time (sizing/sim).
//
// Planner plans one run on local ranks: which algorithm "auto" means and, where
// there is ground for a figure, the predicted time of each round. What is
// assumed rather than known comes back as a warning.
package sizing
