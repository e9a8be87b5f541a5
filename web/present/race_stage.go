package present

import (
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
)

// stage draws one of the two at the moment, and keeps how it changes.
func (r *race) stage(who *racer, key string) views.RaceStage {
	other := who.entry.Algorithm
	s := views.RaceStage{
		Name: r.name(who), Other: capital(algorithmName(r.f.Other, other)), OtherTag: r.f.Other.Tag(),
		Done: r.done(who, key), LessonURL: r.lessonURL(who),
	}
	if peers := who.queue(); peers != nil {
		s.Picture, s.Narrow = r.queue(who, peers, key, false), r.queue(who, peers, key, true)
		s.Line = r.line(key+"line", r.queueLines(who, peers))
		return s
	}
	s.Picture, s.Narrow = r.columns(who, key, false), r.columns(who, key, true)
	s.Line = r.line(key+"line", r.roundLines(who))
	return s
}

// columns draws the ranks side by side.
func (r *race) columns(who *racer, key string, narrow bool) string {
	frame := draw.Frame{Width: draw.ColumnsWidth, Height: draw.ColumnsHeight}
	if narrow {
		frame.Width = draw.ColumnsNarrow
	}
	d := draw.Columns{
		Frame: r.titled(frame, who, narrow), Key: key, Ring: who.entry.Layout == schedule.Ring && r.ask.Ranks > 1, Ranks: who.columns(r.end), Now: float64(r.now),
	}
	if who.entry.Nodes {
		d.PerNode = who.schedule.RanksPerNode
		for v := 0; v*d.PerNode < r.ask.Ranks; v++ {
			d.Nodes = append(d.Nodes, r.t("race.node", "Node", v))
		}
	}
	if d.Works = who.works(); len(d.Works) > 0 {
		d.Switch = r.t("race.switch")
	}
	picture, reel := d.SVG()
	if !narrow { // both have the same parts
		r.reel = append(r.reel, reel...)
	}
	return picture
}

// titled is the frame of a picture of one of the two.
func (r *race) titled(frame draw.Frame, who *racer, narrow bool) draw.Frame {
	frame.Class, frame.Title, frame.Desc = "race-picture "+widthClass(narrow), r.name(who), r.standing(who)
	return frame
}

// done says that one of the two is over, from that moment on.
func (r *race) done(who *racer, key string) views.RaceText {
	mover := draw.Mover{Key: key + "done", Looks: []draw.Look{{Class: "race-done away"}, {From: float64(who.line.Time), Class: "race-done"}}}
	r.reel = append(r.reel, mover)
	class := mover.Looks[0].Class
	if r.now >= who.line.Time {
		class = mover.Looks[1].Class
	}
	return views.RaceText{Key: mover.Key, Class: class, Text: r.over(who)}
}

// over says when one of the two was done; of a queue nobody counts steps.
func (r *race) over(who *racer) string {
	if _, is := who.star(); is {
		return r.t("race.done.queue", "Time", duration(who.line.Time))
	}
	if len(who.line.Rounds) == 0 {
		return r.t("race.done.alone")
	}
	return r.t("race.done", "Time", duration(who.line.Time), "Rounds", len(who.line.Rounds))
}

// line is a text outside of the drawings that changes with the clock.
func (r *race) line(key string, lines []draw.Line) views.RaceText {
	r.reel = append(r.reel, draw.Mover{Key: key, Lines: lines})
	return views.RaceText{Key: key, Text: draw.Said(lines, float64(r.now))}
}

// roundLines count the steps of a race in which everyone moves.
func (r *race) roundLines(who *racer) []draw.Line {
	var lines []draw.Line
	from := 0.0
	all := len(who.line.Rounds)
	if all == 0 {
		return []draw.Line{{To: float64(r.end), Text: r.t("race.line.alone")}}
	}
	each := r.evenly(who)
	busy := who.busy()
	for i, end := range who.line.Rounds {
		text := r.t("race.line.step", "Step", i+1, "Steps", all, "Ranks", busy[i])
		if each != "" {
			text += each
		}
		lines = append(lines, draw.Line{From: from, To: float64(end), Text: text})
		from = float64(end)
	}
	return append(lines, draw.Line{From: from, To: float64(r.end), Text: r.t("race.line.over", "Steps", all) + each})
}

