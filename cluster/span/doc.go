// Package span carries one run's ranks out on several nodes.
//
// The console's end is a Fleet: it opens one connection to each node of a run
// and leads the ranks there as it would lead its own, by package conduct. The
// node's end is an Agent: it carries out one share of a run, the ranks that are
// its own.
//
// An agent trusts what a console asks only so far. It is told the spec, the
// request for a schedule or the schedule, the run's key and which node it is;
// it resolves the spec, builds or reads the schedule, checks it and compiles
// the programs itself, holds the run against its own limits, and refuses with
// one sentence what it does not carry out. No program comes over the wire.
//
// A connection is multiplexed by yamux, so that a rank whose news nobody reads
// holds up itself only. The console opens all streams:
//
//	control    frames of a kind, a length and JSON, both ways; see below
//	rank       one per rank, begun by its number in two bytes: the
//	           conversation of package worker, less the job
//
// On the control stream:
//
//	console    share     the run, and which of its nodes the agent is
//	agent      accept    or refuse; from here on the console opens the ranks
//	console    signal    kill, freeze or resume one process
//	agent      gone      a process has ended
//	console    end       the run is over
//	agent      over      and its processes here have ended
//	agent      leave     instead, before it ends them by itself: why
//
// Both ends send a beat every 500 ms; that of the agent says what the system
// says of each process. Who hears nothing for 4 s gives the other up: an agent
// then ends its processes, the console fails the run as agent-lost. When the
// connection ends, both do so at once.
package span
