package conduct

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	"lockstep/engine/rank"
	"lockstep/engine/trace"
)

// A rank is slow, and said to be, when its own work takes much longer than the
// same work takes its peers, and the run waits for it. It is never failed for
// it: slow is not wrong.
//
// Each rank measures its own work (rank.Works): time between having all that a
// piece of work needs and having done it. Waiting for others is no part of it,
// so a rank that merely waits for a slow one is not slow. Work is compared with
// the same kind of work of the other ranks, by what a unit of it costs them: a
// rank that adds up what all others send is not slow for being the only one
// that adds.
const (
	// slowWindow is how long a rank is looked at before it is judged.
	slowWindow = time.Second
	// slowWindows is how many windows in succession must agree: a pause of a
	// second is in two of them at most.
	slowWindows = 3
	// slowRatio is how many times longer than its peers a slow rank takes.
	slowRatio = 5
	// slowShare is the part of a window that a slow rank is busy for at least:
	// below it, nobody waits for it long.
	slowShare = 0.5
	// unitFloor is the least that a unit of work is held to cost. Kinds of
	// which only a brake's rests are measured cost peers nothing.
	unitFloor = 0.1e-9 // seconds
	// sliceUnits is what a slice costs besides its bytes, in bytes.
	sliceUnits = 16 << 10
)

// slowness is how a rank has been judged.
type slowness struct {
	from    pulse   // the window under way
	since   []pulse // of all ranks, when the first of the windows in succession began
	windows int     // in succession that found it slow
	named   bool
}

// pulse is what a rank had done at a time.
type pulse struct {
	at    time.Time
	works rank.Works
}

// lag names ranks that are slow.
func (r *Conductor) lag(now time.Time) {
	if r.ended {
		return
	}
	for _, m := range r.members {
		s := &m.slow
		here := pulse{now, m.works}
		switch {
		case m.stage != ready || len(m.times) == r.plan.iterations() || s.from.at.IsZero() || r.excused.After(s.from.at):
			s.from, s.windows = here, 0
			continue
		case now.Sub(s.from.at) < slowWindow:
			continue
		}
		if s.windows == 0 {
			s.since = r.pulses()
		}
		if ratio, share := r.slower(m, s.from, here); ratio >= slowRatio && share >= slowShare {
			s.windows++
		} else {
			s.windows = 0
		}
		s.from = here
		if s.windows >= slowWindows && !s.named {
			s.named = true
			r.nameSlow(m, now)
		}
	}
}

// pulses returns the beginning of every rank's window.
func (r *Conductor) pulses() []pulse {
	all := make([]pulse, len(r.members))
	for i, m := range r.members {
		all[i] = m.slow.from
	}
	return all
}

// nameSlow says that a rank is slow, by what can be compared at a glance: how
// much of the time it and the others were busy.
func (r *Conductor) nameSlow(m *member, now time.Time) {
	busy := func(other *member) float64 {
		from, took := m.slow.since[other.rank], time.Duration(0)
		for k := range other.works {
			took += other.works[k].Busy - from.works[k].Busy
		}
		return min(took.Seconds()/now.Sub(from.at).Seconds(), 1)
	}
	var others []float64
	for _, other := range r.members {
		if other != m {
			others = append(others, busy(other))
		}
	}
	slices.Sort(others)
	seconds := fmt.Sprintf("%.0f", now.Sub(m.slow.since[m.rank].at).Seconds())
	own, usual := fmt.Sprintf("%.0f", 100*busy(m)), fmt.Sprintf("%.0f", 100*others[len(others)/2])
	r.log.Warn(trace.Warning{
		Code: "slow-rank",
		Message: fmt.Sprintf("%s is slow: for %s s its own work has taken %s %% of the time and that of the other ranks about %s %%; they wait for it",
			r.name(m.rank), seconds, own, usual),
		Values: trace.Values{"rank": strconv.Itoa(m.rank), "seconds": seconds, "own": own, "others": usual},
	})
}

// slower returns how many times longer than its peers a rank took for what it
// did between two pulses, and which part of the time it was busy.
func (r *Conductor) slower(m *member, from, to pulse) (ratio, share float64) {
	took, usual := 0.0, 0.0
	for k := range to.works {
		unit, comparable := r.usual(m, rank.WorkKind(k))
		if !comparable {
			continue
		}
		took += (to.works[k].Busy - from.works[k].Busy).Seconds()
		usual += (units(to.works[k]) - units(from.works[k])) * unit
	}
	share = took / to.at.Sub(from.at).Seconds()
	if took == 0 {
		return 0, share
	}
	return took / usual, share // infinite when nothing got done
}

// usual returns what a unit of a kind of work costs the other ranks, in
// seconds: their median over the whole run. None of them may have done any.
func (r *Conductor) usual(m *member, k rank.WorkKind) (float64, bool) {
	var costs []float64
	for _, other := range r.members {
		if n := units(other.works[k]); other != m && n > 0 {
			costs = append(costs, other.works[k].Busy.Seconds()/n)
		}
	}
	if len(costs) == 0 {
		return 0, false
	}
	slices.SortFunc(costs, cmp.Compare)
	return max(costs[len(costs)/2], unitFloor), true
}

// units is how much there was to do.
func units(w rank.Work) float64 { return float64(w.Bytes) + sliceUnits*float64(w.Slices) }
