package span

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"runtime"
	"sync"
	"time"

	"github.com/hashicorp/yamux"

	"lockstep/cluster/conduct"
	"lockstep/cluster/inventory"
	"lockstep/cluster/local"
	"lockstep/cluster/worker"
	"lockstep/engine/trace"
)

// serving is a share under way, on the agent's side. The goroutine of serve
// owns it, but for what mu owns.
type serving struct {
	agent   *Agent
	bind    netip.Addr
	session *yamux.Session
	control *control
	stop    context.CancelCauseFunc // ends the share
	beside  sync.WaitGroup          // writing the control stream
	reading sync.WaitGroup          // reading it, and relaying what ranks and console say
	alive   sync.WaitGroup          // waiting for processes

	plan *conduct.Plan

	mu         sync.Mutex        // owns what follows; only serve's goroutine changes it
	first, end int               // the ranks here
	processes  []conduct.Process // by rank, from first on; nil before it is started
}

// serve takes a share in and carries it out.
func (s *serving) serve(ctx context.Context) error {
	k, body, err := s.control.read(maxShare)
	if err != nil {
		return consoleGone(err)
	}
	if k != kindShare {
		return fmt.Errorf("wait for a share: %v came first", k)
	}
	s.reading.Go(s.listen)
	host, err := s.open(ctx, body)
	switch {
	case err == nil:
		defer s.agent.release()
		return s.carry(ctx, host)
	case ctx.Err() == nil:
		_ = s.control.send(kindRefuse, refuse{newBecause(err)})
		s.linger(ctx)
		return nil
	}
	return s.leave(ctx)
}

// carry starts the ranks, waits for the share to end, and returns when the
// processes have ended and what they held is freed.
func (s *serving) carry(ctx context.Context, host *local.Host) error {
	// The kernel ends a rank when the thread that started it ends.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if most := s.agent.cfg.Limits.Seconds; most > 0 {
		timer := time.AfterFunc(time.Duration(most)*time.Second, func() {
			s.stop(inventory.NewReason(inventory.OverSeconds, fmt.Sprintf("no run may take longer than %d s here (--max-seconds)", most), "most", fmt.Sprintf("%d s", most)))
		})
		defer timer.Stop()
	}
	err := s.control.send(kindAccept, accept{Freezes: runtime.GOOS != "windows"})
	if err == nil {
		err = s.launch(ctx, host)
	}
	if err != nil {
		s.stop(err)
	}
	<-ctx.Done()
	why := s.leave(ctx) // before the ends of its processes look like the cause
	started := s.kill()
	s.alive.Wait()
	_ = s.control.send(kindOver, nil)
	s.control.finish()
	s.beside.Wait()       // the console knows
	_ = s.session.Close() // what is relayed ends
	s.reading.Wait()
	for _, p := range started {
		_ = p.Close() // of a process that has ended
	}
	return errors.Join(why, host.Close())
}

// open checks the share and makes room for it.
func (s *serving) open(ctx context.Context, body []byte) (*local.Host, error) {
	ask, err := parse[share](kindShare, body)
	if err != nil {
		return nil, err
	}
	s.plan, err = s.agent.check(ask)
	if err != nil {
		return nil, err
	}
	if err := s.agent.take(ctx); err != nil {
		return nil, err
	}
	spec := s.plan.Spec
	first, end := spec.RanksOn(ask.Node)
	s.mu.Lock()
	s.first, s.end, s.processes = first, end, make([]conduct.Process, end-first)
	s.mu.Unlock()
	at := local.Share{First: first, End: end}
	if len(spec.Nodes) > 1 {
		at.Bind, at.Ports, at.Advertise = s.bind, s.agent.cfg.Ports, s.agent.cfg.Advertise
		if spec.Encryption == trace.Sealed {
			at.Sealed = make([]bool, spec.Ranks)
			for i := range at.Sealed {
				at.Sealed[i] = i < first || i >= end
			}
		}
	}
	host, err := s.agent.cfg.Fleet.Open(s.plan, at)
	if err != nil {
		s.agent.release()
		return nil, err
	}
	return host, nil
}

// linger leaves the console time to read why its share was refused.
func (s *serving) linger(ctx context.Context) {
	patience := time.NewTimer(freeing)
	defer patience.Stop()
	select {
	case <-patience.C:
	case <-ctx.Done(): // it has ended the connection
	}
}

