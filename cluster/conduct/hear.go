package conduct

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/cluster/worker"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// streamEnded reports whether err is the end of a worker's stream.
func streamEnded(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, os.ErrClosed)
}

// hear takes in one word.
func (r *Conductor) hear(ctx context.Context, w word) {
	if w.verdict != nil {
		r.judge(*w.verdict)
		return
	}
	if w.lost != nil {
		r.lose(w.host, w.lost, w.at)
		return
	}
	m := r.members[w.rank]
	switch {
	case w.gone != "":
		m.gone = w.gone
		r.died(m, w.at)
		return
	case w.bad != nil:
		r.misspoke(m, w.bad)
		return
	}
	m.seen = w.at
	if err := r.take(ctx, m, w); err != nil {
		r.misspoke(m, err)
	}
}

// misspoke ends a run one of whose workers does not speak as it should.
func (r *Conductor) misspoke(m *member, err error) {
	kind := trace.Internal
	if m.stage == started {
		kind = trace.StartFailed
	}
	step, round := r.reached(m)
	r.fail(trace.Failure{Kind: kind, Culprit: r.culprit(m.rank), Step: step, Round: round,
		Message: fmt.Sprintf("%s says something that no worker of this version says: %v", r.name(m.rank), err)})
}

// take acts on a worker's message; an error is a message out of turn.
func (r *Conductor) take(ctx context.Context, m *member, w word) error {
	switch message := w.message.(type) {
	case worker.Hello:
		return r.greet(m, message)
	case worker.Listening:
		return r.introduce(m, message)
	case worker.Ready:
		if m.stage != listening {
			return errors.New("ready out of turn")
		}
		m.stage = ready
		r.movedAt = w.at
	case worker.Beat:
		r.progress(m, message.Moved, w.at)
		m.works = message.Works
	case worker.Marks:
		if len(message.Marks) > 0 { // of messages without bytes nothing else is seen
			r.movedAt = w.at
		}
		return r.enter(m, message)
	case worker.Times:
		if m.stage != ready || message.First != len(m.times) || len(m.times)+len(message.Times) > r.plan.iterations() {
			return fmt.Errorf("times of %d iterations from %d on out of turn", len(message.Times), message.First)
		}
		m.times = append(m.times, message.Times...)
		r.movedAt = w.at
		r.count()
	case worker.Digests:
		return r.collect(ctx, m, message)
	case worker.Piece:
		select {
		case r.pieces <- message.Bytes:
		default:
			return errors.New("a piece that nobody asked for")
		}
	case worker.Fault:
		if m.fault == nil {
			m.fault, m.faultAt = &message, w.at
			if r.suspect.IsZero() {
				r.suspect = w.at
			}
		}
	}
	return nil
}

// count enters counted iterations that all ranks have ended.
func (r *Conductor) count() {
	known := len(r.log.Times())
	r.log.Took(r.counted(known)...)
}

// greet gives a worker that said hello its job.
func (r *Conductor) greet(m *member, hello worker.Hello) error {
	if m.stage != started {
		return errors.New("hello out of turn")
	}
	if hello.Protocol != worker.Protocol {
		r.fail(trace.Failure{Kind: trace.StartFailed, Culprit: r.culprit(m.rank), Step: -1, Message: fmt.Sprintf(
			"%s's program (%s) speaks protocol %d, this console %d; was the program replaced on disk? Start the console again",
			r.name(m.rank), hello.Build, hello.Protocol, worker.Protocol)})
		return nil
	}
	m.stage = greeted
	r.order(m, m.process.Begin)
	return nil
}

// introduce makes the ranks known to one another once all listen.
func (r *Conductor) introduce(m *member, l worker.Listening) error {
	if m.stage != greeted {
		return errors.New("listening out of turn")
	}
	if l.Address != worker.InMemory {
		if _, err := inventory.ParseAddress(l.Address); err != nil {
			return err // before anybody is told to dial it
		}
	}
	m.stage, m.address = listening, l.Address
	if m.rank == 0 {
		r.library = l.Library
	}
	addresses := make([]string, r.spec.Ranks)
	for i, other := range r.members {
		if other.stage != listening {
			return nil
		}
		addresses[i] = other.address
	}
	for _, other := range r.members {
		r.order(other, func(w *worker.Rank) error { return w.Meet(addresses) })
	}
	return nil
}

func (r *Conductor) progress(m *member, moved int64, at time.Time) {
	if moved != m.moved {
		m.moved = moved
		r.movedAt = at
	}
}

// enter puts what a worker has reached into the log.
func (r *Conductor) enter(m *member, marks worker.Marks) error {
	if m.stage != ready || marks.Iteration >= r.plan.iterations() {
		return fmt.Errorf("marks of iteration %d out of turn", marks.Iteration)
	}
	program, width := r.plan.Programs[m.rank], r.spec.DType.Width()
	events := make([]trace.Event, 0, len(marks.Marks))
	for _, mark := range marks.Marks {
		if mark.Move < 0 || int(mark.Move) >= len(program.Moves) || mark.Slice < 0 || int(mark.Slice) >= r.plan.Slices {
			return fmt.Errorf("a mark of move %d slice %d, which is not in its program", mark.Move, mark.Slice)
		}
		move := &program.Moves[mark.Move]
		_, length := rank.Cut(r.plan.lengths[m.rank][mark.Move], r.plan.Slices, int(mark.Slice))
		events = append(events, trace.Event{
			Rank: m.rank, Iteration: marks.Iteration, Step: move.Step, Slice: int(mark.Slice),
			Side: side(move.Kind), Bytes: length * width, At: mark.At,
		})
	}
	r.log.Add(events)
	return nil
}

func side(k schedule.Kind) trace.Side {
	switch k {
	case schedule.Send:
		return trace.Sent
	case schedule.Recv:
		return trace.Received
	}
	return trace.Local
}

// collect keeps a worker's digests; with the last of all, it is time to verify.
func (r *Conductor) collect(ctx context.Context, m *member, d worker.Digests) error {
	if m.stage != ready || len(m.times) != r.plan.iterations() || d.First != len(m.digests) {
		return fmt.Errorf("digests from row %d on out of turn", d.First)
	}
	if most := r.plan.rows(m.rank); len(m.digests)+len(d.Digests) > most {
		return fmt.Errorf("digests of %d rows and more, where it has %d", len(m.digests)+len(d.Digests), most)
	}
	m.digests = append(m.digests, d.Digests...)
	if !d.Last {
		return nil
	}
	m.stage = digested
	digests := make([][]rank.Digest, len(r.members))
	for i, other := range r.members {
		if other.stage != digested {
			return nil
		}
		digests[i] = other.digests
	}
	r.check.Go(func() { r.verify(ctx, digests) })
	return nil
}
