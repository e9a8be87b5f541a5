package worker

import (
	"time"

	"lockstep/engine/rank"
)

// reporter sends what a run has reached. Its buffers are made once: garbage
// would disturb the run that it reports on.
type reporter struct {
	s        *stream
	progress *rank.Progress
	marks    []rank.Mark
	times    []time.Duration
	body     []byte
}

func newReporter(s *stream, p *rank.Progress) *reporter {
	return &reporter{
		s: s, progress: p, marks: make([]rank.Mark, batchMarks), times: make([]time.Duration, batchMarks),
		body: make([]byte, 0, 4+batchMarks*markSize),
	}
}

// run reports now and then until done is closed.
func (r *reporter) run(done <-chan struct{}) {
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if r.flush() != nil {
				return
			}
		}
	}
}

// flush sends everything that has not been sent.
func (r *reporter) flush() error {
	for n := len(r.marks); n == len(r.marks); {
		var iteration int
		iteration, n = r.progress.Take(r.marks)
		if n == 0 {
			break
		}
		r.body = appendMarks(r.body[:0], iteration, r.marks[:n])
		if err := r.s.send(kindMarks, r.body); err != nil {
			return err
		}
	}
	for n := len(r.times); n == len(r.times); {
		var first int
		first, n = r.progress.TakeTimes(r.times)
		if n == 0 {
			break
		}
		r.body = appendTimes(r.body[:0], first, r.times[:n])
		if err := r.s.send(kindTimes, r.body); err != nil {
			return err
		}
	}
	return nil
}
