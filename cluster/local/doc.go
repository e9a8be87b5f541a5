// Package local carries ranks out as processes of this machine.
//
// A Fleet is the embedded one: it meets engine.Fleet for runs whose ranks are
// all here. A Host is this machine as one of those that carry a run, for a
// conductor here or for one that an agent answers to: it starts one process per
// rank, gives each its place, and leaves nothing behind, no process, no
// descriptor, no shared memory.
package local
