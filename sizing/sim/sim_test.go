package sim_test

import (
	"fmt"
	"math"
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
// equal.
func TestPlayEqualsTheClosedForm(t *testing.T) {
	for _, entry := range schedule.Catalog() {
		for n := entry.MinRanks; n <= 64; n++ {
			for chunks := 1; chunks <= 4; chunks++ {
				if chunks > 1 && n > 9 && n%9 != 0 {
					continue // a sample will do: chunks change no message's length in these
				}
				s, err := schedule.Build(schedule.Request{Collective: entry.Collective, Algorithm: entry.Algorithm, Ranks: n, Chunks: chunks})
				if err != nil {
					t.Fatal(err)
				}
				lengths := []int{0, 1, 1000}
				if n > 12 {
					lengths = lengths[2:]
				}
				for _, unitLength := range lengths {
					for _, latency := range []time.Duration{0, 50 * time.Microsecond} {
						elements := s.Chunks * unitLength
						net := cost.Network{Latency: latency, Bandwidth: 1e9}
						line := play(t, s, sim.Setup{Elements: elements, Width: 4, Network: net})
						price, err := cost.Question{
							Collective: entry.Collective, Ranks: n, Size: unit.Bytes(4 * elements), Chunks: chunks, Network: net,
						}.Price(entry.Algorithm)
						if err != nil {
							t.Fatal(err)
						}
						if !near(line.Time, price.Time, 1e-9) {
							t.Errorf("%s/%s, %d ranks, %d chunks, %d elements, %v: played %v, closed form %v",
								entry.Collective, entry.Algorithm, n, chunks, elements, latency, line.Time, price.Time)
						}
						end := unit.Seconds(0)
						for i, term := range price.Terms {
							end += term.Time
							if i < len(line.Phases) && !near(line.Phases[i], end, 1e-9) {
								t.Errorf("%s/%s, %d ranks: %s ends at %v, by the closed form at %v", entry.Collective, entry.Algorithm, n, term.Name, line.Phases[i], end)
							}
						}
						if len(line.Rounds) != s.Rounds() {
							t.Errorf("%s/%s, %d ranks: %d rounds end, of %d", entry.Collective, entry.Algorithm, n, len(line.Rounds), s.Rounds())
						}
					}
				}
			}
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

// Hosts cannot multicast, so nothing is played that could not be run.
func TestTheNetworksOwnWorkIsRefused(t *testing.T) {
	s := read(t, `{"version": 1, "collective": "broadcast", "algorithm": "by-hand", "ranks": 3, "root": 0, "chunks": 1, "tmp_chunks": 0, "phases": [], "steps": [
		{"id": 0, "round": 1, "src": 0, "dsts": [0, 1, 2], "op": "multicast", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": []}]}`)
	_, err := sim.Play(s, sim.Setup{Elements: 1, Width: 1, Network: cost.Network{Bandwidth: 1}})
	if err == nil || !strings.Contains(err.Error(), "multicast") {
		t.Errorf("played a multicast: %v", err)
	}
}
