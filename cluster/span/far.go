package span

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/hashicorp/yamux"

	"lockstep/cluster/conduct"
)

const (
	// checking is how long an agent may take to check its share.
	checking = 30 * time.Second
	// freeing is how long an agent may take to end its processes, and again to
	// free what they held.
	freeing = 2 * time.Second
)

// far is a node as the console holds it during a run: a conduct.Host.
type far struct {
	node    string
	session *yamux.Session
	control *control
	begun   time.Time
	beside  sync.WaitGroup // reading and writing the control stream

	heard    atomic.Int64 // the last sign of life, since begun
	freezes  bool         // its system can stop a process; set before accepted is
	accepted chan error   // the answer to the share; nil for yes; with room for one

	ending sync.Once
	lost   chan struct{} // closed when the node cannot be reached any more
	why    error         // set before lost is closed
	over   chan struct{} // closed when the node has freed what it held

	mu        sync.Mutex // owns what follows
	processes map[int]*process
}

// reach asks a node for its share of a run. Close what it returns. The error is
// a *conduct.LostError, unless the node has refused or ctx has ended.
func reach(ctx context.Context, conn net.Conn, node string, s share) (*far, error) {
	session, err := client(conn)
	if err != nil {
		return nil, &conduct.LostError{Why: errors.Join(err, conn.Close())}
	}
	stream, err := session.OpenStream()
	if err != nil {
		return nil, &conduct.LostError{Why: errors.Join(reason(err), session.Close())}
	}
	f := &far{
		node: node, session: session, control: newControl(stream), begun: time.Now(), accepted: make(chan error, 1),
		lost: make(chan struct{}), over: make(chan struct{}), processes: map[int]*process{},
	}
	if err := f.control.send(kindShare, s); err != nil {
		return nil, errors.Join(err, session.Close())
	}
	f.beside.Go(f.read)
	f.beside.Go(func() { f.control.write(func() beat { return beat{} }, f.broken) })
	patience := time.NewTimer(checking)
	defer patience.Stop()
	select {
	case err = <-f.accepted:
	case <-f.lost:
		err = &conduct.LostError{Why: f.why}
	case <-patience.C:
		err = &conduct.LostError{Why: fmt.Errorf("it did not say within %v whether it carries its ranks out", checking)}
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Name is the node's.
func (f *far) Name() string { return f.node }

// Silent returns how long before now the node last spoke.
func (f *far) Silent(now time.Time) time.Duration {
	return max(0, now.Sub(f.begun.Add(time.Duration(f.heard.Load()))))
}

// hear notes a sign of life.
func (f *far) hear() { f.heard.Store(int64(time.Since(f.begun))) }

// Lost waits for the node to be lost.
func (f *far) Lost(ctx context.Context) error {
	select {
	case <-f.lost:
		return f.why
	case <-ctx.Done():
		return nil
	}
}

// lose gives the node up: everything that waits for it ends.
func (f *far) lose(why error) {
	f.ending.Do(func() {
		f.why = why
		close(f.lost)
		_ = f.session.Close() // there is nobody to tell
	})
}

func (f *far) broken(err error) { f.lose(reason(err)) }

// Close tells the node that the run is over, gives it a moment to free what it
// holds, and returns when nothing of the connection is left.
func (f *far) Close() {
	if f.control.send(kindEnd, nil) == nil {
		patience := time.NewTimer(freeing)
		select {
		case <-f.over:
		case <-f.lost:
		case <-patience.C:
		}
		patience.Stop()
	}
	f.lose(errors.New("the run is over"))
	f.control.finish()
	f.beside.Wait()
}

// read takes in what the agent says, until the connection ends.
func (f *far) read() {
	for {
		k, body, err := f.control.read(maxBody)
		if err == nil {
			f.hear()
			err = f.take(k, body)
		}
		if err != nil {
			f.lose(err)
			return
		}
	}
}

// take acts on a message; an error gives the node up.
func (f *far) take(k kind, body []byte) error {
	switch k {
	case kindAccept:
		a, err := parse[accept](k, body)
		if err != nil {
			return err
		}
		f.freezes = a.Freezes
		return f.answer(nil)
	case kindRefuse:
		r, err := parse[refuse](k, body)
		if err != nil {
			return err
		}
		return f.answer(r.reason())
	case kindBeat:
		b, err := parse[beat](k, body)
		if err != nil {
			return err
		}
		f.note(b.States)
		return nil
	case kindGone:
		g, err := parse[gone](k, body)
		if err != nil {
			return err
		}
		return f.buried(g)
	case kindLeave:
		l, err := parse[leave](k, body)
		if err != nil {
			return err
		}
		return fmt.Errorf("it left the run: %w", l.reason())
	case kindOver:
		close(f.over) // once: reading ends with it
		return errors.New("the run is over there")
	}
	return fmt.Errorf("it says %s out of turn", k)
}

// answer passes the answer to the share on.
func (f *far) answer(err error) error {
	select {
	case f.accepted <- err:
		return nil
	default:
		return errors.New("it answers twice")
	}
}

// note keeps what the system says of the processes.
func (f *far) note(states []conduct.State) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.processes {
		if i := p.seat; i < len(states) {
			p.state.Store(uint32(states[i]))
		}
	}
}

// buried notes the end of a process.
func (f *far) buried(g gone) error {
	f.mu.Lock()
	p := f.processes[g.Rank]
	f.mu.Unlock()
	if p == nil || !p.end(g.How) {
		return fmt.Errorf("it says that rank %d has ended, which it does not run", g.Rank)
	}
	return nil
}
