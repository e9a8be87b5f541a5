package present

import (
	"fmt"
	"math"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// lessonBytes prints an amount in three digits and decimal units, as network
// people count.
func lessonBytes(b int) string {
	return sized(float64(b), 3, []step{{"B", 1}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}})
}

// parts splits a step into what latency costs and what bytes cost. A step whose
// bytes leave while the last ones of the step before are still on their way
// pays no latency, or less of one.
func (c choice) parts(s *stepFacts) (latency, transfer unit.Seconds) {
	whole := s.end - s.start
	if len(s.moves) == 0 {
		return 0, 0
	}
	const nothing = 1e-9 // of the whole: less is what rounding leaves
	port := unit.Bytes(c.taken(s)).Over(c.network.Bandwidth)
	latency = min(unit.FromDuration(c.network.Latency), max(whole-port, 0))
	switch {
	case latency < whole*nothing:
		return 0, whole
	case whole-latency < whole*nothing:
		return whole, 0
	}
	return latency, whole - latency
}

// taken is how many bytes take as long at a port as those of a step do: its
// busiest port's, or all of them where the network's own work takes turns, in
// which a port stands idle during what concerns its rank alone.
func (c choice) taken(s *stepFacts) int {
	if len(s.moves) < 2 || s.moves[0].alone() {
		return s.busiest
	}
	whole := 0
	for i := range s.moves {
		whole += s.moves[i].bytes
	}
	const most = 1 + 1e-9 // of the time: more is no rounding
	if unit.Bytes(whole).Over(c.network.Bandwidth) > (s.end-s.start)*most {
		return s.busiest
	}
	return max(whole, s.busiest)
}

// account adds up the times of the steps from first to last.
func (t teller) account(first, last int) (latency, transfer unit.Seconds) {
	for i := first; i <= last; i++ {
		a, b := t.c.parts(&t.f.steps[i])
		latency, transfer = latency+a, transfer+b
	}
	return latency, transfer
}

// through is the most bytes that pass a port in one direction in the steps from
// first to last, as the closed forms of the index count: the two directions of
// a port are not added up, nor the busiest ports of several steps.
func (t teller) through(first, last int) int {
	most := 0
	for rank := range t.f.schedule.Ranks {
		sent, received := 0, 0
		for _, s := range t.f.steps[first : last+1] {
			sent, received = sent+s.sent[rank], received+s.received[rank]
		}
		most = max(most, sent, received)
	}
	return most
}

// costs is the table of what a step costs, all steps so far, and all there are.
func (t teller) costs(at int) views.Costs {
	all := len(t.f.steps) - 1
	columns := [][2]int{{max(at, 1), at}, {1, at}, {1, all}}
	rows := [4][]string{}
	for _, c := range columns {
		latency, transfer := t.account(c[0], c[1])
		for i, text := range []string{duration(latency), duration(transfer), duration(latency + transfer), lessonBytes(t.through(c[0], c[1]))} {
			rows[i] = append(rows[i], text)
		}
	}
	port := "lesson.cost.each"
	for _, s := range t.f.steps {
		if !s.uniform {
			port = "lesson.cost.port"
		}
	}
	return views.Costs{
		Head: []string{t.l.T("lesson.cost.this"), t.l.T("lesson.cost.sofar", locale.Values{"Number": at}), t.l.T("lesson.cost.all", locale.Values{"Number": all})},
		Rows: []views.CostRow{
			{Name: t.l.T("lesson.cost.alpha"), Values: rows[0]}, {Name: t.l.T("lesson.cost.beta"), Values: rows[1]},
			{Name: t.l.T("lesson.cost.sum"), Values: rows[2], Strong: true}, {Name: t.l.T(port), Values: rows[3]},
		},
	}
}

// bounds are what an algorithm is held against: the least time that the bytes
// of the busiest port take (docs/formulas.md), and one latency for each doubling
// of who can know. The second is no bound: messages that need not wait for one
// another pay one latency together.
func (t teller) bounds() (transfer, latency unit.Seconds) {
	n := t.f.schedule.Ranks
	share := t.f.schedule.Collective.BusFactor(n)
	if !t.c.entry.Executable && t.f.schedule.Collective == schedule.AllReduce { // the network adds up: a port need only carry the vector
		share = 1
	}
	transfer = unit.Seconds(share * float64(t.c.size.Over(t.c.network.Bandwidth)))
	latency = unit.Seconds(math.Ceil(math.Log2(float64(n)))) * unit.FromDuration(t.c.network.Latency)
	return transfer, latency
}

