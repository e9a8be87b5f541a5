// Package trace holds what did happen, in the schedule's own coordinates:
// what was asked (Spec), what a rank reports while it runs (Event), how it
// ended (Outcome, Failure, Summary) and the Log that keeps the latest state of
// every (rank, step, slice).
//
// Progress is state, not messages: a watcher asks a Log for what changed since
// a sequence number, and one that falls behind sees fewer frames, never wrong
// ones.
package trace
