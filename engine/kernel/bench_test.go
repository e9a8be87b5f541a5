package kernel

import (
	"fmt"
	"testing"

	"lockstep/engine/schedule"
)

// Bytes of result, from the second cache and from memory.
func BenchmarkReduce(b *testing.B) {
	for _, dtype := range schedule.DTypes() {
		for _, op := range []schedule.ReduceOp{schedule.Sum, schedule.Prod, schedule.Max} {
			for _, n := range []int{256 << 10, 64 << 20} {
				for _, way := range ways(b, dtype, op) {
					b.Run(fmt.Sprintf("%s/%s/%dKiB/%s", dtype, op, n>>10, way.name), func(b *testing.B) {
						dst, x, y := newRoom(n, 0), newRoom(n, 0), newRoom(n, 0)
						clear(x.inner)
						clear(y.inner)
						b.SetBytes(int64(n))
						for b.Loop() {
							way.reduce(dst.inner, x.inner, y.inner)
						}
					})
				}
			}
		}
	}
}

// Reducing into a part that stays in a cache and streaming it out from there,
// for parts of different sizes, with a fence behind all of it.
func BenchmarkReduceThenStream(b *testing.B) {
	for _, part := range []int{4 << 10, 16 << 10, 64 << 10} {
		b.Run(fmt.Sprintf("%dKiB", part>>10), func(b *testing.B) { reduceThenStream(b, part) })
	}
}

func reduceThenStream(b *testing.B, part int) {
	const n = 64 << 20
	add, err := NewReduce(schedule.Float32, schedule.Sum)
	if err != nil {
		b.Fatal(err)
	}
	dst, x, y, hot := newRoom(n, 0), newRoom(n, 0), newRoom(n, 0), newRoom(part, 0)
	clear(x.inner)
	clear(y.inner)
	b.SetBytes(n)
	for b.Loop() {
		for at := 0; at < n; at += part {
			add(hot.inner, x.inner[at:at+part], y.inner[at:at+part])
			Stream(dst.inner[at:at+part], hot.inner)
		}
		Fence()
	}
}

func BenchmarkCopy(b *testing.B) {
	for _, n := range []int{4 << 10, 256 << 10, 64 << 20} {
		dst, src := newRoom(n, 0), newRoom(n, 0)
		b.Run(fmt.Sprintf("%dKiB/copy", n>>10), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				copy(dst.inner, src.inner)
			}
		})
		b.Run(fmt.Sprintf("%dKiB/stream", n>>10), func(b *testing.B) {
			b.SetBytes(int64(n))
			for b.Loop() {
				Stream(dst.inner, src.inner)
			}
		})
	}
}

func BenchmarkReduceOfOneElement(b *testing.B) {
	add, err := NewReduce(schedule.Float32, schedule.Sum)
	if err != nil {
		b.Fatal(err)
	}
	dst, x, y := newRoom(4, 0), newRoom(4, 0), newRoom(4, 0)
	for b.Loop() {
		add(dst.inner, x.inner, y.inner)
	}
}

func BenchmarkStoreRelease(b *testing.B) {
	var v uint64
	for b.Loop() {
		StoreRelease64(&v, 1)
	}
}
