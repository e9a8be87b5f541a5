//go:build !unix

package local

import (
	"errors"
	"fmt"
	"syscall"
)

func attributes() *syscall.SysProcAttr { return nil }

func (p *process) Freeze() error {
	return fmt.Errorf("this operating system cannot stop a process: %w", errors.ErrUnsupported)
}

// Resume has nothing to do where nothing is ever stopped.
func (p *process) Resume() error { return nil }
