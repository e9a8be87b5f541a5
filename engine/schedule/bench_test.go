package schedule

import (
	"fmt"
	"io"
	"testing"
)

// Every schedule of every pair for every number of ranks to 64, built and
// proved: the bound to keep is a minute on two cores.
func BenchmarkBuildAndCheckAllTo64(b *testing.B) {
	for b.Loop() {
		for _, e := range Catalog() {
			for n := e.MinRanks; n <= 64; n++ {
				if err := Check(mustBuild(b, plainRequest(e, n))); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
}

func BenchmarkBuildAndCheck(b *testing.B) {
	for _, e := range Catalog() {
		for _, n := range []int{8, 64, 1024} {
			b.Run(fmt.Sprintf("%s-%s-%d", e.Collective, e.Algorithm, n), func(b *testing.B) {
				for b.Loop() {
					if err := Check(mustBuild(b, plainRequest(e, n))); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkDocument(b *testing.B) {
	for _, n := range []int{8, 64, 1024} {
		s := mustBuild(b, Request{Collective: AllReduce, Algorithm: "ring", Ranks: n, Chunks: 1})
		b.Run(fmt.Sprintf("ring-%d", n), func(b *testing.B) {
			for b.Loop() {
				if err := s.WriteJSON(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
