// Package cluster is the console's end of its nodes: Authority certifies them,
// Registry knows them.
//
// A node's agent (cluster/agent) dials the console and keeps one connection,
// over which the console opens streams to it (cluster/wire). To be let in the
// first time it needs a join token; it then gets a certificate for a key that
// it made itself, for a day, and renews it while it is connected. What a person
// decides about a node (drain, revoke, forget) is kept by a Journal, which other
// processes may write to while the console serves; Registry looks every second.
//
// Registry.Probe measures the network between nodes, and says which pairs are
// slow.
package cluster
