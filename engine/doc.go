// Package engine queues runs, carries them out one after the other and keeps
// what came of each.
//
// A run is what trace.Spec asks for. Submit plans it, builds its schedule and
// proves it right, and only then gives it a place in the Journal; a Fleet
// executes it; the Journal keeps the result. The states are
//
//	queued → running → done | failed | cancelled
//	queued → cancelled | failed
//
// One run at a time per journal, whichever process it belongs to: measured
// times are worth nothing if two runs share the processors. The order is that
// of the IDs. The journal's Claim decides, so any number of engines may share
// one.
//
// Engine.Run is the only goroutine that starts runs; whoever starts it waits
// for it, and when it has returned every run of the engine has ended.
package engine
