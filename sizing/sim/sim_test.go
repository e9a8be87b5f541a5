package sim_test

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
)

func build(t testing.TB, algorithm string, ranks, chunks int) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: ranks, Chunks: chunks})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func play(t testing.TB, s *schedule.Schedule, setup sim.Setup) *sim.Timeline {
	t.Helper()
	line, err := sim.Play(s, setup)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// At one slice a play takes what the closed form says, wherever chunks are
// equal: at latencies that outweigh the bytes, that are outweighed, and
// between. Where the catalogue calls a form rough, the play is held to stay near
// it, and the log says how near.
func TestPlayEqualsTheClosedForm(t *testing.T) {
	for _, entry := range schedule.Catalog() {
		t.Run(string(entry.Collective)+"/"+entry.Algorithm, func(t *testing.T) {
			t.Parallel()
			off := &spread{}
			for n := entry.MinRanks; n <= 64; n++ {
				if !full() && n > 9 && !slices.Contains([]int{16, 17, 31, 33}, n) {
					continue
				}
				for _, perNode := range nodeSizes(entry, n) {
					for _, chunks := range []int{0, 1, 2, 4} {
						if chunks > 0 && (n > 9 && n%9 != 0 || entry.Collective == schedule.Barrier) {
							continue // a sample will do
						}
						holdToClosedForm(t, entry, off, schedule.Request{
							Collective: entry.Collective, Algorithm: entry.Algorithm, Ranks: n, RanksPerNode: perNode, Chunks: chunks,
						})
					}
				}
			}
			if off.rough > 0 {
				t.Logf("exact in %d plays; rough in %d, between %.3f and %.3f times the form", off.exact, off.rough, off.least, off.most)
			}
		})
	}
}

// full reports whether tests take the whole sample: in CI, without the race
// detector.
func full() bool { return os.Getenv("CI") == "true" && !raceEnabled && !testing.Short() }

// spread is how far plays are from rough forms.
type spread struct {
	exact, rough int
	least, most  float64
}

func (s *spread) add(ratio float64) {
	if s.rough++; s.rough == 1 {
		s.least, s.most = ratio, ratio
	}
	s.least, s.most = min(s.least, ratio), max(s.most, ratio)
}

// nodeSizes are the ranks per node to try.
func nodeSizes(entry schedule.Entry, n int) []int {
	if !entry.Nodes {
		return []int{0}
	}
	sizes := []int{0, 1, 2, 3, 4, 8, max(n-1, 1), n}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

// latencies to try, from none to one that hides all bytes; a chunk takes 4 µs.
var latencies = []time.Duration{
	0, time.Microsecond, 3 * time.Microsecond, 5 * time.Microsecond, 7 * time.Microsecond, 14 * time.Microsecond, 50 * time.Microsecond, 10 * time.Millisecond,
}

func holdToClosedForm(t *testing.T, entry schedule.Entry, off *spread, r schedule.Request) {
	t.Helper()
	s, err := schedule.Build(r)
	if err != nil {
		t.Fatal(err)
	}
	elements := 1000 * s.Chunks
	rough := entry.IsRough(entry.Vars(r.Ranks, r.RanksPerNode, r.Chunks)) && r.Ranks > 1
	byPhase := len(entry.Detours) == 0 && !rough
	for _, term := range entry.Terms {
		byPhase = byPhase && term.Port != schedule.Chain
	}
	for _, latency := range latencies {
		net := cost.Network{Latency: latency, Bandwidth: 1e9}
		line := play(t, s, sim.Setup{Elements: elements, Width: 4, Network: net})
		q := cost.Question{
			Collective: r.Collective, Ranks: r.Ranks, RanksPerNode: r.RanksPerNode, Size: unit.Bytes(4 * elements), Chunks: r.Chunks, Network: net,
		}
		if entry.Collective == schedule.Barrier {
			line, q.Size = play(t, s, sim.Setup{Width: 4, Network: net}), 0
		}
		price, err := q.Price(entry.Algorithm)
		if err != nil {
			t.Fatal(err)
		}
		switch ratio := float64(line.Time / price.Time); {
		case rough && !(ratio > 0.6 && ratio < 2.5):
			t.Errorf("%+v, %v: played %v, closed form %v", r, latency, line.Time, price.Time)
		case rough:
			off.add(ratio)
		default:
			off.exact++
		}
		if !rough && !near(line.Time, price.Time, 1e-9) {
			t.Errorf("%+v, %v: played %v, closed form %v", r, latency, line.Time, price.Time)
		}
		end := unit.Seconds(0)
		for i, term := range price.Terms {
			end += term.Time
			if byPhase && i < len(line.Phases) && !near(line.Phases[i], end, 1e-9) {
				t.Errorf("%+v: %s ends at %v, by the closed form at %v", r, term.Name, line.Phases[i], end)
			}
		}
		if len(line.Rounds) != s.Rounds() {
			t.Errorf("%+v: %d rounds end, of %d", r, len(line.Rounds), s.Rounds())
		}
	}
}

func near(a, b unit.Seconds, tolerance float64) bool {
	return math.Abs(float64(a-b)) <= tolerance*math.Abs(float64(b))
}

// describe writes transfers as "id.slice src>dst start-end delivered applied",
// in units of a second.
func describe(line *sim.Timeline) []string {
	var out []string
	for _, t := range line.Transfers {
		out = append(out, fmt.Sprintf("%d.%d %d>%d %v-%v %v %v", t.Step, t.Slice, t.Src, t.Dst,
			float64(t.Start), float64(t.End), float64(t.Delivered), float64(t.Applied)))
	}
	return out
}

// Two vectors reach rank 0, one after the other through its port, and go back
// the same way. S/B = 2 s, α = 1 s.
func TestCentralByHand(t *testing.T) {
	line := play(t, build(t, "central", 3, 1), sim.Setup{
		Elements: 2, Width: 1, Network: cost.Network{Latency: time.Second, Bandwidth: 1},
	})
	want := []string{
		"1.0 1>0 0-2 3 3",
		"2.0 2>0 2-4 5 5",
		"3.0 0>1 5-7 8 8",
		"4.0 0>2 7-9 10 10",
	}
	if diff := cmp.Diff(want, describe(line)); diff != "" {
		t.Errorf("transfers (-want +got):\n%s", diff)
	}
	// Both are ready at once, and one waits for the port of rank 0; the return
	// is ready when the sum is.
	for i, ready := range []unit.Seconds{0, 0, 5, 5} {
		if line.Transfers[i].Ready != ready {
			t.Errorf("transfer %d is ready at %v, want %v", i, line.Transfers[i].Ready, ready)
		}
	}
	if line.Time != 10 || !slices.Equal(line.Rounds, []unit.Seconds{5, 10}) || !slices.Equal(line.Phases, []unit.Seconds{5, 10}) {
		t.Errorf("ends at %v, rounds %v, phases %v; want 10, [5 10], [5 10]", line.Time, line.Rounds, line.Phases)
	}
}

// In two slices the first half goes back while the second is still collected:
// the senders take turns at rank 0's port.
func TestCentralInTwoSlicesByHand(t *testing.T) {
	line := play(t, build(t, "central", 3, 1), sim.Setup{
		Elements: 2, Width: 1, Slices: 2, Network: cost.Network{Latency: time.Second, Bandwidth: 1},
	})
	want := []string{
		"1.0 1>0 0-1 2 2",
		"1.1 1>0 2-3 4 4",
		"2.0 2>0 1-2 3 3",
		"2.1 2>0 3-4 5 5",
		"3.0 0>1 3-4 5 5",
		"3.1 0>1 5-6 7 7",
		"4.0 0>2 4-5 6 6",
		"4.1 0>2 6-7 8 8",
	}
	if diff := cmp.Diff(want, describe(line)); diff != "" {
		t.Errorf("transfers (-want +got):\n%s", diff)
	}
	if line.Time != 8 {
		t.Errorf("ends at %v; want 8", line.Time)
	}
}

// Three blocks of 1 s, α = 1 s: four rounds of 2 s, every port busy in each.
func TestRingByHand(t *testing.T) {
	line := play(t, build(t, "ring", 3, 1), sim.Setup{
		Elements: 3, Width: 1, Network: cost.Network{Latency: time.Second, Bandwidth: 1},
	})
	if !slices.Equal(line.Rounds, []unit.Seconds{2, 4, 6, 8}) || !slices.Equal(line.Phases, []unit.Seconds{4, 8}) || line.Time != 8 {
		t.Errorf("rounds %v, phases %v, end %v", line.Rounds, line.Phases, line.Time)
	}
	for i, tr := range line.Transfers {
		round := unit.Seconds(i / 3)
		if tr.Start != 2*round || tr.End != 2*round+1 || tr.Delivered != 2*round+2 || tr.Applied != tr.Delivered {
			t.Errorf("transfer %d: %+v", i, tr)
		}
	}
}

// read makes a schedule from a document, and proves it.
func read(t *testing.T, document string) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Read(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A rank that has a message for a busy receiver sends the next one meanwhile,
// and comes back to the lower id when it can.
func TestASenderTakesItsLowestReadyIDWhoseReceiverIsFree(t *testing.T) {
	// All-gather by direct sends: ids 0..5 are 0>1 0>2 1>2 1>0 2>0 2>1,
	// local copies behind them.
	s := read(t, `{"version": 1, "collective": "all-gather", "algorithm": "by-hand", "ranks": 3, "chunks": 3, "tmp_chunks": 0, "phases": [], "steps": [
		{"id": 0, "round": 1, "src": 0, "dst": 1, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": []},
		{"id": 1, "round": 1, "src": 0, "dst": 2, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": []},
		{"id": 2, "round": 1, "src": 2, "dst": 1, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 2, "count": 1, "deps": []},
		{"id": 3, "round": 1, "src": 2, "dst": 0, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 2, "count": 1, "deps": []},
		{"id": 4, "round": 1, "src": 1, "dst": 0, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 1, "count": 1, "deps": []},
		{"id": 5, "round": 1, "src": 1, "dst": 2, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 1, "count": 1, "deps": []},
		{"id": 6, "round": 1, "src": 0, "dst": 0, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": []},
		{"id": 7, "round": 1, "src": 1, "dst": 1, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 1, "count": 1, "deps": []},
		{"id": 8, "round": 1, "src": 2, "dst": 2, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 2, "count": 1, "deps": []}]}`)
	line := play(t, s, sim.Setup{Elements: 3, Width: 1, Network: cost.Network{Bandwidth: 1}})
	want := []string{
		"0.0 0>1 0-1 1 1", // the lowest of all
		"1.0 0>2 1-2 2 2", // its sender is busy at first
		"2.0 2>1 1-2 2 2", // its receiver is, so rank 2 sends 3 first
		"3.0 2>0 0-1 1 1",
		"4.0 1>0 1-2 2 2", // 3 has rank 0's port, so rank 1 sends 5 first
		"5.0 1>2 0-1 1 1",
	}
	if diff := cmp.Diff(want, describe(line)); diff != "" {
		t.Errorf("transfers (-want +got):\n%s", diff)
	}
}

// A message that has arrived waits until it may be applied, and its port is
// free meanwhile.
func TestAnArrivedMessageWaits(t *testing.T) {
	// Rank 2's vector is adopted by rank 0 only after rank 1's, which has come
	// by way of two hops.
	s := read(t, `{"version": 1, "collective": "reduce", "algorithm": "by-hand", "ranks": 3, "root": 0, "chunks": 1, "tmp_chunks": 1, "phases": [], "steps": [
		{"id": 0, "round": 1, "src": 0, "dst": 1, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "tmp", "dst_chunk": 0, "count": 1, "deps": []},
		{"id": 1, "round": 2, "src": 1, "dst": 0, "op": "copy", "src_buf": "tmp", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": [0]},
		{"id": 2, "round": 3, "src": 1, "dst": 0, "op": "reduce", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": [1]},
		{"id": 3, "round": 3, "src": 2, "dst": 0, "op": "reduce", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": [2]}]}`)
	line := play(t, s, sim.Setup{Elements: 1, Width: 1, Network: cost.Network{Bandwidth: 1}})
	want := []string{
		"0.0 0>1 0-1 1 1",
		"1.0 1>0 1-2 2 2",
		"2.0 1>0 0-1 1 2", // waits for 1
		"3.0 2>0 2-3 3 3",
	}
	if diff := cmp.Diff(want, describe(line)); diff != "" {
		t.Errorf("transfers (-want +got):\n%s", diff)
	}
}

// Steps of one (round, source, destination) are one message: one latency.
func TestStepsOfAMessageTravelTogether(t *testing.T) {
	s := read(t, `{"version": 1, "collective": "send-recv", "algorithm": "by-hand", "ranks": 2, "chunks": 2, "tmp_chunks": 0, "phases": [], "steps": [
		{"id": 0, "round": 1, "src": 0, "dst": 1, "op": "copy", "src_buf": "in", "src_chunk": 1, "dst_buf": "out", "dst_chunk": 1, "count": 1, "deps": []},
		{"id": 1, "round": 1, "src": 1, "dst": 0, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 2, "deps": []},
		{"id": 2, "round": 1, "src": 0, "dst": 1, "op": "copy", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": []}]}`)
	line := play(t, s, sim.Setup{Elements: 5, Width: 1, Network: cost.Network{Latency: time.Second, Bandwidth: 1}})
	if diff := cmp.Diff([]string{"0.0 0>1 0-5 6 6", "1.0 1>0 0-5 6 6"}, describe(line)); diff != "" {
		t.Errorf("transfers (-want +got):\n%s", diff)
	}
}

func TestChunksHaveTheirRealLengths(t *testing.T) {
	line := play(t, build(t, "ring", 3, 1), sim.Setup{Elements: 4, Width: 4, Slices: 3, Network: cost.Network{Bandwidth: 1e9}})
	total := 0
	for _, tr := range line.Transfers {
		total += tr.Bytes
	}
	if total != 4*4*4 { // each of four elements makes 2(n-1) hops of 4 bytes
		t.Errorf("%d bytes in all", total)
	}
	if got := len(line.Transfers); got != 2*3*2*3 {
		t.Errorf("%d transfers", got)
	}
}

func TestUnusableSetups(t *testing.T) {
	s := build(t, "ring", 4, 1)
	good := sim.Setup{Elements: 4, Width: 4, Network: cost.Network{Bandwidth: 1}}
	for name, change := range map[string]func(*sim.Setup){
		"elements":  func(x *sim.Setup) { x.Elements = -1 },
		"bytes":     func(x *sim.Setup) { x.Width = 0 },
		"bandwidth": func(x *sim.Setup) { x.Network.Bandwidth = 0 },
		"latency":   func(x *sim.Setup) { x.Network.Latency = -1 },
		"slices":    func(x *sim.Setup) { x.Slices = sim.MaxTransfers },
	} {
		setup := good
		change(&setup)
		if _, err := sim.Play(s, setup); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The network's own work, by hand: two vectors of 2 s that the network adds up
// in rank 0, and hands out again; α = 1 s. A rank's own share passes no port.
func TestTheNetworksOwnWorkByHand(t *testing.T) {
	s := read(t, `{"version": 1, "collective": "all-reduce", "algorithm": "by-hand", "ranks": 3, "chunks": 1, "tmp_chunks": 0, "phases": [], "steps": [
		{"id": 0, "round": 1, "srcs": [0, 1, 2], "dst": 0, "op": "net-reduce", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": []},
		{"id": 1, "round": 2, "src": 0, "dsts": [1, 2], "op": "multicast", "src_buf": "out", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": [0]}]}`)
	line := play(t, s, sim.Setup{Elements: 2, Width: 1, Network: cost.Network{Latency: time.Second, Bandwidth: 1}})
	if diff := cmp.Diff([]string{"0.0 -1>0 0-2 3 3", "1.0 0>-1 3-5 6 6"}, describe(line)); diff != "" {
		t.Errorf("transfers (-want +got):\n%s", diff)
	}
	if !slices.Equal(line.Transfers[0].Srcs, []int{1, 2}) || !slices.Equal(line.Transfers[1].Dsts, []int{1, 2}) {
		t.Errorf("ports %v and %v", line.Transfers[0].Srcs, line.Transfers[1].Dsts)
	}
}
