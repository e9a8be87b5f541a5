package present

import (
	"math"
	"strconv"

	"lockstep/engine/unit"
	"lockstep/views"
)

// player is the clock and what moves it.
func (r *race) player() views.RacePlayer {
	p := views.RacePlayer{
		Now: r.clock(r.now), End: r.clock(r.end), At: seconds(r.now), Full: seconds(r.end),
		FirstURL: r.urlOf(r.ask, 0), LastURL: r.urlOf(r.ask, r.end),
	}
	p.Keep = r.kept("")
	for _, who := range []*racer{r.a, r.b} {
		ends := who.ends()
		for i, end := range ends {
			id := "race.jump.phase"
			if i == len(ends)-1 {
				id = "race.jump.end"
			}
			p.Jumps = append(p.Jumps, views.RaceJump{
				Name: r.t(id, "Time", duration(end), "Name", r.name(who), "Phase", r.phase(who, i)),
				URL:  r.urlOf(r.ask, end), At: seconds(end), Current: end == r.now,
			})
		}
	}
	if rate := r.rate(); rate != 1 {
		p.Pace = r.t("race.pace", "Time", duration(unit.Seconds(rate)))
	}
	for _, speed := range []string{"0.5", "1", "4"} {
		p.Speeds = append(p.Speeds, views.StoryOption{Value: speed, Name: speed + "×", Chosen: speed == "1"})
	}
	return p
}

// rate is how much of the race a second of playing shows: a second, unless
// that were over too soon to see or too late to wait for.
func (r *race) rate() float64 {
	const soon, late, pleasant = 4, 90, 20
	if r.end >= soon && r.end <= late {
		return 1
	}
	// To two digits, so that it can be said.
	rate, _ := strconv.ParseFloat(strconv.FormatFloat(float64(r.end)/pleasant, 'g', 2, 64), 64)
	return math.Max(rate, 1e-9)
}

// clockUnit is the unit of the clock, the same all through the race.
func (r *race) clockUnit() (scale float64, name string) {
	switch {
	case r.end < 1e-3:
		return 1e6, "µs"
	case r.end < 1:
		return 1e3, "ms"
	}
	return 1, "s"
}

// clock prints a moment with three digits, in the clock's unit.
func (r *race) clock(at unit.Seconds) string {
	scale, name := r.clockUnit()
	return significant(float64(at)*scale, 3) + " " + name
}
