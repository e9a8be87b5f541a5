package rank_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"lockstep/engine/schedule"
)

// BenchmarkExec plays all-reduce between two threads of this process over
// memory: what an iteration costs beside the bytes. `make bench` measures real
// processes, beside peers.
func BenchmarkExec(b *testing.B) {
	for _, c := range []struct {
		algorithm string
		bytes     int
		slices    int
	}{{"recursive-doubling", 8, 1}, {"ring", 8, 1}, {"recursive-doubling", 16 << 10, 1}, {"ring", 1 << 20, 2}, {"ring", 1 << 20, 8}} {
		b.Run(fmt.Sprintf("%s/%d/s%d", c.algorithm, c.bytes, c.slices), func(b *testing.B) {
			w := newTwins(b, setting{
				request:  schedule.Request{Collective: schedule.AllReduce, Algorithm: c.algorithm, Ranks: 2},
				elements: c.bytes / 4, slices: c.slices, burst: 1, iterations: b.N, spinning: true,
			})
			b.ResetTimer()
			if err := w.exec(b.Context()); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			times := make([]time.Duration, b.N)
			_, n := w.jobs[0].Progress.TakeTimes(times)
			slices.Sort(times[:n])
			b.ReportMetric(float64(times[n/2].Nanoseconds()), "median-ns")
			b.ReportMetric(float64(times[0].Nanoseconds()), "min-ns")
		})
	}
}
