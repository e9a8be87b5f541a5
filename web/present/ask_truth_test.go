package present

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"lockstep/engine/schedule"
)

// counted are the steps of each counted round, with what stays on a rank left
// out: read from the schedule alone.
func counted(s *schedule.Schedule) [][]schedule.Step {
	rounds, last := [][]schedule.Step{nil}, 0
	for _, step := range s.Steps {
		if step.Local() {
			continue
		}
		if step.Round != last {
			rounds, last = append(rounds, nil), step.Round
		}
		rounds[len(rounds)-1] = append(rounds[len(rounds)-1], step)
	}
	return rounds
}

// What is held to be true is held against the schedule, read here once more.
func TestTheTruthIsTheSchedules(t *testing.T) {
	f := frames(t)["en"]
	for _, entry := range schedule.Catalog() {
		const n = 6
		lesson := askedLesson(t, f, entry, n)
		s := lesson.f.schedule
		rounds, kinds := counted(s), map[askKind]int{}
		asks(lesson, func(at int, q askQuestion) {
			kinds[q.kind]++
			name := fmt.Sprintf("%s/%s, step %d: %s", entry.Collective, entry.Algorithm, at, q.says)
			switch q.kind {
			case askNext:
				to := map[string]bool{}
				for _, step := range rounds[at+1] {
					if step.Src == q.place.rank {
						to[strconv.Itoa(step.Dst)] = true
					}
				}
				if got := q.truth.Get("to"); len(to) == 0 != (got == askNothing) || got != askNothing && !to[got] {
					t.Errorf("%s: it goes to %v, not to %s", name, to, got)
				}
			case askBytes:
				bytes := 0
				for _, round := range rounds[1 : at+1] {
					for _, step := range round {
						senders := slices.DeleteFunc(slices.Clone(step.Sources()), func(r int) bool { return step.Op == schedule.NetReduce && r == step.Dst })
						if slices.Contains(senders, q.place.rank) {
							bytes += elementSize * (s.ChunkStart(lesson.c.elements(), step.SrcChunk+step.Count) - s.ChunkStart(lesson.c.elements(), step.SrcChunk))
						}
					}
				}
				if got := q.truth.Get("guess"); got != strconv.Itoa(bytes) {
					t.Errorf("%s: it is %d, not %s", name, bytes, got)
				}
			case askValue:
				if lesson.valueForm() == contributorsOf && !heldAfter(s, at+1, q) {
					t.Errorf("%s: nothing there holds %v", name, q.truth["guess"])
				}
			case askWaits:
				if q.place.rank != nowhere { // a line of messages
					if got := q.truth.Get("guess"); got != strconv.Itoa(len(rounds[at+1])-1) {
						t.Errorf("%s: %s are ahead, of %d", name, got, len(rounds[at+1]))
					}
					return
				}
				busy := map[string]bool{}
				for _, step := range rounds[at+1] {
					for _, rank := range slices.Concat(step.Sources(), step.Destinations()) {
						busy[strconv.Itoa(rank)] = true
					}
				}
				if nobody := q.truth.Get("guess") == askNothing; nobody && len(busy) != n {
					t.Errorf("%s: nobody, but busy are only %v", name, busy)
				}
				for _, rank := range q.truth["guess"] {
					if busy[rank] != (len(q.fields[0].options) == n && !q.fields[0].many) {
						t.Errorf("%s: rank %s is busy: %v", name, rank, busy[rank])
					}
				}
			}
		})
		if len(kinds) == 0 {
			t.Errorf("%s/%s asks nothing", entry.Collective, entry.Algorithm)
		}
	}
}

// heldAfter reports whether some chunk of the rank holds just the
// contributions that a question holds to be true.
func heldAfter(s *schedule.Schedule, step int, q askQuestion) bool {
	for position, state := range s.Walk() {
		if position != step {
			continue
		}
		for _, buf := range []schedule.Buf{schedule.In, schedule.Out, schedule.Tmp} {
			for chunk := range s.BufChunks(q.place.rank, buf) {
				var held []string
				for _, rank := range ranksIn(contributors(state.Holds(q.place.rank, buf, chunk))) {
					held = append(held, strconv.Itoa(rank))
				}
				if len(held) > 0 && slices.Equal(held, q.truth["guess"]) {
					return true
				}
			}
		}
	}
	return false
}
