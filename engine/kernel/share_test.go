package kernel

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

func TestStreamCopiesAnyLengthAndPlace(t *testing.T) {
	check := func(n, atDst, atSrc int) {
		t.Helper()
		dst, src := newRoom(n, atDst), newRoom(n, atSrc)
		for i := range src.inner {
			src.inner[i] = byte(i ^ i>>8 ^ n)
		}
		before := bytes.Clone(src.inner)
		Stream(dst.inner, src.inner)
		if !bytes.Equal(dst.inner, before) || !bytes.Equal(src.inner, before) {
			t.Fatalf("%d bytes from misalignment %d to %d: not a copy", n, atSrc, atDst)
		}
		if !dst.intact() || !src.intact() {
			t.Fatalf("%d bytes from misalignment %d to %d: bytes around them changed", n, atSrc, atDst)
		}
	}
	for n := range 400 {
		for at := range 64 {
			check(n, at, (at*7+n)%64)
		}
	}
	for _, n := range []int{4096, piece - 1, piece, piece + 63, piece + 64, 3*piece + 200} {
		check(n, 0, 0)
		check(n, 1, 0)
		check(n, 63, 33)
	}
}

func TestStreamCopiesTheShorterOfTheTwo(t *testing.T) {
	for _, n := range [][2]int{{100, 200}, {200, 100}, {0, 100}, {100, 0}, {0, 0}} {
		dst, src := newRoom(n[0], 0), newRoom(n[1], 0)
		clear(src.inner)
		Stream(dst.inner, src.inner)
		if copied := bytes.Count(dst.inner, []byte{0}); copied != min(n[0], n[1]) || !dst.intact() {
			t.Errorf("to %d bytes from %d: copied %d", n[0], n[1], copied)
		}
	}
	Stream(nil, nil)
}

// A writer publishes rounds of data, streamed and plain, by a release store
// behind the fence that streams need; the reader must never see the count before the data. It answers the
// same way before the next round.
func TestStoreReleasePublishesWhatWasStoredBefore(t *testing.T) {
	const rounds, n = 2_000, 512
	var (
		streamed, plain [n]byte // the writer's until it published a round, the reader's until it answered
		published       uint64
		answered        uint32
	)
	await := func(reached func() bool) {
		for i := 0; !reached(); i++ {
			Spin(10)
			if i%100 == 99 {
				runtime.Gosched()
			}
		}
	}
	var both sync.WaitGroup
	both.Go(func() {
		var source [n]byte
		for round := range uint64(rounds) {
			for i := range source {
				source[i] = byte(round)
			}
			copy(plain[:], source[:])
			Stream(streamed[:], source[:])
			Fence()
			StoreRelease64(&published, round+1)
			await(func() bool { return atomic.LoadUint32(&answered) == uint32(round+1) })
		}
	})
	var stale error
	both.Go(func() {
		for round := range uint64(rounds) {
			await(func() bool { return atomic.LoadUint64(&published) == round+1 })
			for _, data := range [][]byte{plain[:], streamed[:]} {
				if fresh := bytes.Count(data, []byte{byte(round)}); fresh != n && stale == nil {
					stale = fmt.Errorf("round %d: %d of %d bytes are fresh", round, fresh, n)
				}
			}
			StoreRelease32(&answered, uint32(round+1))
		}
	})
	both.Wait()
	if stale != nil {
		t.Error(stale)
	}
}

func TestStoreReleaseStoresAllBitsAndNoMore(t *testing.T) {
	wide := []uint64{1, 2, 3}
	StoreRelease64(&wide[1], 0x8123456789abcdef)
	if !slices.Equal(wide, []uint64{1, 0x8123456789abcdef, 3}) {
		t.Errorf("64 bits: %x", wide)
	}
	narrow := []uint32{1, 2, 3}
	StoreRelease32(&narrow[1], 0x89abcdef)
	if !slices.Equal(narrow, []uint32{1, 0x89abcdef, 3}) {
		t.Errorf("32 bits: %x", narrow)
	}
}

func TestSpinEnds(_ *testing.T) {
	for _, n := range []int{-1, 0, 1, 1000} {
		Spin(n)
	}
}

func TestClaimLeavesMemoryAsItIs(t *testing.T) {
	for _, n := range []int{0, 1, 63, 64, 65, 4096, 128 << 10} {
		r := newRoom(n, 0)
		for i := range r.inner {
			r.inner[i] = byte(i * 7)
		}
		before := bytes.Clone(r.inner)
		Claim(r.inner)
		if !bytes.Equal(r.inner, before) || !r.intact() {
			t.Errorf("%d bytes were changed", n)
		}
	}
	Claim(nil)
}
