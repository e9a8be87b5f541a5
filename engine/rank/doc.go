// Package rank carries out one rank's part of a schedule on real memory.
//
// Exec plays a schedule.Program over a Link, on one thread that takes turns
// through the program's lanes: one for each edge and direction, and one for
// the moves that stay on the rank. Each move is cut into slices; a slice runs
// when the slices that it depends on are done, so a block that is still
// arriving is already handed on. Once started, an iteration allocates nothing.
//
// Memory is a rank's three buffers, outside the Go heap. Fill makes inputs
// whose sums are exact in every order, Rows and Verify compare what a run left
// behind with the reference interpreter, bit for bit. Progress is what another
// goroutine may look at meanwhile.
//
// How bytes travel is not decided here: Link is implemented by engine/link.
package rank
