package store

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
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
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	w := bufio.NewWriter(zip)
	number := make([]byte, 0, binary.MaxVarintLen64)
	put := func(v int) {
		number = binary.AppendVarint(number[:0], int64(v))
		_, _ = w.Write(number) // to memory
	}
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
	if err := errors.Join(w.Flush(), zip.Close()); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

// unpackEvents reads what packEvents has written, to its end, so that the
// checksum is seen too.
func unpackEvents(packed []byte) ([]trace.Event, error) {
	if len(packed) == 0 {
		return nil, nil
	}
	zip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errTraceDamaged, err)
	}
	r := bufio.NewReader(zip)
	var failed error
	get := func() int {
		v, err := binary.ReadVarint(r)
		if err != nil && failed == nil {
			failed = err
		}
		return int(v)
	}
	if format := get(); failed == nil && format != eventsFormat {
		return nil, fmt.Errorf("%w: unknown format %d", errTraceDamaged, format)
	}
	count := get()
	if failed == nil && (count < 1 || count > maxEvents) {
		return nil, fmt.Errorf("%w: it claims %d events", errTraceDamaged, count)
	}
	var events []trace.Event // grows with what is really there
	var e trace.Event
	for i := 0; i < count && failed == nil; i++ {
		e.Rank += get()
		e.Iteration += get()
		e.Step += get()
		e.Slice += get()
		side := get()
		e.Bytes += get()
		e.At += time.Duration(get())
		e.Side = trace.Side(side)
		if failed == nil && (side < 0 || side > int(trace.Received) || min(e.Rank, e.Iteration, e.Step, e.Slice, e.Bytes) < 0) {
			return nil, fmt.Errorf("%w: event %d is impossible", errTraceDamaged, i)
		}
		events = append(events, e)
	}
	if failed == nil {
		if _, failed = r.ReadByte(); failed == nil {
			failed = errors.New("more follows its end")
		} else if failed == io.EOF {
			failed = nil
		}
	}
	if failed != nil {
		return nil, fmt.Errorf("%w: %w", errTraceDamaged, failed)
	}
	return events, nil
}
