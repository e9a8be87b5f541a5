package local_test

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

// complete runs spec and requires that it is done, verified and traced.
func complete(t testing.TB, spec trace.Spec) trace.Report {
	t.Helper()
	spec, sched := ask(t, spec)
	log := trace.NewLog()
	report := fleet(t, "worker").Execute(t.Context(), "r1", spec, sched, log)
	if report.Failure != nil {
		t.Fatalf("failed: %+v", *report.Failure)
	}
	if !report.Verified {
		t.Fatal("not verified")
	}
	if len(report.Iterations) != spec.Iterations {
		t.Fatalf("%d iterations, want %d", len(report.Iterations), spec.Iterations)
	}
	if !slices.Equal(log.Times(), report.Iterations) {
		t.Fatalf("the log has the times %v, the report %v", log.Times(), report.Iterations)
	}
	if got, want := len(log.Latest()), slicesInAll(spec, sched); got != want {
		t.Fatalf("%d events, want %d", got, want)
	}
	for _, e := range log.Latest() {
		if e.Iteration != spec.Warmups()+spec.Iterations-1 {
			t.Fatalf("%+v is not of the last iteration", e)
		}
	}
	return report
}

func TestRunsAreVerified(t *testing.T) {
	sizes := []unit.Bytes{0, 4, 4097*4 + 4, mib}
	for _, algorithm := range []string{"ring", "central"} {
		for n := 1; n <= 8; n++ {
			if testing.Short() && n > 3 {
				continue
			}
			for i, size := range sizes {
				// Every chunk count meets every slice count over the sizes.
				chunks, slices := 1+i%2*2, (n+i)%2*7
				t.Run(fmt.Sprintf("%s/n%d/%d/c%d/s%d", algorithm, n, size, chunks, slices), func(t *testing.T) {
					complete(t, trace.Spec{Algorithm: algorithm, Ranks: n, Size: size, Chunks: chunks, Slices: slices, Iterations: 2})
				})
			}
		}
	}
}

// The full sample takes every number of ranks, others four and one at random.
func TestLargeRuns(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("64 MiB on up to eight ranks; not under -short or -race")
	}
	taken := map[int]bool{4: true, 1 + seed(t).IntN(8): true}
	for _, algorithm := range []string{"ring", "central"} {
		for n := 1; n <= 8; n++ {
			if !taken[n] && os.Getenv("CI") != "true" {
				continue
			}
			t.Run(fmt.Sprintf("%s/n%d", algorithm, n), func(t *testing.T) {
				begun := time.Now()
				report := complete(t, trace.Spec{Algorithm: algorithm, Ranks: n, Size: 64 * mib, Iterations: 2})
				t.Logf("%+v in %v", trace.Summarise(report.Iterations), time.Since(begun))
			})
		}
	}
}

// As many ranks as a run may have, far more than processors.
func TestManyRanks(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("64 processes; not under -short or -race")
	}
	begun := time.Now()
	complete(t, trace.Spec{Ranks: trace.MaxRanks, Size: 256 << 10, Iterations: 2})
	t.Logf("64 ranks in %v", time.Since(begun))
}
