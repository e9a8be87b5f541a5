//go:build unix

package local

import "syscall"

// attributes puts a rank process into a group of its own, so that an interrupt
// typed at the console's terminal does not reach it before the console has
// decided what to do.
func attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	endWithParent(a)
	return a
}

// Freeze stops the process where it is; Resume lets it go on.
func (p *process) Freeze() error { return p.cmd.Process.Signal(syscall.SIGSTOP) }
func (p *process) Resume() error { return p.cmd.Process.Signal(syscall.SIGCONT) }
