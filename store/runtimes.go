package store

import (
	"fmt"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// timesFormat is the first number of packed times.
const timesFormat = 1

// packTimes writes the times of iterations as gzip over varints: the format,
// the count, and of each the nanoseconds as the difference from the one before.
// It returns nil for none.
func packTimes(times []unit.Seconds) ([]byte, error) {
	if len(times) == 0 {
		return nil, nil
	}
	if len(times) > trace.MaxIterations {
		return nil, fmt.Errorf("%d iterations; at most %d can be saved", len(times), trace.MaxIterations)
	}
	return packInts(func(put func(int)) {
		put(timesFormat)
		put(len(times))
		last := time.Duration(0)
		for _, took := range times {
			put(int(took.Duration() - last))
			last = took.Duration()
		}
	})
}

// unpackTimes reads what packTimes has written.
func unpackTimes(packed []byte) ([]unit.Seconds, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	r, err := newIntReader(packed)
	if err != nil {
		return nil, err
	}
	count, err := r.begin(timesFormat, trace.MaxIterations)
	if err != nil {
		return nil, err
	}
	var times []unit.Seconds
	took := time.Duration(0)
	for i := 0; i < count && r.err == nil; i++ {
		took += time.Duration(r.next())
		if took < 0 {
			return nil, fmt.Errorf("%w: iteration %d took %v", errTraceDamaged, i, took)
		}
		times = append(times, unit.FromDuration(took))
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	return times, nil
}