// evenly says what every message carries, if all are alike.
func (r *race) evenly(who *racer) string {
	transfers := who.line.Transfers
	if len(transfers) == 0 {
		return ""
	}
	for _, t := range transfers {
		if t.Bytes != transfers[0].Bytes {
			return ""
		}
	}
	bytes := unit.Bytes(transfers[0].Bytes)
	if bytes == 0 {
		return ""
	}
	return r.t("race.line.each", "Bytes", sized(float64(bytes), 3, decimalBytes), "Time", duration(transfers[0].End-transfers[0].Start))
}

// queueLines say who is served at the hub and who waits.
func (r *race) queueLines(who *racer, peers []draw.Queuer) []draw.Line {
	return r.queueTexts(peers, func(s queueState) string {
		switch {
		case s.active == nil && s.waiting == 0 && s.in+s.out == s.incoming+s.outgoing:
			return r.t("race.line.queue.over")
		case s.active == nil:
			return r.t("race.line.queue.way")
		case s.outward:
			return r.t("race.line.queue.out", "Waiting", s.waiting)
		}
		return r.t("race.line.queue.in", "Waiting", s.waiting)
	})
}

// queueTexts makes a line of every stretch between two moments of a queue.
func (r *race) queueTexts(peers []draw.Queuer, say func(queueState) string) []draw.Line {
	moments := queueMoments(peers, float64(r.end))
	var lines []draw.Line
	for i, from := range moments {
		to := float64(r.end)
		if i+1 < len(moments) {
			to = moments[i+1]
		}
		text := say(stateOf(peers, from))
		if n := len(lines); n > 0 && lines[n-1].Text == text && !hasPercent(text) {
			lines[n-1].To = to
			continue
		}
		lines = append(lines, draw.Line{From: from, To: to, Text: text})
	}
	return lines
}

// queue draws the hub and those who queue for its port.
func (r *race) queue(who *racer, peers []draw.Queuer, key string, narrow bool) string {
	hub, _ := who.star()
	size := unit.Bytes(who.line.Transfers[0].Bytes)
	shown := sized(float64(size), 3, decimalBytes)
	picture, reel := draw.Queue{
		Frame: r.titled(draw.QueueFrame(narrow), who, narrow), Narrow: narrow, Key: key, Now: float64(r.now), Peers: peers,
		Hub:  r.t("race.queue.hub", "Rank", hub),
		Port: r.t("race.queue.port", "Rate", r.ask.Network.Bandwidth.String()),
		Got: r.queueTexts(peers, func(s queueState) string {
			if size == 0 {
				return r.t("race.queue.got.tokens", "All", max(s.incoming, s.outgoing))
			}
			return r.t("race.queue.got", "All", max(s.incoming, s.outgoing), "Size", shown)
		}),
		Count: r.queueTexts(peers, func(s queueState) string {
			switch {
			case s.active == nil:
				return r.t("race.queue.count", "In", s.in, "Out", s.out)
			case s.outward:
				return r.t("race.queue.count.out", "In", s.in, "Out", s.out, "Next", s.out+1, "Percent", draw.Percent)
			}
			return r.t("race.queue.count.in", "In", s.in, "Next", s.in+1, "Percent", draw.Percent)
		}),
		Active: r.queueTexts(peers, func(s queueState) string {
			switch {
			case s.active == nil:
				return ""
			case s.outward:
				return r.t("race.queue.receiving", "Percent", draw.Percent)
			}
			return r.t("race.queue.sending", "Percent", draw.Percent)
		}),
		Wait: r.queueTexts(peers, func(s queueState) string {
			if s.waiting == 0 {
				return r.t("race.queue.nobody")
			}
			if size == 0 {
				return r.t("race.queue.waiting.tokens", "Count", s.waiting)
			}
			return r.t("race.queue.waiting", "Count", s.waiting,
				"Size", sized(float64(size)*float64(s.waiting), 3, decimalBytes))
		}),
	}.SVG()
	r.reel = append(r.reel, reel...)
	return picture
}

