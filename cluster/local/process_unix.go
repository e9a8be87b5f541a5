//go:build unix

package local

import "syscall"

// attributes puts a rank process into a group of its own, so that an interrupt
// typed at the console's terminal does not reach it before the console has
// decided what to do.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
