package span

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/yamux"

	"lockstep/cluster/conduct"
	"lockstep/cluster/worker"
	"lockstep/engine/trace"
)

// process is the process of a rank on another node: a conduct.Process. The
// agent hands it its job and says how it ended.
type process struct {
	far    *far
	rank   int
	seat   int // among the ranks of its node
	stream *yamux.Stream
	state  atomic.Uint32 // a conduct.State, as of the agent's last beat

	burial sync.Once
	how    string        // set before gone is closed
	gone   chan struct{} // closed when the process has ended

	killing sync.Once
	killed  chan struct{} // closed when it was told to
}

// Launch has the agent start the process of a rank. That it could not be
// started is how it ended.
func (f *far) Launch(rank int) (conduct.Process, error) {
	stream, err := f.session.OpenStream()
	if err != nil {
		return nil, f.cause(err)
	}
	p := &process{far: f, rank: rank, stream: stream, gone: make(chan struct{}), killed: make(chan struct{})}
	f.mu.Lock()
	p.seat = len(f.processes) // ranks are launched in their order
	f.processes[rank] = p
	f.mu.Unlock()
	if _, err := stream.Write(binary.BigEndian.AppendUint16(nil, uint16(rank))); err != nil {
		return nil, f.cause(err)
	}
	return p, nil
}

// cause says why the node takes nothing: it is lost, and what it said last, if
// that is still to be read, tells more than err.
func (f *far) cause(err error) error {
	patience := time.NewTimer(freeing)
	defer patience.Stop()
	select {
	case <-f.lost:
		return &conduct.LostError{Why: f.why}
	case <-patience.C:
		return &conduct.LostError{Why: reason(err)}
	}
}

// Read reads what the worker says. However the stream ends, it is the end of a
// process or of a node, which is told elsewhere.
func (p *process) Read(b []byte) (int, error) {
	n, err := p.stream.Read(b)
	if n > 0 {
		p.far.hear() // its agent passes it on
	}
	if err != nil {
		err = io.EOF
	}
	return n, err
}

func (p *process) Write(b []byte) (int, error) { return p.stream.Write(b) }
func (p *process) Close() error                { return p.stream.Close() }

// Begin does nothing: the agent has handed the worker its job by now.
func (p *process) Begin(*worker.Rank) error { return nil }

// Wait waits for the agent's word, or, of a process that was told to end, for
// the loss of the node.
func (p *process) Wait() string {
	select {
	case <-p.gone:
		return p.how
	case <-p.killed:
	}
	patience := time.NewTimer(freeing)
	defer patience.Stop()
	select {
	case <-p.gone:
		return p.how
	case <-p.far.lost:
	case <-patience.C:
		p.far.lose(fmt.Errorf("it did not end rank %d within %v", p.rank, freeing))
	}
	return "not known, as its node was lost"
}

// end notes how the process ended; false if it had ended before.
func (p *process) end(how string) bool {
	first := false
	p.burial.Do(func() {
		first, p.how = true, how
		close(p.gone)
	})
	return first
}

// Kill tells the agent to end the process.
func (p *process) Kill() {
	_ = p.signal(trace.Kill) // of a node that is lost the agent sees to it
	p.killing.Do(func() { close(p.killed) })
}

// Freeze has the process stop where it is.
func (p *process) Freeze() error {
	if !p.far.freezes {
		return fmt.Errorf("the operating system of node %s cannot stop a process: %w", p.far.node, errors.ErrUnsupported)
	}
	return p.signal(trace.Freeze)
}

// Resume has it go on.
func (p *process) Resume() error { return p.signal(trace.Resume) }

func (p *process) signal(s trace.Signal) error {
	if err := p.far.control.send(kindSignal, order{p.rank, s}); err != nil {
		return fmt.Errorf("tell node %s: %w", p.far.node, err)
	}
	return nil
}

// State is what the agent's last beat said.
func (p *process) State() conduct.State { return conduct.State(p.state.Load()) }
