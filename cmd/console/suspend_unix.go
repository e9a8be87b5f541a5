//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// stayAwake keeps Ctrl-Z from suspending the program: a suspended run would
// hold up everyone who shares the data folder, and its ranks would be taken
// for frozen when it wakes. Ctrl-C ends a run.
func stayAwake() { signal.Ignore(syscall.SIGTSTP) }
