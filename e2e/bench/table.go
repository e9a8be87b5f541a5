package main

import (
	"fmt"
	"strings"
)

// head is the head of a table. Gloo's transport is named where it is not the
// table's own.
func (g group) head() string {
	other := "Gloo"
	if g.link == "shm" {
		other = "Gloo (tcp)"
	}
	columns := []string{"bytes", "placement", "rounds", "Open MPI", "min", other, "min", "Lockstep", "min", "ratio to Open MPI", "goal", "ratio to " + other, "goal", "load"}
	return "| " + strings.Join(columns, " | ") + " |\n" + strings.Repeat("| --- ", len(columns)) + "|\n"
}

func (g group) title() string { return fmt.Sprintf("## %s, %d ranks", g.collective, g.ranks) }

// line is the row as a line of the table.
func (r row) line() string {
	goal, v := r.mpiVerdict()
	cells := []string{bytesText(r.cell.size), r.placeText(), fmt.Sprint(r.rounds)}
	for _, p := range []int{openMPI, gloo, ours} {
		cells = append(cells, r.timed[p].text(), r.timed[p].fastestText())
	}
	cells = append(cells, r.toMPI.text(), goalText(goal, v), r.toGloo.text(), goalText(goalToGloo, r.glooVerdict()), r.load)
	return "| " + strings.Join(cells, " | ") + " |\n"
}

func (r row) placeText() string {
	if r.exchange == 0 {
		return string(r.place)
	}
	return fmt.Sprintf("%s, %.0f ns", r.place, r.exchange)
}

func (t timed) text() string {
	switch {
	case t.median == 0:
		return ""
	case t.how == "":
		return duration(t.median)
	}
	return fmt.Sprintf("%s (%s)", duration(t.median), t.how)
}

func (t timed) fastestText() string {
	if t.median == 0 {
		return ""
	}
	return duration(t.fastest)
}

func (r ratio) text() string {
	if r.median == 0 {
		return ""
	}
	return fmt.Sprintf("**%s** (%s–%s)", ratioText(r.median), ratioText(r.low), ratioText(r.high))
}

// ratioText writes a ratio with two digits at least: 0.0013, 0.37, 2.10.
func ratioText(v float64) string {
	switch {
	case v < 0.01:
		return fmt.Sprintf("%.4f", v)
	case v < 0.1:
		return fmt.Sprintf("%.3f", v)
	}
	return fmt.Sprintf("%.2f", v)
}

func goalText(goal float64, v verdict) string {
	switch {
	case goal == 0:
		return ""
	case v == met:
		return fmt.Sprintf("≤ %.4g met", goal)
	case v == missed:
		return fmt.Sprintf("≤ %.4g **missed**", goal)
	}
	return fmt.Sprintf("≤ %.4g", goal)
}

// score counts verdicts.
type score struct{ met, judged int }

func (s *score) add(v verdict) {
	if v == none {
		return
	}
	s.judged++
	if v == met {
		s.met++
	}
}

func (s score) String() string { return fmt.Sprintf("%d of %d", s.met, s.judged) }
