package trace

import "time"

// Took enters the times of counted iterations that all ranks have ended, in
// their order, behind those entered before. Those of a closed log, and those
// beyond MaxIterations, are ignored.
func (l *Log) Took(iterations ...time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if room := MaxIterations - len(l.took); len(iterations) > room {
		iterations = iterations[:room]
	}
	if l.closed || len(iterations) == 0 {
		return
	}
	l.seq++
	l.took = append(l.took, iterations...)
	l.wake()
}

// Times returns the times of the counted iterations that have ended so far, in
// their order. The caller must not change them.
func (l *Log) Times() []time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.took[:len(l.took):len(l.took)]
}

// Quiet returns how long before now the latest events came in; 0 before the
// first.
func (l *Log) Quiet(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.heard.IsZero() {
		return 0
	}
	return max(0, now.Sub(l.heard))
}
