// Package diagnose says what a benchmark's log shows: whether the system gave
// what such a system should, and what in the log points to why not. Every
// finding names its evidence and what to check next.
package diagnose
