package present

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// Who waits for whom while a run runs, from what the ranks have reported.
// static/js/run-waits.js says the same of the same; a test holds both against
// testdata/waits.json.
const (
	// maxWaits is how many ranks that wait are listed.
	maxWaits = 6
	// shortestWait is the shortest wait that is worth a line.
	shortestWait = 100 * time.Millisecond
)

// waitKind is what a rank that waits lacks.
type waitKind string

// The kinds, each the name of its words.
const (
	waitsFor waitKind = "waits"   // its next block, which the peer does not have yet
	starved  waitKind = "starved" // its next block, which the peer has and does not send
	blocked  waitKind = "blocked" // room at the peer for what it has to send
	through  waitKind = "through" // the others: it has finished the iteration
)

// waiting is one rank that waits.
type waiting struct {
	rank int
	kind waitKind
	peer int // -1 for through
	took time.Duration
}

// waitingRanks returns the ranks that wait, the longest first, and the rank
// that they wait for in the end, -1 where there is no single one. Quiet is for
// how long nothing has been heard of any rank; after stale without a sign, a
// rank that could move counts as one that waits.
func waitingRanks(t *blockTable, at *reached, quiet, stale time.Duration) (list []waiting, root int) {
	least := at.iteration()
	if least < 0 {
		return nil, -1
	}
	now := time.Duration(0)
	for rank, iteration := range at.iterations {
		if iteration == least {
			now = max(now, at.heard[rank])
		}
	}
	receive, send := at.lanes(t)
	ages := make([]time.Duration, t.ranks)
	on := make([]int, t.ranks)
	open := 0 // ranks that have not finished the iteration
	for rank := range t.ranks {
		on[rank] = -1
		if receive[rank].step >= 0 || send[rank].step >= 0 {
			open++
		}
	}
	for rank := range t.ranks {
		if at.iterations[rank] != least {
			continue
		}
		ages[rank] = now - at.heard[rank] + quiet
		kind, peer, waits := at.lacks(t, receive[rank].step, send[rank].step, ages[rank] > stale)
		if kind == through {
			waits = open > 0
		}
		if waits || kind == starved { // even if not for long yet
			on[rank] = peer
		}
		if waits && ages[rank] >= shortestWait {
			list = append(list, waiting{rank, kind, peer, ages[rank]})
		}
	}
	root = waitRoot(list, on, ages)
	list = slices.DeleteFunc(list, func(w waiting) bool { return w.rank == root })
	slices.SortFunc(list, func(a, b waiting) int { return cmp.Or(cmp.Compare(b.took, a.took), a.rank-b.rank) })
	return list, root
}

// lacks says what a rank lacks whose next steps are these, -1 for none, and
// whether it waits at all.
func (r *reached) lacks(t *blockTable, receive, send int, stale bool) (kind waitKind, peer int, waits bool) {
	switch {
	case receive < 0 && send < 0:
		return through, -1, true
	case receive >= 0 && r.sent[receive] > r.got[receive]:
		return "", -1, false // it is arriving
	case send >= 0 && r.ready(t, send):
		return blocked, t.steps[send].dst, stale
	case receive < 0:
		return "", -1, false
	case r.ready(t, receive):
		return starved, t.steps[receive].src, stale
	}
	return waitsFor, t.steps[receive].src, true
}

// waitRoot follows who waits for whom to its end, from every rank of the list:
// if all chains of two or more ranks end at the same one, that is it. Of ranks
// that wait in a circle it is the one that has been silent the longest.
func waitRoot(list []waiting, on []int, ages []time.Duration) int {
	root, chains := -1, 0
	for _, w := range list {
		if w.peer < 0 {
			continue
		}
		end := w.rank
		for range on {
			if on[end] < 0 {
				break
			}
			end = on[end]
		}
		if on[end] >= 0 { // a circle
			for at := on[end]; at != end; at = on[at] {
				if ages[at] > ages[end] {
					end = at
				}
			}
		}
		if root >= 0 && end != root {
			return -1
		}
		root = end
		chains++
	}
	if chains < 2 {
		return -1
	}
	return root
}

// stale is for how long a rank that could move may do nothing before it counts
// as one that waits: longer than a slice takes at the run's pace.
func (s *sight) stale() time.Duration {
	stale := time.Second
	if p := s.Run.Pace; p != nil && p.Step {
		stale = 3 * time.Second
	}
	if p := s.Run.Pace; p != nil && p.Rate > 0 && s.Schedule != nil {
		chunk := s.Schedule.ChunkLen(int(s.Run.Size)/max(s.Run.DType.Width(), 1), 0) * s.Run.DType.Width()
		slice := unit.Bytes(chunk / max(s.Run.Slices, 1) * s.Run.Ranks)
		stale = max(stale, 3*slice.Over(p.Rate).Duration())
	}
	return stale
}

// waitList presents who waits in a running run.
func (s *sight) waitList() *views.RunWaits {
	l := s.Locale
	list, root := waitingRanks(s.table, s.at, s.Quiet, s.stale())
	v := &views.RunWaits{Title: l.T("run.waits"), Lines: make([]string, min(s.table.ranks, maxWaits)), Most: s.table.ranks > maxWaits}
	words := s.waitWords()
	switch {
	case len(list) == 0 && s.at.iteration() >= 0:
		v.Sum = words["none"]
	case root >= 0:
		v.Sum = blanks(words["root"], "rank", root)
	}
	for i, w := range list[:min(len(list), maxWaits)] {
		v.Lines[i] = blanks(words[string(w.kind)], "rank", w.rank, "peer", w.peer, "time", roundedTime(w.took))
	}
	if more := len(list) - maxWaits; more > 0 {
		v.More = blanks(words["more"], "count", more)
	}
	return v
}

// waitWords are the words of the list of who waits, with names in braces to be
// filled in here or by the script.
func (s *sight) waitWords() map[string]string {
	l := s.Locale
	values := locale.Values{"Rank": "{rank}", "Peer": "{peer}", "Time": "{time}", "More": "{count}"}
	return map[string]string{
		string(waitsFor): l.T("run.waits.for", values),
		string(starved):  l.T("run.waits.starved", values),
		string(blocked):  l.T("run.waits.blocked", values),
		string(through):  l.T("run.waits.through", values),
		"root":           l.T("run.waits.root", values),
		"none":           l.T("run.waits.none", values),
		"more":           l.T("run.waits.more", values),
	}
}

// waited reports whether the page says who waits now.
func (s *sight) waited() bool {
	return s.table != nil && s.Here && s.Run.Outcome == trace.Running && s.Run.Ranks > 1
}

// blanks fills in names in braces, as fill of static/js/run-words.js does.
func blanks(words string, pairs ...any) string {
	var filled []string
	for i := 0; i < len(pairs); i += 2 {
		filled = append(filled, fmt.Sprintf("{%v}", pairs[i]), fmt.Sprint(pairs[i+1]))
	}
	return strings.NewReplacer(filled...).Replace(words)
}
