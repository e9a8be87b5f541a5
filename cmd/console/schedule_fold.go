package main

import (
	"fmt"
	"strings"

	"lockstep/engine/schedule"
)

// row is one line of a round: a step, or a run of steps that differ by the
// same from one to the next.
type row struct{ ranks, op, from, arrow, into string }

// foldAbove is how many steps of a round are printed one by one.
const foldAbove = 16

// foldSteps returns the lines of a round. A round of many steps is folded:
// three or more in a row whose ranks and chunks go on by equal steps, counted
// in a circle, are one line with the first, the second and the last.
func foldSteps(s *schedule.Schedule, steps []schedule.Step) []row {
	var rows []row
	for i := 0; i < len(steps); {
		end := i + 1
		if len(steps) > foldAbove {
			end = runEnd(s, steps, i)
		}
		if end-i < 3 {
			end = i + 1
		}
		rows = append(rows, foldRow(steps[i:end]))
		i = end
	}
	return rows
}

// runEnd returns the index behind the steps that go on as the two at i do.
func runEnd(s *schedule.Schedule, steps []schedule.Step, i int) int {
	end := i + 1
	for end < len(steps) && alike(&steps[i], &steps[end]) && (end == i+1 || advance(s, &steps[end-1], &steps[end]) == advance(s, &steps[i], &steps[i+1])) {
		end++
	}
	return end
}

func alike(x, y *schedule.Step) bool {
	return x.Op == y.Op && x.Op <= schedule.Reduce && x.Local() == y.Local() && x.SrcBuf == y.SrcBuf && x.DstBuf == y.DstBuf && x.Count == y.Count
}

// advance says how y differs from x; ranks and chunks are counted in a circle.
func advance(s *schedule.Schedule, x, y *schedule.Step) [4]int {
	circle := func(from, to, size int) int { return ((to-from)%size + size) % size }
	return [4]int{
		circle(x.Src, y.Src, s.Ranks), circle(x.Dst, y.Dst, s.Ranks),
		circle(x.SrcChunk, y.SrcChunk, s.Chunks), circle(x.DstChunk, y.DstChunk, s.Chunks),
	}
}

func foldRow(steps []schedule.Step) row {
	first := &steps[0]
	each := func(text func(*schedule.Step) string) string {
		n := len(steps)
		from, last := text(first), text(&steps[n-1])
		if n == 1 {
			return from
		}
		switch next := text(&steps[1]); {
		case from == next && next == last:
			return from
		case n == 3:
			return from + " " + next + " " + last
		default:
			return from + " " + next + " … " + last
		}
	}
	return row{
		ranks: each(func(st *schedule.Step) string {
			if st.Local() {
				return fmt.Sprintf("at %d", st.Src)
			}
			return rankList(st.Sources()) + "→" + rankList(st.Destinations())
		}),
		op:    first.Op.String(),
		from:  first.SrcBuf.String() + " " + each(func(st *schedule.Step) string { return chunkRange(st.SrcChunk, st.Count) }),
		arrow: "→",
		into:  first.DstBuf.String() + " " + each(func(st *schedule.Step) string { return chunkRange(st.DstChunk, st.Count) }),
	}
}

// rankList prints ranks, neighbours as a range.
func rankList(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[end] == list[end-1]+1 {
			end++
		}
		parts = append(parts, chunkRange(list[i], end-i))
		i = end
	}
	return strings.Join(parts, ",")
}

// chunkRange prints count numbers from first on.
func chunkRange(first, count int) string {
	if count == 1 {
		return fmt.Sprint(first)
	}
	return fmt.Sprintf("%d..%d", first, first+count-1)
}
