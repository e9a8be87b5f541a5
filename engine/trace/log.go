package trace

import (
	"cmp"
	"slices"
	"sync"
	"time"
)

// Log keeps the latest state of a run: for every (rank, step, slice, side) the
// event of the latest iteration in which it was reached. It is safe for
// concurrent use; mu owns every field.
type Log struct {
	mu        sync.Mutex
	seq       int // of the latest change
	entries   []entry
	index     map[place]int
	recent    []change    // by ascending seq; a place may stand in it more than once
	iteration map[int]int // the latest iteration heard of, by rank
	warnings  []Warning
	took      []time.Duration // of each counted iteration that has ended, in their order
	heard     time.Time       // when the latest batch of events came in; zero before the first
	changed   chan struct{}
	closed    bool
}

type place struct {
	rank, step, slice int
	side              Side
}

type entry struct {
	event Event
	seq   int
}

// change says that the entry at an index was changed; out of date if the entry
// has another seq by now.
type change struct{ seq, entry int }

// NewLog returns an empty log.
func NewLog() *Log {
	return &Log{index: map[place]int{}, iteration: map[int]int{}, changed: make(chan struct{})}
}

// Add enters a batch. An event of an earlier iteration than the one kept for
// its place is dropped. Adding to a closed log is ignored: a late batch of a
// rank that was given up is no longer part of the run.
func (l *Log) Add(batch []Event) {
	if len(batch) == 0 {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.heard = time.Now()
	for _, e := range batch {
		l.seq++
		l.iteration[e.Rank] = max(l.iteration[e.Rank], e.Iteration)
		at := place{e.Rank, e.Step, e.Slice, e.Side}
		i, known := l.index[at]
		switch {
		case !known:
			l.index[at] = len(l.entries)
			l.recent = append(l.recent, change{l.seq, len(l.entries)})
			l.entries = append(l.entries, entry{e, l.seq})
		case e.Iteration >= l.entries[i].event.Iteration:
			l.recent = append(l.recent, change{l.seq, i})
			l.entries[i] = entry{e, l.seq}
		}
	}
	// Most changes are out of date after many iterations: keep as many as
	// there are entries, twice over at most.
	if len(l.recent) > 2*len(l.entries)+1024 {
		l.recent = slices.DeleteFunc(l.recent, func(c change) bool { return l.entries[c.entry].seq != c.seq })
	}
	l.wake()
}

// Warn enters a doubt about the run that came up while it runs. Warning of a
// closed log is ignored, as adding to it is.
func (l *Log) Warn(w Warning) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.seq++
		l.warnings = append(l.warnings, w)
		l.wake()
	}
}

// Warnings returns the doubts in the order in which they came up. The caller
// must not change them.
func (l *Log) Warnings() []Warning {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.warnings[:len(l.warnings):len(l.warnings)]
}

// Close ends the log: nothing more will come.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		l.wake()
	}
}

// wake releases everyone who waits. Callers hold mu.
func (l *Log) wake() {
	close(l.changed)
	l.changed = make(chan struct{})
}

// Delta is what changed in a Log.
type Delta struct {
	Events  []Event         // the changed places, in no particular order
	Seq     int             // ask for this next
	Changed <-chan struct{} // closed at the next change
	Ended   bool
}

// Since returns what changed after sequence number seq; 0 asks for everything.
func (l *Log) Since(seq int) Delta {
	l.mu.Lock()
	defer l.mu.Unlock()
	d := Delta{Seq: l.seq, Changed: l.changed, Ended: l.closed}
	if seq >= l.seq {
		return d
	}
	first, _ := slices.BinarySearchFunc(l.recent, seq, func(c change, seq int) int { return cmp.Compare(c.seq, seq+1) })
	for _, c := range l.recent[first:] {
		if e := l.entries[c.entry]; e.seq == c.seq {
			d.Events = append(d.Events, e.event)
		}
	}
	return d
}

// Latest returns, of each rank, the events of the latest iteration that it
// was heard of in: the trace of the run, or of what it had reached.
func (l *Log) Latest() []Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	var events []Event
	for _, e := range l.entries {
		if e.event.Iteration == l.iteration[e.event.Rank] {
			events = append(events, e.event)
		}
	}
	return events
}

// Iteration returns the iteration that every rank has at least begun, counting
// the uncounted ones, from 0; -1 before all ranks were heard of.
func (l *Log) Iteration(ranks int) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	least := -1
	for rank := range ranks {
		at, heard := l.iteration[rank]
		if !heard {
			return -1
		}
		if least < 0 || at < least {
			least = at
		}
	}
	return least
}
