package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// position is how far a running run is.
type position struct {
	warmups  int
	total    int // iterations, the uncounted ones included
	parts    int // events between ranks of one iteration; local steps take no time to speak of
	rounds   int
	roundOf  map[int]int // by raw round number; of a local-only round, the counted one before it
	detailed bool        // few enough parts to be looked at one by one
	began    time.Time   // when it was first seen running

	iteration int // -1 until every rank was heard of
	done      int // parts of the iteration seen so far
	round     int // furthest of the iteration
}

// newPosition returns the beginning of a run. A nil schedule leaves what
// happens within an iteration out.
func newPosition(warmups, iterations, slices int, sched *schedule.Schedule) position {
	p := position{warmups: warmups, total: warmups + iterations, roundOf: map[int]int{}, iteration: -1}
	if sched == nil {
		return p
	}
	last := 0
	for i := range sched.Steps {
		step := &sched.Steps[i]
		if !step.Local() {
			p.parts += 2 * slices
			if step.Round != last {
				last = step.Round
				p.rounds++
			}
		}
		p.roundOf[step.Round] = p.rounds
	}
	p.detailed = p.parts <= maxDetailed
	return p
}

// maxDetailed bounds what is read of a log several times a second.
const maxDetailed = 50_000

// progress tells how far a running run of this process is, from its log.
type progress struct {
	position
	live *engine.Live
	seq  int
}

func newProgress(live *engine.Live) *progress {
	spec := live.Spec()
	return &progress{position: newPosition(spec.Warmups(), spec.Iterations, spec.Slices, live.Schedule()), live: live}
}

// read brings p up to date with the log.
func (p *progress) read() *position {
	if p.began.IsZero() {
		p.began = time.Now()
	}
	log, sched := p.live.Log(), p.live.Schedule()
	if at := log.Iteration(sched.Ranks); at != p.iteration {
		p.iteration, p.done, p.round = at, 0, 0
		p.seq = 0 // ranks that are ahead have events of it already
	}
	if !p.detailed || p.iteration < 0 {
		return &p.position
	}
	delta := log.Since(p.seq)
	p.seq = delta.Seq
	for _, e := range delta.Events {
		if e.Iteration != p.iteration || e.Side == trace.Local {
			continue
		}
		p.done++
		if at := sched.Index(e.Step); at >= 0 {
			p.round = max(p.round, p.roundOf[sched.Steps[at].Round])
		}
	}
	return &p.position
}

// share returns how much of the run is behind it, 0 to 1.
func (p *position) share() float64 {
	if p.iteration < 0 || p.total == 0 {
		return 0
	}
	within := 0.0
	if p.parts > 0 {
		within = min(float64(p.done)/float64(p.parts), 1)
	}
	return min((float64(p.iteration)+within)/float64(p.total), 1)
}

// where says in words how far the run is.
func (p *position) where() string {
	var text string
	switch {
	case p.iteration < 0:
		return "starting"
	case p.iteration < p.warmups:
		text = fmt.Sprintf("warm-up %d of %d", p.iteration+1, p.warmups)
	default:
		text = fmt.Sprintf("iteration %d of %d", p.iteration-p.warmups+1, p.total-p.warmups)
	}
	if p.detailed && p.round > 0 && p.total == 1 { // of many iterations nobody could read it
		text += fmt.Sprintf(", round %d of %d", p.round, p.rounds)
	}
	return text
}

// times says how long it has taken and may take yet.
func (p *position) times() string {
	elapsed := time.Since(p.began)
	text := elapsed.Round(time.Second).String()
	if share := p.share(); share > 0.05 && elapsed > time.Second {
		left := time.Duration(float64(elapsed) * (1 - share) / share)
		text += ", about " + left.Round(time.Second).String() + " left"
	}
	return text
}

// progressLine shows progress: on a terminal as a line that is written over,
// elsewhere as a line now and then.
type progressLine struct {
	w      io.Writer
	screen *os.File // the terminal behind w, nil if there is none
	ticker *time.Ticker
	last   string        // what was written
	state  trace.Outcome // when it was
}

func newProgressLine(w io.Writer) *progressLine {
	l := &progressLine{w: w}
	every := 2 * time.Second
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		l.screen, every = f, 100*time.Millisecond
	}
	l.ticker = time.NewTicker(every)
	return l
}

// tick fires when it is time to show progress again.
func (l *progressLine) tick() <-chan time.Time { return l.ticker.C }

// show says how the run stands; ahead is how many come first while it is
// queued, at says where it is once it is running.
func (l *progressLine) show(id string, outcome trace.Outcome, ahead int, at func() *position) {
	running := outcome == trace.Running
	text := "queued"
	if ahead > 0 {
		text = fmt.Sprintf("queued behind %d", ahead)
	}
	var p *position
	if running {
		p = at()
		text = p.where()
	}
	if l.screen == nil {
		if running && (l.state != trace.Running || p.iteration < 0) {
			text = "running"
		}
		l.state = outcome
	} else if running {
		text = bar(p.share()) + " " + text + ", " + p.times()
	}
	l.say("run " + id + " " + text)
}

// say shows a text, unless it is what was shown last.
func (l *progressLine) say(text string) {
	if l.screen == nil {
		if text != l.last {
			fmt.Fprintln(l.w, text)
			l.last = text
		}
		return
	}
	// A line that is wider than the terminal could not be written over.
	if width, _, err := term.GetSize(int(l.screen.Fd())); err == nil && width > 0 {
		text = text[:min(len(text), width-1)]
	}
	if text != l.last {
		fmt.Fprint(l.w, "\r\x1b[K", text)
		l.last = text
	}
}

// clear wipes the line and ends the ticks.
func (l *progressLine) clear() {
	l.ticker.Stop()
	if l.screen != nil && l.last != "" {
		fmt.Fprint(l.w, "\r\x1b[K")
	}
}

// bar draws a share of 0 to 1.
func bar(share float64) string {
	const width = 24
	full := int(share * width)
	return "[" + strings.Repeat("=", full) + strings.Repeat(" ", width-full) + "]"
}
