package engine

import "slices"

// head returns the first of the queue, nil if nothing waits.
func (e *Engine) head() *Live {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.queue) == 0 {
		return nil
	}
	return e.queue[0]
}

// enqueue enters a run that has got its ID. The caller holds entering.
func (e *Engine) enqueue(l *Live) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.queue = append(e.queue, l)
	e.live[l.ID()] = l
	e.number()
	e.nudge()
}

// dequeue takes a run that begins, or ends early, out of the queue.
func (e *Engine) dequeue(l *Live) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if i := slices.Index(e.queue, l); i >= 0 {
		e.queue = slices.Delete(e.queue, i, i+1)
		e.number()
	}
}

// forget lets go of a run that has ended.
func (e *Engine) forget(l *Live) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.live, l.ID())
	e.nudge()
}

// place says how many runs are known to come before the queue's first.
func (e *Engine) place(ahead int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ahead = ahead
	e.number()
}

// number tells each run of the queue how many come before it. The caller
// holds mu.
func (e *Engine) number() {
	for i, l := range e.queue {
		l.wait(e.ahead + i)
	}
}

// nudge wakes the goroutine that waits in next.
func (e *Engine) nudge() {
	select {
	case e.wake <- struct{}{}:
	default: // it has been told already
	}
}
