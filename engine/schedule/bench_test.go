package schedule

import (
	"fmt"
	"io"
	"testing"
)

func BenchmarkBuildAndCheck(b *testing.B) {
	for _, e := range Catalog() {
		for _, n := range []int{8, 64, 1024} {
			b.Run(fmt.Sprintf("%s-%s-%d", e.Collective, e.Algorithm, n), func(b *testing.B) {
				for b.Loop() {
					if err := Check(mustBuild(b, Request{e.Collective, e.Algorithm, n, 1})); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkDocument(b *testing.B) {
	for _, n := range []int{8, 64, 1024} {
		s := mustBuild(b, Request{AllReduce, "ring", n, 1})
		b.Run(fmt.Sprintf("ring-%d", n), func(b *testing.B) {
			for b.Loop() {
				if err := s.WriteJSON(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
