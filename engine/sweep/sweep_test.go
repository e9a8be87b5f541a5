package sweep_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
)

func TestRanges(t *testing.T) {
	for _, c := range []struct {
		text, again string
	}{
		{"8:64MiB:x4", "8B:64MiB:x4"},
		{"1KiB:1MiB", "1KiB:1MiB:x2"},
		{" 1000000:3MB:x3 ", "1MB:3MB:x3"},
		{"1025:1025:x2", "1025B:1025B:x2"},
	} {
		r, err := sweep.ParseRange(c.text)
		if err != nil || r.String() != c.again {
			t.Errorf("ParseRange(%q) = %s, %v; want %s", c.text, r, err, c.again)
			continue
		}
		if again, err := sweep.ParseRange(r.String()); err != nil || again != r {
			t.Errorf("ParseRange(%q) = %v, %v; want what was written", r, again, err)
		}
	}
	for text, says := range map[string]string{
		"":              "no range of sizes",
		"64MiB":         "no range of sizes",
		"8:64MiB:4":     "no factor",
		"8:64MiB:xy":    "no factor",
		"8:64MiB:x1":    "2 or more",
		"0:64MiB:x2":    "1 byte or more",
		"1MiB:1KiB:x2":  "the smaller first",
		"8:100G:x2":     "100G",
		"1:2:3:4":       "no range of sizes",
		"1:8TiB:x2":     "sizes; accepted: at most 40",
		"8:64MiB:x2147": "",
	} {
		_, err := sweep.ParseRange(text)
		if says == "" && err != nil || says != "" && (err == nil || !strings.Contains(err.Error(), says)) {
			t.Errorf("ParseRange(%q): %v; want %q", text, err, says)
		}
	}
}

// request compares three ways of an all-gather of four ranks.
func request() sweep.Request {
	return sweep.Request{
		Base:  trace.Spec{Collective: schedule.AllGather, Ranks: 4},
		Range: sweep.Range{First: 8, Last: 128, Factor: 2},
		Ways:  []sweep.Way{{}, {Backend: trace.MPI, Algorithm: "auto"}, {Backend: trace.MPI, Algorithm: "ring"}},
	}
}

func TestSizesFitTheCollective(t *testing.T) {
	r, err := request().Resolve()
	if err != nil {
		t.Fatal(err)
	}
	// 8 and 16 bytes are both one element of each of four ranks.
	if want := []unit.Bytes{16, 32, 64, 128}; !slices.Equal(r.Sizes(), want) {
		t.Errorf("sizes %v, want %v", r.Sizes(), want)
	}
	if want := []sweep.Way{{Backend: trace.Host, Algorithm: "auto"}, {Backend: trace.MPI, Algorithm: "library"}, {Backend: trace.MPI, Algorithm: "ring"}}; !slices.Equal(r.Ways, want) {
		t.Errorf("ways %v, want %v", r.Ways, want)
	}
	if r.Len() != 12 {
		t.Errorf("%d runs, want 12", r.Len())
	}
	for i := range r.Len() {
		spec, way := r.At(i)
		if way != i%3 || spec.Size != r.Sizes()[i/3] || spec.Algorithm != r.Ways[way].Algorithm {
			t.Errorf("run %d is %+v, way %d", i, spec, way)
		}
		if _, err := spec.Resolve(); err != nil {
			t.Errorf("run %d: %v", i, err)
		}
	}
}

func TestWhatCannotBeCompared(t *testing.T) {
	for field, change := range map[string]func(*sweep.Request){
		"sweep":      func(r *sweep.Request) { r.Range.Factor = 1 },
		"ways":       func(r *sweep.Request) { r.Ways = nil },
		"collective": func(r *sweep.Request) { r.Base.Collective = schedule.Barrier },
		"pace":       func(r *sweep.Request) { r.Base.Pace.Step = true },
		"ranks":      func(r *sweep.Request) { r.Base.Ranks = 65 },
		"dtype":      func(r *sweep.Request) { r.Base.DType = "float8" },
	} {
		r := request()
		change(&r)
		_, err := r.Resolve()
		var bad *trace.FieldError
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestADocumentSaysWhatIsKnown(t *testing.T) {
	r, err := request().Resolve()
	if err != nil {
		t.Fatal(err)
	}
	c := sweep.Comparison{ID: "0003", State: sweep.Done, Request: r, Points: []sweep.Point{
		{Run: trace.Run{ID: "0007", Outcome: trace.Done, Algorithm: "bruck", Link: trace.Shm, Verified: true, Times: &trace.Times{Min: 1e-6, Median: 2e-6, P95: 3e-6}, BusBW: 0.5}},
		{Left: sweep.Refused, Says: "there is no mpirun"},
	}}
	d := c.Document()
	if len(d.Points) != 2 || d.Points[0].Algorithm != "bruck" || d.Points[0].Size != 16 || d.Points[1].Algorithm != "library" || d.Points[1].Size != 16 {
		t.Errorf("points %+v", d.Points)
	}
	var csv strings.Builder
	if err := d.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	want := "16,all-gather,4,float32,sum,host,bruck,,shm,0007,done,true,1e-06,2e-06,3e-06,,0.5,,\n" +
		"16,all-gather,4,float32,sum,mpi,library,,,,,false,,,,,,,refused\n"
	if _, rows, _ := strings.Cut(csv.String(), "\n"); rows != want {
		t.Errorf("rows\n%swant\n%s", rows, want)
	}
	if got := sweep.Named(schedule.AllReduce, "auto"); got != "ring" {
		t.Errorf("all-reduce by name is %s", got)
	}
	if got := sweep.Named(schedule.Broadcast, "library"); got != "direct" {
		t.Errorf("broadcast by name is %s", got)
	}
}
