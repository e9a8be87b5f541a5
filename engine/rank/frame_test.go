package rank_test

import (
	"errors"
	"testing"

	"lockstep/engine/rank"
)

func FuzzHeader(f *testing.F) {
	due := rank.Header{Tag: 7, Iteration: 1, Step: 2, Slice: 3, Part: 4, Length: 5}
	var b [rank.HeaderSize]byte
	due.Put(&b)
	f.Add(b[:])
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < rank.HeaderSize {
			return
		}
		b := [rank.HeaderSize]byte(text)
		got := rank.ParseHeader(&b)
		var again [rank.HeaderSize]byte
		got.Put(&again)
		if again != b {
			t.Fatalf("%x reads as %+v, which is %x", b, got, again)
		}
		if err := due.Match(got); (err == nil) != (got == due) || err != nil && !errors.Is(err, rank.ErrFrame) {
			t.Fatalf("%+v: %v", got, err)
		}
	})
}
