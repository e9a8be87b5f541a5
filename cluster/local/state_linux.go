package local

import (
	"bytes"
	"fmt"
	"os"

	"lockstep/cluster/conduct"
)

// State reads the state of the process, as proc_pid_stat(5) gives it: one
// letter behind the name, which stands in brackets and may hold anything.
func (p *process) State() conduct.State {
	if p == nil || p.cmd.Process == nil {
		return conduct.Unknown
	}
	return stateOf(p.cmd.Process.Pid)
}

// stateOf is the state of any process.
func stateOf(pid int) conduct.State {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return conduct.Unknown
	}
	i := bytes.LastIndexByte(text, ')')
	if i < 0 || i+2 >= len(text) {
		return conduct.Unknown
	}
	switch text[i+2] {
	case 'T', 't':
		return conduct.Stopped
	case 'R', 'S', 'D', 'I':
		return conduct.Scheduled
	}
	return conduct.Unknown
}
