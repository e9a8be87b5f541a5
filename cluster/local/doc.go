// Package local is the embedded fleet: it runs the ranks of a run as processes
// of this machine, connected by TCP on loopback.
//
// Execute starts one process per rank, leads them through the run, verifies
// the result and returns when nothing that it started is left: no process, no
// descriptor, no goroutine. One goroutine, the conductor, owns the state of a
// run; what the ranks say reaches it through one channel.
//
// When something goes wrong it names who is to blame. A dead process beats
// whatever its peers complain of; a silent one is frozen only if the others
// and the conductor itself are not late too; if all are alive and no byte has
// moved for a while, the first unfinished step names the link.
package local
