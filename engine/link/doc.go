// Package link connects the ranks of a run: within a host by memory that they
// share, between any two by TCP. Both are a rank.Link for one thread that
// polls: no call but Idle and Barrier waits.
//
// Over memory (Shm) each edge of the schedule has a ring of slots in a segment
// that all ranks have mapped; PlanShm lays it out.
//
// Over TCP every worker listens on an address of its own (Config.Bind and
// Ports), during the set-up only; the sender of an edge dials its receiver. Each
// connection carries one direction of one edge: the data lane that a schedule's
// steps travel on, or a lane of the barrier. Small messages are faster where
// both directions of a pair share one connection, as acknowledgements ride on
// data then: Config.Shared. Before anything else both ends prove, by HMACs over
// both ends' nonces and the edge, that they hold the run's key; a stranger gets
// no answer, costs a bounded handshake and is cut within a second. Once every
// expected edge stands, the listener is closed. A peer that cannot be reached
// is named by an UnreachableError.
//
// On the wire a message is a rank.Header and its payload, nothing else. On a
// sealed edge (Config.Sealed) both travel in frames that only the two ends can
// read, and that open in their own place only: anything else is an ErrTampered.
//
// There are two transports under a TCP, which speak to each other. The raw one
// (linux) takes the descriptors out of Go's poller and makes every system call
// on the caller's thread. The portable one needs only net.Conn: a goroutine
// for each direction of each connection reads or writes what it is asked to.
package link
