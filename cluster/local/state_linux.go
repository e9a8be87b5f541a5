package local

import (
	"bytes"
	"fmt"
	"os"
)

// state reads the state of the process, as proc_pid_stat(5) gives it: one
// letter behind the name, which stands in brackets and may hold anything.
func (p *process) state() processState {
	if p == nil || p.cmd.Process == nil {
		return unknown
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		return unknown
	}
	i := bytes.LastIndexByte(text, ')')
	if i < 0 || i+2 >= len(text) {
		return unknown
	}
	switch text[i+2] {
	case 'T', 't':
		return stopped
	case 'R', 'S', 'D', 'I':
		return scheduled
	}
	return unknown
}
