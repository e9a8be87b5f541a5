package web

import (
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// rows writes events as watchers read them: of each place the furthest slice
// of the latest iteration. A large run has hundreds of slices to a step, which
// nobody could look at one by one; so a message grows with the steps only.
// Events of steps that are not in the schedule are left out.
func rows(events []trace.Event, s *schedule.Schedule) []Row {
	type place struct {
		rank, step int
		side       trace.Side
	}
	list := make([]Row, 0, min(len(events), 4*len(s.Steps)))
	known := make(map[place]int, cap(list))
	for _, e := range events {
		step := s.Index(e.Step)
		if step < 0 {
			continue
		}
		row := Row{int64(e.Rank), int64(step), int64(e.Slice), int64(e.Side), int64(e.At), int64(e.Iteration)}
		at := place{e.Rank, step, e.Side}
		i, seen := known[at]
		switch {
		case !seen:
			known[at] = len(list)
			list = append(list, row)
		case row.after(list[i]):
			list[i] = row
		}
	}
	return list
}

// after reports whether r is further than another row of the same place.
func (r Row) after(other Row) bool {
	if r[5] != other[5] {
		return r[5] > other[5]
	}
	return r[2] > other[2]
}

// earliest returns the iteration that all of so many ranks have begun, -1 if
// one of them was not heard of.
func earliest(rows []Row, ranks int) int {
	latest := make(map[int64]int64, ranks)
	for _, r := range rows {
		if at, heard := latest[r[0]]; !heard || r[5] > at {
			latest[r[0]] = r[5]
		}
	}
	if len(latest) < ranks || ranks == 0 {
		return -1
	}
	least := int64(-1)
	for _, at := range latest {
		if least < 0 || at < least {
			least = at
		}
	}
	return int(least)
}
