package store

import (
	"errors"
	"fmt"
	"time"

	"lockstep/engine/trace"
)

// maxEvents bounds a saved trace, above what the engine lets a run report, so
// that a damaged or foreign row cannot fill the memory.
const maxEvents = 1 << 21

// eventsFormat is the first number of a packed trace.
const eventsFormat = 1

var errTraceDamaged = errors.New("saved trace is damaged")

// packEvents writes events as gzip over varints: the format, the count, and of
// each event rank, iteration, step, slice, side, bytes and nanoseconds, each
// but side as the difference from the event before. It returns nil for none.
func packEvents(events []trace.Event) ([]byte, error) {
	if len(events) == 0 {
		return nil, nil
	}
	if len(events) > maxEvents {
		return nil, fmt.Errorf("%d events; at most %d can be saved", len(events), maxEvents)
	}
	return packInts(func(put func(int)) {
		put(eventsFormat)
		put(len(events))
		var last trace.Event
		for _, e := range events {
			put(e.Rank - last.Rank)
			put(e.Iteration - last.Iteration)
			put(e.Step - last.Step)
			put(e.Slice - last.Slice)
			put(int(e.Side))
			put(e.Bytes - last.Bytes)
			put(int(e.At - last.At))
			last = e
		}
	})
}

// unpackEvents reads what packEvents has written.
func unpackEvents(packed []byte) ([]trace.Event, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	r, err := newIntReader(packed)
	if err != nil {
		return nil, err
	}
	count, err := r.begin(eventsFormat, maxEvents)
	if err != nil {
		return nil, err
	}
	var events []trace.Event // grows with what is really there
	var e trace.Event
	for i := 0; i < count && r.err == nil; i++ {
		e.Rank += r.next()
		e.Iteration += r.next()
		e.Step += r.next()
		e.Slice += r.next()
		side := r.next()
		e.Bytes += r.next()
		e.At += time.Duration(r.next())
		e.Side = trace.Side(side)
		if r.err == nil && (side < 0 || side > int(trace.Received) || min(e.Rank, e.Iteration, e.Step, e.Slice, e.Bytes) < 0) {
			return nil, fmt.Errorf("%w: event %d is impossible", errTraceDamaged, i)
		}
		events = append(events, e)
	}
	if err := r.end(); err != nil {
		return nil, err
	}
	return events, nil
}
