package link

import (
	"net"
	"runtime"
	"time"
)

// brief is how many turns the rank's thread leaves to the goroutines before it
// sleeps: they answer within microseconds or when a peer does.
const brief = 20

func (p *portable) idle(turn int, most time.Duration) error {
	if p.cut.Load() {
		return net.ErrClosed
	}
	vain := p.pace.vain(turn)
	if vain < brief {
		runtime.Gosched()
		return nil
	}
	p.timer.Reset(nap(vain-brief, most))
	select {
	case <-p.news:
	case <-p.timer.C:
	case <-p.ended:
	}
	p.timer.Stop()
	if p.cut.Load() {
		return net.ErrClosed
	}
	return nil
}