// boundNote holds the algorithm against the bounds.
func (t teller) boundNote() string {
	if t.f.schedule.Ranks < 2 {
		return ""
	}
	leastTransfer, doubling := t.bounds()
	steps := len(t.f.steps) - 1
	latency, transfer := t.account(1, steps)
	said := []string{t.l.T("lesson.bound", locale.Values{
		"Transfer": duration(leastTransfer), "TransferTimes": ratio(t.l, transfer, leastTransfer, "lesson.bound.met", "lesson.bound.times"),
		"Latency": duration(doubling), "Paid": duration(latency), "LatencyTimes": ratio(t.l, latency, doubling, "lesson.bound.same", "lesson.bound.more"),
	})}
	const aStep = 1 - 1e-3 // of what all steps would pay: less is what rounding leaves
	if each := unit.Seconds(steps) * unit.FromDuration(t.c.network.Latency); latency < each*aStep {
		said = append(said, t.l.T("lesson.bound.overlap", locale.Values{"Steps": steps}))
	}
	const near = 1.2 // of the bound: nobody asks why
	if t.c.entry.Pieces > 1 && t.c.broken == nil && transfer > leastTransfer*near {
		said = append(said, t.l.T("lesson.bound.pieces", locale.Values{"Pieces": t.c.chunks}))
	}
	if right := t.f.rightTime; right > 0 && math.Abs(float64(t.f.time/right)-1) > 0.005 {
		said = append(said, t.l.T("break.time", locale.Values{"Now": duration(t.f.time), "Right": duration(right)}))
	}
	return t.joined(said)
}

// ratio says how far a time is from another, by the message for as much and
// the one for a multiple of it.
func ratio(l locale.Locale, have, other unit.Seconds, same, multiple string) string {
	if other == 0 {
		return l.T("lesson.bound.none")
	}
	times := float64(have / other)
	if math.Abs(times-1) < 0.005 {
		return l.T(same)
	}
	return l.T(multiple, locale.Values{"Times": significant(times, 2)})
}

// clock draws the cost clock at a step.
func (t teller) clock(at int, narrow bool) draw.Clock {
	k := draw.Clock{
		Narrow: narrow, ID: "clock", Title: t.l.T("lesson.clock"), Step: at, Now: float64(t.f.steps[at].end), Word: t.now(at),
		Desc: t.l.T("lesson.clock.desc", locale.Values{"Time": duration(t.f.time), "Number": len(t.f.steps) - 1, "Now": duration(t.f.steps[at].end)}),
	}
	most := 7
	if narrow {
		k.ID, most = "clock-narrow", 5
	}
	for i := 1; i < len(t.f.steps); i++ {
		s := &t.f.steps[i]
		latency, _ := t.c.parts(s)
		part := 1
		if s.waits() > 0 && t.layout() == draw.StarLayout {
			part = len(s.moves)
		}
		k.Steps = append(k.Steps, draw.ClockStep{Start: float64(s.start), Latency: float64(latency), End: float64(s.end), Parts: part,
			Name: t.l.T("lesson.clock.step", locale.Values{"Step": i}), Number: fmt.Sprint(i)})
	}
	for _, v := range draw.NiceTicks(float64(t.f.time), most) {
		k.Ticks = append(k.Ticks, draw.ClockTick{At: v, Label: duration(unit.Seconds(v))})
	}
	if bound, _ := t.bounds(); t.f.schedule.Ranks > 1 && bound > 0 {
		k.Bound, k.Limit = float64(bound), t.l.T("lesson.clock.bound", locale.Values{"Time": duration(bound)})
	}
	return k
}

func (t teller) now(at int) string {
	return t.l.T("lesson.clock.now", locale.Values{"Time": duration(t.f.steps[at].end)})
}

// clockLegend says what the two fills are and how much of the whole they take.
func (t teller) clockLegend() []views.ClockPart {
	latency, transfer := t.account(1, len(t.f.steps)-1)
	whole := float64(latency + transfer)
	if whole == 0 {
		return nil
	}
	share := func(v unit.Seconds) string { return significant(float64(v)/whole*100, 2) + "%" }
	return []views.ClockPart{
		{Latency: true, Text: t.l.T("lesson.clock.alpha", locale.Values{"Time": duration(latency), "Share": share(latency)})},
		{Text: t.l.T("lesson.clock.beta", locale.Values{"Time": duration(transfer), "Share": share(transfer)})},
	}
}
