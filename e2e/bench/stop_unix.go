//go:build unix

package main

import (
	"os"
	"syscall"
)

// stopGently lets a program end what it has started itself.
func stopGently(p *os.Process) error { return p.Signal(syscall.SIGTERM) }
