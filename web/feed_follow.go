package web

import (
	"context"
	"time"
)

// line is the way to one watcher.
type line interface {
	// send hands a message over, or fails if that takes too long. It does not
	// keep the message.
	send(ctx context.Context, message []byte) error
	// ping asks whether the watcher is still there.
	ping(ctx context.Context) error
}

const (
	// pingEvery is how long a line may be quiet.
	pingEvery = 20 * time.Second
	// easeAfter is how many frames a watcher must take with ease before it is
	// sent more of them.
	easeAfter = 20
)

// follow sends a watcher who stands at since what happens in the run, until the
// run has ended (nil), the line breaks, or ctx ends.
func (f *feed) follow(ctx context.Context, since int, to line) error {
	at := place{seq: since}
	pace := frameEvery // between two frames to this watcher
	eased := 0
	for {
		made, due, changed, err := f.next(ctx, at)
		if err != nil {
			return err
		}
		if made.body == nil {
			if err := f.quiet(ctx, changed, to); err != nil {
				return err
			}
			if err := until(ctx, due); err != nil {
				return err
			}
			continue
		}
		begun := f.now()
		if err := to.send(ctx, made.body); err != nil {
			return err
		}
		at = made.at
		if made.end {
			return nil
		}
		switch took := f.now().Sub(begun); {
		case took > pace/2:
			pace, eased = min(2*pace, frameSeldom), 0
		case took < pace/8:
			if eased++; eased == easeAfter {
				pace, eased = max(pace/2, frameEvery), 0
			}
		}
		if earliest := begun.Add(pace); earliest.After(due) {
			due = earliest
		}
		if err := until(ctx, due); err != nil {
			return err
		}
	}
}

// quiet waits until there may be something to tell.
func (f *feed) quiet(ctx context.Context, c change, to line) error {
	var look <-chan time.Time
	if c.state == nil {
		timer := time.NewTimer(lookEvery)
		defer timer.Stop()
		look = timer.C
	}
	ping := time.NewTicker(pingEvery)
	defer ping.Stop()
	for {
		select {
		case <-c.log:
			return nil
		case <-c.state:
			return nil
		case <-look:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ping.C:
			if err := to.ping(ctx); err != nil {
				return err
			}
		}
	}
}

// until waits for a time.
func until(ctx context.Context, due time.Time) error {
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
