// Package agent is the process that offers a machine to a console as a node.
//
// Run dials the console, joins it with a token if it has no certificate that
// counts, and serves what the console opens (cluster/wire) with the handlers that
// it was given, until its context ends. A connection that ends is made again, after
// a pause that grows. It renews its certificate at half of its life.
//
// The state folder holds the node's key, which never leaves it, its certificate
// and that of the console's authority. One agent at a time uses it.
package agent
