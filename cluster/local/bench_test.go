package local_test

import (
	"fmt"
	"testing"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// BenchmarkAllReduce reports the minimum and the median of the counted
// iterations of runs on real processes; ns/op is the whole run with its
// set-up, warm-up and verification.
func BenchmarkAllReduce(b *testing.B) {
	for _, n := range []int{2, 4} {
		for _, size := range []unit.Bytes{8, 64 * unit.KiB, mib, 64 * mib} {
			b.Run(fmt.Sprintf("n=%d/size=%d", n, size), func(b *testing.B) {
				var best, median float64
				for b.Loop() {
					times := trace.Summarise(complete(b, trace.Spec{Ranks: n, Size: size}).Iterations)
					if best == 0 || times.Min < best {
						best = times.Min
					}
					median = times.Median
				}
				b.ReportMetric(best*1e6, "min-us")
				b.ReportMetric(median*1e6, "median-us")
			})
		}
	}
}
