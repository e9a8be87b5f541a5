// Package conduct leads one run from its first process to its last, wherever
// the ranks live.
//
// A Plan is what a run's ranks do, worked out of the spec and the schedule: the
// conductor and every host that carries ranks work it out by themselves. A Host
// starts processes and passes on what they say; a Conductor leads them through
// the conversation of package worker, verifies the result and names who is to
// blame when something goes wrong. One goroutine, that of Execute, owns the
// state of a run; what ranks and hosts say reaches it through one channel.
//
// Blame goes to whoever explains the rest. A dead process beats whatever its
// peers complain of; a silent one is frozen only if the others, its host and
// the conductor itself are not late too; a host that is late is given the time
// to come back or to be lost before its ranks or links are blamed; if all are
// alive and no byte has moved for a while, the first unfinished step names the
// link.
package conduct
