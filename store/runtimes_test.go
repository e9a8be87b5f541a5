package store

import (
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func TestPackedTimesComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []unit.Seconds
		for _, ns := range rapid.SliceOfN(rapid.Int64Range(0, 1<<45), 0, 50).Draw(t, "times") {
			want = append(want, unit.FromDuration(time.Duration(ns)))
		}
		packed, err := packTimes(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpackTimes(packed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("times (-packed +unpacked):\n%s", diff)
		}
	})
}

func TestManyTimesAreShort(t *testing.T) {
	times := make([]unit.Seconds, trace.MaxIterations)
	for i := range times { // around 3 ms, with some jitter
		times[i] = unit.Seconds(0.003 + 0.0002*math.Sin(float64(i)*1.7))
	}
	packed, err := packTimes(times)
	if err != nil || len(packed) > 4*len(times) {
		t.Errorf("%d times take %d bytes, %v", len(times), len(packed), err)
	}
	if _, err := packTimes(append(times, 1)); err == nil {
		t.Error("more times than there can be iterations are packed")
	}
}

func TestDamagedTimesAreRefused(t *testing.T) {
	whole, err := packTimes([]unit.Seconds{1, 2, 3})
	if err != nil {
		t.Fatal(err)
	}
	for name, packed := range map[string][]byte{
		"cut":           whole[:len(whole)-9],
		"another thing": []byte("no gzip"),
		"format":        packNumbers(t, 2, 1, 5),
		"too many":      packNumbers(t, 1, trace.MaxIterations+1, 5),
		"none":          packNumbers(t, 1, 0),
		"below zero":    packNumbers(t, 1, 2, 5, -9),
		"too few":       packNumbers(t, 1, 2, 5),
		"more":          packNumbers(t, 1, 1, 5, 5),
	} {
		if _, err := unpackTimes(packed); !errors.Is(err, errTraceDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTimesOfIterationsStayOutOfLists(t *testing.T) {
	s := open(t)
	q := join(t, s)
	run := enqueue(t, q)
	claims(t, q, run.ID)
	ended := done(run)
	ended.Iterate([]time.Duration{time.Millisecond, 1234567, 2 * time.Millisecond})
	if err := q.Finish(t.Context(), ended, events); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(ended, find(t, q.Runs, run.ID)); diff != "" {
		t.Errorf("(-finished +found):\n%s", diff)
	}
	listed, err := q.Recent(t.Context(), 1)
	if err != nil || len(listed) != 1 || listed[0].Iterated != nil || listed[0].Times == nil {
		t.Errorf("listed %+v, %v", listed, err)
	}
	var document string
	if err := s.read.QueryRowContext(t.Context(), `SELECT document FROM runs`).Scan(&document); err != nil || strings.Contains(document, "iteration_times_s") {
		t.Errorf("the document holds the times: %s, %v", document, err)
	}
}
