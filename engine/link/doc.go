// Package link connects the ranks of a run by TCP.
//
// Every worker listens on an address of its own; the sender of an edge dials
// its receiver. Each connection carries one direction of one edge: the data
// lane that a schedule's steps travel on, or a lane of the barrier. Before
// anything else both ends prove, by an HMAC over both ends' nonces and the
// edge, that they hold the run's key; a stranger costs a bounded handshake and
// is cut within a second. Once every expected edge stands, the listener is
// closed.
//
// A TCP is a rank.Link. With a rate it paces the rank: one port for sending
// and one for receiving, each shared by all edges of the rank, so that a queue
// forms where the cost model draws one.
package link