// leave tells the console why the share ends, unless the console ends it, and
// returns what Serve says of it.
func (s *serving) leave(ctx context.Context) error {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, errAsked):
		return nil
	case errors.Is(cause, context.Canceled):
		cause = errStopped
	}
	_ = s.control.send(kindLeave, leave{newBecause(cause)})
	return cause
}

// launch starts the process of each rank that the console opens a stream for.
func (s *serving) launch(ctx context.Context, host *local.Host) error {
	for range s.end - s.first {
		stream, err := s.session.AcceptStreamWithContext(ctx)
		if err != nil {
			return consoleGone(reason(err))
		}
		rank, err := s.which(stream)
		if err != nil {
			return err
		}
		p, err := host.Launch(rank)
		if err != nil {
			if err := s.control.send(kindGone, gone{rank, fmt.Sprintf("it could not be started: %v", err)}); err != nil {
				return err
			}
			continue
		}
		s.mu.Lock()
		s.processes[rank-s.first] = p
		s.mu.Unlock()
		s.alive.Go(func() { s.bury(rank, p) })
		s.reading.Go(func() {
			if _, err := io.Copy(stream, p); err != nil { // that of a process that ends is none
				s.stop(consoleGone(reason(err)))
			}
			_ = stream.Close()
		})
		s.reading.Go(func() {
			if p.Begin(worker.Attach(p)) != nil {
				return // it has ended
			}
			if err := worker.Pass(p, stream); err != nil {
				s.stop(fmt.Errorf("rank %d: %w", rank, err))
			}
		})
	}
	return nil
}

// which reads the rank that a stream is for.
func (s *serving) which(stream *yamux.Stream) (int, error) {
	var number [2]byte
	_ = stream.SetReadDeadline(time.Now().Add(silence))
	if _, err := io.ReadFull(stream, number[:]); err != nil {
		return 0, consoleGone(reason(err))
	}
	_ = stream.SetReadDeadline(time.Time{})
	rank := int(binary.BigEndian.Uint16(number[:]))
	s.mu.Lock()
	defer s.mu.Unlock()
	if rank < s.first || rank >= s.end || s.processes[rank-s.first] != nil {
		return 0, fmt.Errorf("the console opens rank %d, which is not to be started here", rank)
	}
	return rank, nil
}

// bury waits for a process to end, and tells.
func (s *serving) bury(rank int, p conduct.Process) {
	how := p.Wait()
	_ = s.control.send(kindGone, gone{rank, how})
}

// kill ends all processes, and returns them.
func (s *serving) kill() []conduct.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	var started []conduct.Process
	for _, p := range s.processes {
		if p != nil {
			p.Kill()
			started = append(started, p)
		}
	}
	return started
}

// news is a beat: what the system says of each process.
func (s *serving) news() beat {
	s.mu.Lock()
	defer s.mu.Unlock()
	states := make([]conduct.State, len(s.processes))
	for i, p := range s.processes {
		if p != nil {
			states[i] = p.State()
		}
	}
	return beat{states}
}

// listen takes in what the console says, until the share ends.
func (s *serving) listen() {
	for {
		k, body, err := s.control.read(maxBody)
		if err != nil {
			s.stop(consoleGone(err))
			return
		}
		switch k {
		case kindBeat:
		case kindSignal:
			err = s.obey(body)
		case kindEnd:
			err = errAsked
		default:
			err = fmt.Errorf("the console says %s out of turn", k)
		}
		if err != nil {
			s.stop(err)
			if !errors.Is(err, errAsked) {
				return
			}
		}
	}
}

// obey carries out a signal. What comes of it is seen in the run; a process
// that has not started or has ended takes none.
func (s *serving) obey(body []byte) error {
	o, err := parse[order](kindSignal, body)
	if err != nil {
		return err
	}
	signal, ok := signals[o.Signal]
	if !ok {
		return fmt.Errorf("the console sends the signal %q, which no process takes", o.Signal)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if o.Rank < s.first || o.Rank >= s.first+len(s.processes) {
		return fmt.Errorf("the console signals rank %d, which is not here", o.Rank)
	}
	if p := s.processes[o.Rank-s.first]; p != nil {
		signal(p)
	}
	return nil
}

// signals are what an agent does to a process.
var signals = map[trace.Signal]func(conduct.Process){
	trace.Kill:   func(p conduct.Process) { p.Kill() },
	trace.Freeze: func(p conduct.Process) { _ = p.Freeze() }, // one that has ended cannot
	trace.Resume: func(p conduct.Process) { _ = p.Resume() },
}
