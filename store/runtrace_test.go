package store

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"lockstep/engine/trace"
)

func TestPackedEventsComeBack(t *testing.T) {
	number := rapid.OneOf(rapid.IntRange(0, 100), rapid.IntRange(0, 1<<40))
	event := rapid.Custom(func(t *rapid.T) trace.Event {
		return trace.Event{
			Rank: number.Draw(t, "rank"), Iteration: number.Draw(t, "iteration"), Step: number.Draw(t, "step"), Slice: number.Draw(t, "slice"),
			Side: trace.Side(rapid.IntRange(0, 2).Draw(t, "side")), Bytes: number.Draw(t, "bytes"), At: time.Duration(number.Draw(t, "at")),
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(event, 0, 50).Draw(t, "events")
		packed, err := packEvents(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := unpackEvents(packed)
		if err != nil {
			t.Fatal(err)
		}
		if len(want) == 0 && len(packed) == 0 && got == nil {
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("events (-packed +unpacked):\n%s", diff)
		}
	})
}

// packNumbers packs a trace that packEvents would not write.
func packNumbers(t *testing.T, numbers ...int64) []byte {
	t.Helper()
	var raw []byte
	for _, n := range numbers {
		raw = binary.AppendVarint(raw, n)
	}
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(raw); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.Bytes()
}

func TestImpossibleTraces(t *testing.T) {
	for name, packed := range map[string][]byte{
		"empty":              packNumbers(t),
		"another format":     packNumbers(t, 2, 1, 0, 0, 0, 0, 0, 0, 0),
		"claims the memory":  packNumbers(t, 1, 1<<40),
		"claims nothing":     packNumbers(t, 1, 0),
		"negative rank":      packNumbers(t, 1, 1, -1, 0, 0, 0, 0, 0, 0),
		"no such side":       packNumbers(t, 1, 1, 0, 0, 0, 0, 3, 0, 0),
		"fewer than it says": packNumbers(t, 1, 2, 0, 0, 0, 0, 0, 0, 0),
		"more than it says":  packNumbers(t, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0),
	} {
		if events, err := unpackEvents(packed); !errors.Is(err, errTraceDamaged) {
			t.Errorf("%s: %v, %v; want an error", name, events, err)
		}
	}
	if events, err := unpackEvents(packNumbers(t, 1, 1, 0, 0, 0, 0, 0, 0, 0)); err != nil || len(events) != 1 {
		t.Errorf("the possible one: %v, %v", events, err)
	}
}

func FuzzUnpackEvents(f *testing.F) {
	packed, err := packEvents(events)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(packed)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, packed []byte) {
		got, err := unpackEvents(packed)
		if err != nil {
			return
		}
		again, err := packEvents(got)
		if err != nil {
			t.Fatal(err)
		}
		back, err := unpackEvents(again)
		if diff := cmp.Diff(got, back); err != nil || diff != "" {
			t.Errorf("unpacked events do not pack: %v\n%s", err, diff)
		}
	})
}