func hasPercent(text string) bool {
	return len(text) > 0 && draw.Said([]draw.Line{{To: 1, Text: text}}, 0) != text
}

// lanes draws both on one axis of time.
func (r *race) lanes(width float64, narrow bool) string {
	scale, name := r.clockUnit()
	most := 12
	if narrow {
		most = 4
	}
	x := draw.Marked(draw.NiceTicks(float64(r.end)*scale, most), false, "", typed)
	for i := range x.Ticks {
		x.Ticks[i].At /= scale
	}
	x.Ticks[len(x.Ticks)-1].Label += " " + name
	x.High /= scale
	l := draw.Lanes{
		Frame: draw.Frame{Width: width, Height: draw.LanesHeight(2, narrow), Title: r.t("race.lanes"), Desc: r.conclude(), Class: widthClass(narrow)},
		Key:   "wide-", X: x, Now: float64(r.now), End: float64(r.end), Clock: r.clock(r.now), Stated: narrow,
	}
	if narrow {
		l.Key = "narrow-"
	}
	for _, who := range []*racer{r.a, r.b} {
		lane := draw.Lane{Name: r.name(who), Figure: duration(who.line.Time)}
		from := unit.Seconds(0)
		for i, end := range who.ends() {
			label := r.t("race.lane.phase", "Phase", r.phase(who, i), "Time", duration(end-from))
			lane.Spans = append(lane.Spans, draw.LaneSpan{From: float64(from), To: float64(end), Label: label})
			if lane.Note != "" {
				lane.Note += " + "
			}
			lane.Note += label
			from = end
		}
		l.Rows = append(l.Rows, lane)
		if half, is := r.oneWay(who); is && !narrow {
			l.Rules = append(l.Rules, draw.Rule{At: float64(half), Label: r.t("race.lane.oneway", "Time", duration(half))})
		}
	}
	svg, reel := l.SVG()
	r.reel = append(r.reel, reel...)
	return svg
}

// standing says in words where one of the two is at the moment.
func (r *race) standing(who *racer) string {
	if r.now >= who.line.Time {
		return r.over(who)
	}
	peers := who.queue()
	if peers == nil {
		return r.t("race.standing.step", "Step", who.rounds(r.now), "Steps", len(who.line.Rounds))
	}
	s := stateOf(peers, float64(r.now))
	return r.t("race.standing.queue", "In", s.in, "Out", s.out, "Waiting", s.waiting)
}

// conclude says in a sentence how far the slower one is when the faster one is
// done.
func (r *race) conclude() string {
	fast, slow := r.b, r.a
	if slow.line.Time < fast.line.Time {
		fast, slow = slow, fast
	}
	at := fast.line.Time
	values := []any{"Fast", r.name(fast), "Slow", r.name(slow), "Time", duration(at), "Total", duration(slow.line.Time)}
	switch {
	case slow.line.Time == 0:
		return r.t("race.say.alone")
	case at == slow.line.Time:
		return r.t("race.say.tie", values...)
	}
	peers := slow.queue()
	if peers == nil {
		return r.t("race.say.steps", append(values, "Step", slow.rounds(at), "Steps", len(slow.line.Rounds))...)
	}
	s := stateOf(peers, float64(at))
	values = append(values, "In", s.in, "Out", s.out, "Waiting", s.waiting)
	switch {
	case s.outward && s.out == 0 && turnPercent(s.active, float64(at)) == "0":
		return r.t("race.say.collected", values...)
	case s.active != nil && s.outward:
		return r.t("race.say.return", append(values, "Next", s.out+1, "Percent", turnPercent(s.active, float64(at)))...)
	case s.active != nil && s.waiting > 0:
		return r.t("race.say.collect", append(values, "Next", s.in+1, "Percent", turnPercent(s.active, float64(at)))...)
	case s.active != nil:
		return r.t("race.say.last", append(values, "Percent", turnPercent(s.active, float64(at)))...)
	}
	return r.t("race.say.way", append(values, "All", strconv.Itoa(s.incoming))...)
}
