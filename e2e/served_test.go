package e2e

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// patience bounds what should take moments, on a machine that is busy.
const patience = time.Minute

// served is a console that runs as a process of its own.
type served struct {
	process *exec.Cmd
	lines   chan string   // what it prints on standard output; closed with it
	ended   chan struct{} // closed when the process has ended
	waited  error         // why it ended; read after ended

	mu  sync.Mutex
	log bytes.Buffer // its standard error
}

// start runs the console with arguments in a folder.
func start(dir string, environ []string, args ...string) (*served, error) {
	return startCommand(exec.Command(consoleBinary, args...), dir, environ)
}

// startCommand runs a command that is the console, on a host of a fabric, say.
func startCommand(process *exec.Cmd, dir string, environ []string) (*served, error) {
	s := &served{
		process: process,
		lines:   make(chan string, 100), // more lines than any test lets it print
		ended:   make(chan struct{}),
	}
	// Calibration would take the processors from what is tested.
	s.process.Env = append(slices.Clone(environ), "LOCKSTEP_CALIBRATE=never")
	s.process.Dir, s.process.Stderr = dir, s
	out, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	go s.follow(out)
	return s, nil
}

// follow passes lines on until the process ends. stop waits for it.
func (s *served) follow(out io.Reader) {
	for scanner := bufio.NewScanner(out); scanner.Scan(); {
		s.lines <- scanner.Text()
	}
	s.waited = s.process.Wait()
	close(s.lines)
	close(s.ended)
}

// Write takes what the process writes on standard error.
func (s *served) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.Write(p)
}

// said returns what the process has written on standard error so far.
func (s *served) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// line returns the next line on standard output.
func (s *served) line() (string, error) {
	select {
	case line, open := <-s.lines:
		if !open {
			return "", fmt.Errorf("the console has ended: %w\n%s", s.waited, s.said())
		}
		return line, nil
	case <-time.After(patience):
		return "", errors.New("the console says nothing")
	}
}

// invitation reads the line with the address and the key.
func (s *served) invitation() (address, key string, err error) {
	line, err := s.line()
	if err != nil {
		return "", "", err
	}
	address, key, found := strings.Cut(strings.TrimPrefix(line, "open "), "/?key=")
	if !found || !strings.HasPrefix(line, "open http://") && !strings.HasPrefix(line, "open https://") {
		return "", "", fmt.Errorf("the console says %q, want an address with a key", line)
	}
	return address, key, nil
}

// wait waits for the end and returns the exit status.
func (s *served) wait() (int, error) {
	select {
	case <-s.ended:
		return s.process.ProcessState.ExitCode(), nil
	case <-time.After(patience):
		return 0, errors.New("the console does not end")
	}
}

// kill ends the process, however it is.
func (s *served) kill() {
	_ = s.process.Process.Kill() // it may have ended
	<-s.ended
}
