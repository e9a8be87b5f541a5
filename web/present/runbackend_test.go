package present

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// withMPI is a machine that has it; mpiMissing says of one why it has not.
func withMPI() []trace.Offer {
	return []trace.Offer{{Backend: trace.Host}, {Backend: trace.MPI, Library: &trace.Library{Name: "Open MPI", Version: "4.1.4"}}}
}

func mpiMissing(why trace.Missing) []trace.Offer {
	return []trace.Offer{{Backend: trace.Host}, {Backend: trace.MPI, Missing: why, Said: "/opt/bin/mpirun", Reason: "no"}}
}

func asking(t *testing.T, query string) RunRequest {
	t.Helper()
	values, err := url.ParseQuery(query)
	if err != nil {
		t.Fatal(err)
	}
	return ReadRunRequest(values)
}

// The form refuses what MPI's own call lacks before it is tried, field by field,
// and a previewed form asks the same again.
func TestMPIIsAskedFor(t *testing.T) {
	const call = "pair=all-reduce/library&backend=mpi&n=4&size=1MiB"
	for query, want := range map[string][]string{
		call:                                   nil,
		call + "&link=tcp&ranks-per-node=2":    nil, // which are its own matter
		call + "&dtype=int64&op=max&pace=none": nil,
		"pair=all-reduce/auto&backend=mpi&n=4&size=1MiB":                                            nil,
		"pair=all-reduce/ring&backend=mpi&n=4&size=1MiB&dtype=bfloat16&op=avg&pace=rate&rate=1MB/s": nil,
		"pair=barrier/library&backend=mpi&n=4&slices=1":                                             nil,
		"pair=all-gather/library&backend=mpi&n=4&size=64&dtype=float16":                             nil, // it only moves them
		"pair=all-reduce/ring&backend=host&n=4&size=1MiB":                                           nil,
		call + "&dtype=bfloat16":                                                                    {"dtype"},
		call + "&op=avg&dtype=float16":                                                              {"dtype", "op"},
		call + "&pace=step":                                                                         {"pace"},
		call + "&chunks=2":                                                                          {"chunks"},
		"pair=all-reduce/auto&backend=mpi&n=4&size=1MiB&pace=rate&rate=1MB/s":                       {"pace"},
		"pair=reduce-scatter/library&backend=mpi&n=4&size=1MiB&slices=4":                            {"slices"},
		"pair=all-reduce/library&n=4&size=1MiB":                                                     {"backend"},
		"pair=all-reduce/ring&backend=gloo&n=4&size=1MiB":                                           {"backend"},
		call + "&where=nodes&node=alpha":                                                            {"backend"},
	} {
		q := asking(t, query)
		spec, wrong := q.Spec(8)
		if got := slices.Sorted(maps.Keys(wrong)); !slices.Equal(got, want) {
			t.Errorf("%s: wrong are %v, want %v", query, got, want)
		}
		for lang, f := range frames(t) {
			for field, w := range wrong {
				if text := f.Locale.T(w.Message, w.Values); strings.HasPrefix(text, "run.") || strings.Contains(text, "no value") {
					t.Errorf("%s, %s in %s: %s", query, field, lang, text)
				}
			}
		}
		if _, err := spec.Resolve(); len(wrong) == 0 && err != nil {
			t.Errorf("%s: %v", query, err)
		}
		if again := asking(t, q.query().Encode()); again.Backend != q.Backend || again.Algorithm != q.Algorithm {
			t.Errorf("%s: again %s by %s", query, again.Algorithm, again.Backend)
		}
	}
}

