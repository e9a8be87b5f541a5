package rank

import (
	"errors"
	"testing"
)

func FuzzFrame(f *testing.F) {
	due := frame{run: 7, iteration: 1, step: 2, slice: 3, length: 4}
	var b [frameSize]byte
	due.put(&b)
	f.Add(b[:])
	f.Fuzz(func(t *testing.T, text []byte) {
		if len(text) < frameSize {
			return
		}
		b := [frameSize]byte(text)
		got := parseFrame(&b)
		var again [frameSize]byte
		got.put(&again)
		if again != b {
			t.Fatalf("%x reads as %+v, which is %x", b, got, again)
		}
		if err := due.match(got); (err == nil) != (got == due) || err != nil && !errors.Is(err, ErrFrame) {
			t.Fatalf("%+v: %v", got, err)
		}
	})
}
