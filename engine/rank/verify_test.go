package rank_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"lockstep/engine/kernel"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
)

func TestOneFlippedBitIsFound(t *testing.T) {
	for _, elements := range []int{1, 1000, 300_001} {
		w := newTwins(t, setting{request: schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 3, Chunks: 2}, elements: elements, slices: 2, iterations: 1})
		if err := w.exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, at := range []int{0, elements / 2, elements - 1} {
			for _, bit := range []int{0, 31} {
				out := w.jobs[1].Memory.Out
				out[at*4+bit/8] ^= 1 << (bit % 8)
				m := w.verify(t)
				if m == nil || m.Rank != 1 || m.Element != at || bytes.Equal(m.Want, m.Got) {
					t.Fatalf("bit %d of element %d of %d: %+v", bit, at, elements, m)
				}
				first := w.sched.ChunkStart(elements, m.Chunk)
				if at < first || at >= first+w.sched.ChunkLen(elements, m.Chunk) {
					t.Fatalf("element %d is not in chunk %d", at, m.Chunk)
				}
				out[at*4+bit/8] ^= 1 << (bit % 8)
			}
		}
		if m := w.verify(t); m != nil {
			t.Fatalf("%+v", m)
		}
	}
}

// A reduction that drops a contribution, adds one twice or leaves a bit out is
// found by its result.
func TestWrongKernelsAreFound(t *testing.T) {
	right := must(kernel.NewReduce(schedule.Float32, schedule.Sum))(t)
	central := schedule.Request{Collective: schedule.AllReduce, Algorithm: "central", Ranks: 4}
	for name, reduce := range map[string]kernel.Reduce{
		"drops":    func(dst, a, _ []byte) { copy(dst, a) },
		"doubles":  func(dst, a, b []byte) { right(dst, a, b); right(dst, dst, b) },
		"replaces": func(dst, _, b []byte) { copy(dst, b) },
	} {
		w := newTwins(t, setting{request: central, elements: 100, slices: 1, iterations: 1, reduce: reduce})
		if err := w.exec(t.Context()); err != nil {
			t.Fatal(err)
		}
		if w.verify(t) == nil {
			t.Errorf("a kernel that %s passes", name)
		}
	}
}

// What an earlier iteration left behind must not pass for a result.
func TestStaleResultsDoNotPass(t *testing.T) {
	w := newTwins(t, setting{request: ring(2), elements: 100, slices: 1, iterations: 2})
	if err := w.exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.verify(t) != nil {
		t.Fatal("wrong before")
	}
	// A program without moves computes nothing: only the poison is left.
	idle := newTwins(t, setting{request: ring(1), elements: 100, slices: 1, iterations: 1})
	copy(idle.jobs[0].Memory.Out, idle.jobs[0].Memory.In)
	idle.jobs[0].Program.Moves = nil
	if err := idle.exec(t.Context()); err != nil {
		t.Fatal(err)
	}
	if m := idle.verify(t); m == nil || !bytes.Equal(m.Got, []byte{0xff, 0xff, 0xff, 0xff}) {
		t.Fatalf("a stale result passes: %+v", m)
	}
}

func TestVerifyRefusesMissingDigests(t *testing.T) {
	sched := must(schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 2}))(t)
	_, err := rank.Verify(t.Context(), rank.Claim{Schedule: sched, Elements: 10, Width: 4, Window: 4, Digests: make([][]rank.Digest, 2)})
	if err == nil {
		t.Fatal("no digests pass")
	}
}

func TestVerifyStopsWithItsContext(t *testing.T) {
	w := newTwins(t, setting{request: ring(2), elements: 10, slices: 1, iterations: 1})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	claim := rank.Claim{Schedule: w.sched, Elements: 10, Width: 4, Window: 5, Digests: make([][]rank.Digest, 2)}
	for r := range claim.Digests {
		claim.Digests[r] = make([]rank.Digest, 1)
	}
	if _, err := rank.Verify(ctx, claim); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

func BenchmarkVerify(b *testing.B) {
	const elements = 4 << 20
	w := newTwins(b, setting{request: ring(4), elements: elements, slices: 8, iterations: 1})
	if err := w.exec(b.Context()); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(elements * 4 * 4)
	for b.Loop() {
		if w.verify(b) != nil {
			b.Fatal("wrong")
		}
	}
}