// A link that asks for MPI where there is none, or for what it lacks, leads to
// the nearest that there is, and says why.
func TestLinksToMPINeverFail(t *testing.T) {
	f := frames(t)["en"]
	for _, c := range []struct {
		query     string
		offers    []trace.Offer
		backend   string
		algorithm string
		says      []string
	}{
		{"backend=mpi&algorithm=library", withMPI(), "mpi", "library", nil},
		{"backend=mpi", withMPI(), "mpi", "library", nil},
		{"algorithm=library", withMPI(), "mpi", "library", nil},
		{"backend=mpi&algorithm=ring", withMPI(), "mpi", "ring", nil},
		{"backend=mpi&algorithm=auto&pace=rate&op=avg&dtype=float16&chunks=3", withMPI(), "mpi", "auto",
			[]string{"no float16", "float32 is filled in", "no avg", "sum is filled in", "Full speed is filled in", "It is left empty"}},
		{"collective=reduce-scatter&algorithm=library&slices=4", withMPI(), "mpi", "library", []string{"one piece", "1 is filled in"}},
		{"backend=mpi&algorithm=spiral", withMPI(), "mpi", "library", []string{"cannot be run here. Accepted: auto, library, central"}},
		{"backend=gloo", withMPI(), "host", "ring", []string{"Accepted: host, mpi; host is filled in"}},
		{"backend=mpi&node=alpha", withMPI(), "host", "ring", []string{"nodes do not have it yet", "Lockstep itself moves"}},
		{"backend=mpi&algorithm=library", mpiMissing(trace.NoLauncher), "host", "ring", []string{"no mpirun on the path", "Lockstep itself moves"}},
		{"backend=mpi&algorithm=halving-doubling", mpiMissing(trace.RefusesRoot), "host", "halving-doubling", []string{"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}},
		{"backend=mpi&algorithm=library", nil, "host", "ring", []string{"Accepted: host"}},
	} {
		q := asking(t, c.query).Backed(c.offers).Prefilled(8)
		if q.Backend != c.backend || q.Algorithm != c.algorithm {
			t.Errorf("%s: %s by %q, want %s by %q", c.query, q.Algorithm, q.Backend, c.algorithm, c.backend)
		}
		var said []string
		for _, n := range q.notes {
			said = append(said, plainSpaces(n.says(f.Locale)))
		}
		all := strings.Join(said, "\n")
		for _, want := range c.says {
			if !strings.Contains(all, want) {
				t.Errorf("%s: says %q, want %q", c.query, all, want)
			}
		}
		if len(c.says) == 0 && all != "" {
			t.Errorf("%s: says %q", c.query, all)
		}
		spec, wrong := q.Spec(8)
		if len(wrong) > 0 && q.Where != onNodes {
			t.Errorf("%s: refused: %v", c.query, wrong)
		}
		if _, err := spec.Resolve(); err != nil && q.Where != onNodes {
			t.Errorf("%s: %v", c.query, err)
		}
	}
}

// The form offers MPI by its name where it is, and says in both languages why
// not where it is not.
func TestTheFormOffersMPI(t *testing.T) {
	calls := func(f Frame, offers []trace.Offer) (n int) {
		for _, pair := range NewRun(f, RunDraft{Request: asking(t, "n=4&size=1MiB"), Offers: offers, LocalRanks: 4}).Pairs {
			for _, a := range pair.Algorithms {
				if strings.HasSuffix(a.Value, "/library") {
					n++
				}
			}
		}
		return n
	}
	for lang, f := range frames(t) {
		if NewRun(f, RunDraft{LocalRanks: 4}).Backend != nil {
			t.Error("a choice of one")
		}
		b := NewRun(f, RunDraft{Offers: withMPI(), LocalRanks: 4}).Backend
		if len(b.Choices) != 2 || !b.Choices[0].Chosen || b.Choices[1].Barred || !strings.Contains(b.Choices[1].Label, "Open MPI 4.1.4") {
			t.Errorf("%s: %+v", lang, b)
		}
		if calls(f, withMPI()) != len(schedule.Collectives()) || calls(f, mpiMissing(trace.NoLauncher)) != 0 {
			t.Errorf("%s: %d and %d calls", lang, calls(f, withMPI()), calls(f, mpiMissing(trace.NoLauncher)))
		}
		for _, why := range []trace.Missing{trace.NoSystem, trace.NoLauncher, trace.OddLauncher, trace.DumbLauncher, trace.RefusesRoot, trace.NoLibrary} {
			b := NewRun(f, RunDraft{Offers: mpiMissing(why), LocalRanks: 4}).Backend
			if mpi := b.Choices[1]; !mpi.Barred || mpi.Hint == "" || strings.HasPrefix(mpi.Hint, "run.") || strings.Contains(mpi.Hint, "no value") {
				t.Errorf("%s, %s: %+v", lang, why, mpi)
			}
			q := asking(t, "backend=mpi&pair=all-reduce/library")
			w, missing := q.Unbacked(mpiMissing(why))
			if text := f.Locale.T(w.Message, w.Values); !missing || text != b.Choices[1].Hint {
				t.Errorf("%s, %s: refused with %q", lang, why, text)
			}
			// What has been asked for stays, although it cannot be had.
			form := NewRun(f, RunDraft{Request: q, Offers: mpiMissing(why), LocalRanks: 4})
			if mpi := form.Backend.Choices[1]; !mpi.Chosen || mpi.Barred {
				t.Errorf("%s, %s: %+v", lang, why, mpi)
			}
		}
		nodes := NewRun(f, RunDraft{Offers: withMPI(), LocalRanks: 4, Nodes: []inventory.Member{{Name: "alpha"}}}).Backend.Choices[1].Hint
		if !strings.Contains(nodes, f.Locale.T("run.backend.mpi.here")) {
			t.Errorf("%s: does not say that nodes have none: %s", lang, nodes)
		}
	}
}

// A run with MPI is asked for again with MPI.
func TestMPIRunsAgain(t *testing.T) {
	for _, algorithm := range []string{schedule.LibraryCall, "ring"} {
		spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: 4, Size: 1 << 20, Backend: trace.MPI}.Resolve()
		if err != nil {
			t.Fatal(err)
		}
		s, err := spec.Schedule()
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range frames(t) {
			w := Watched{Run: trace.NewRun("0001", spec, galleryMoment()), Schedule: s, Now: galleryMoment(), Step: -1}
			w.Run.Outcome, w.Run.Slices = trace.Done, 1
			sameAgain(t, algorithm, spec, RunPage(f, w).Again.Change)
		}
	}
}
