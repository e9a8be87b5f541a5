package diagnose

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// read examines a published log.
func read(t *testing.T, d *Doctor, name string, says Statement) File {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(logs, name))
	if err != nil {
		t.Fatal(err)
	}
	files, err := d.Read(name, text, says)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %d tables, %v", name, len(files), err)
	}
	return files[0]
}

func TestWhatIsStatedFillsGaps(t *testing.T) {
	d := doctor(t)
	const ascend = "ascend_16x8_hccl_test_allreduce.txt"
	if f := read(t, d, ascend, Statement{}); f.Verdict != Unjudged || !slices.Equal(f.Needs, []Need{NeedsRanks}) {
		t.Errorf("nothing stated: %s, needs %v", f.Verdict, f.Needs)
	}
	f := read(t, d, ascend, Statement{System: "atlas-800t-a2", Ranks: 128, Nodes: 16})
	if f.Verdict != Healthy && f.Verdict != Below || f.Ranks != 128 || f.Nodes != 16 || !slices.Equal(f.Stated, []string{"ranks", "nodes", "system"}) || f.Expected.System != "atlas-800t-a2" {
		t.Errorf("%s, %d ranks on %d nodes, stated %v, as %s", f.Verdict, f.Ranks, f.Nodes, f.Stated, f.Expected.System)
	}
	const osu = "gh200_osu_alltoall_v7.4_full.txt"
	f = read(t, d, osu, Statement{Accelerator: "GH200", Network: "InfiniBand NDR 400G", Ranks: 4, Nodes: 4})
	if f.PerPeer || f.Rows[12].Size != 4*4096 || *f.Rows[12].BusBW <= 0 || len(f.Expected.Curve) != 13 || !slices.Equal(f.Needs, []Need{NeedsSizes}) {
		t.Errorf("per peer %v, %+v, %d expected, needs %v", f.PerPeer, f.Rows[12], len(f.Expected.Curve), f.Needs)
	}

	// What the log says counts.
	f = read(t, d, "h100_8x2_allreduce_tcpxo_full.txt", Statement{Ranks: 8, Nodes: 1, Collective: schedule.Broadcast})
	if f.Ranks != 16 || f.Nodes != 2 || f.Collective != schedule.AllReduce || len(f.Stated) != 0 {
		t.Errorf("%d ranks on %d nodes, %s, stated %v", f.Ranks, f.Nodes, f.Collective, f.Stated)
	}
	var differ []string
	for _, w := range f.Warnings {
		if w.Code == "stated-otherwise" {
			differ = append(differ, w.Values["what"])
		}
	}
	if !slices.Equal(differ, []string{"collective", "ranks", "nodes"}) {
		t.Errorf("stated otherwise: %v", differ)
	}
}

func TestWrongStatements(t *testing.T) {
	d := doctor(t)
	for field, says := range map[string]Statement{
		"system": {System: "abacus"}, "collective": {Collective: "juggle"}, "ranks": {Ranks: -1}, "nodes": {Nodes: MaxNodes + 1},
	} {
		_, err := d.Read("x", []byte(fine), says)
		if wrong := new(WrongError); !errors.As(err, &wrong) || wrong.Field != field {
			t.Errorf("%+v: %v", says, err)
		}
	}
	if none := new(NoTableError); !errors.As(second(d.Read("x", nil, Statement{})), &none) {
		t.Error("an empty text is no error")
	}
}

func second[T any](_ T, err error) error { return err }

func TestVerdicts(t *testing.T) {
	d := doctor(t)
	for want, text := range map[string]string{
		"healthy":                          devices(2) + fine,
		"below":                            devices(2) + crawling,
		"unusable":                         strings.ReplaceAll(devices(2), "Rank 15", "Rank 31") + fine,
		"unjudged collective":              devices(2) + "1073741824 16777216 float none -1 24000 44.74 41.94 0 24000 44.74 41.94 0\n",
		"unjudged system":                  fine,
		"unjudged larger-sizes":            devices(2) + "1048576 262144 float sum -1 100 10.5 19.7 0 100 10.5 19.7 0\n",
		"unjudged collective ranks system": "1024 256 float none -1 10.0 0.10 0.10 0 10.0 0.10 0.10 0\n",
	} {
		files, err := d.Read("pasted.txt", []byte(text), Statement{})
		if err != nil {
			t.Fatal(err)
		}
		got := string(files[0].Verdict)
		for _, need := range files[0].Needs {
			got += " " + string(need)
		}
		if got != want {
			t.Errorf("%q; want %q", got, want)
		}
	}
}

// A band holds what is typical, and goes from the interval of small sizes to
// that of healthy systems without a step.
func TestTheBandIsSmooth(t *testing.T) {
	f := read(t, doctor(t), "h100_8x1_allreduce_sidework_header.txt", Statement{})
	if len(f.Expected.Curve) < 25 {
		t.Fatalf("%d sizes", len(f.Expected.Curve))
	}
	for i, b := range f.Expected.Curve {
		if !(b.Low < b.Typical && b.Typical < b.High) {
			t.Errorf("%d B: %g < %g < %g", b.Size, b.Low, b.Typical, b.High)
		}
		if i > 0 && b.Size <= bytesCount && (b.Low < f.Expected.Curve[i-1].Low || b.High < f.Expected.Curve[i-1].High) {
			t.Errorf("%d B: the band falls", b.Size)
		}
	}
	last := f.Expected.Curve[len(f.Expected.Curve)-1]
	if last.Low != f.Expected.Low || last.High != f.Expected.High || last.Size != f.Expected.Size {
		t.Errorf("%+v, %+v", last, f.Expected)
	}
}

// keepsItsForm holds a finding against the forms that messages are written for.
func keepsItsForm(t *testing.T, f Finding) {
	t.Helper()
	for _, form := range Forms() {
		if form.Code != f.Code || form.Why != f.Values["why"] {
			continue
		}
		want := slices.Clone(form.Values)
		if form.Why != "" {
			want = append(want, "why")
		}
		slices.Sort(want)
		if got := slices.Sorted(maps.Keys(f.Values)); !slices.Equal(got, want) {
			t.Errorf("%s %s: values %v; want %v", f.Code, form.Why, got, want)
		}
		for name, value := range f.Values {
			if value == "" {
				t.Errorf("%s %s: no %s", f.Code, form.Why, name)
			}
		}
		return
	}
	t.Errorf("%s %q is no form", f.Code, f.Values["why"])
}

func TestCommandsBelongToForms(t *testing.T) {
	known := map[string]bool{}
	for _, form := range Forms() {
		known[strings.TrimSuffix(string(form.Code)+"."+form.Why, ".")] = true
	}
	for key, by := range looks {
		if !known[key] {
			t.Errorf("commands for %s, which is no form", key)
		}
		for maker, list := range by {
			if len(list) == 0 {
				t.Errorf("%s of %s: none", key, maker)
			}
		}
	}
	if got := commands(Slow, "links", "MI300X"); len(got) == 0 || strings.Contains(strings.Join(got, " "), "nvidia") {
		t.Errorf("for MI300X: %v", got)
	}
	if got := commands(SocketFallback, "disabled", "Ascend"); got != nil {
		t.Errorf("for Ascend: %v", got)
	}
}
