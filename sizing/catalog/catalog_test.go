package catalog

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"lockstep/sizing/hardware"
)

// raw is a part of what the program carries, as it is written.
func raw(t *testing.T, k Kind) []map[string]any {
	t.Helper()
	text, err := data.ReadFile("data/" + string(k) + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var entries []map[string]any
	if err := json.Unmarshal(text, &entries); err != nil {
		t.Fatal(err)
	}
	return entries
}

func carried(t *testing.T) *Catalog {
	t.Helper()
	c, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// What a listing prints is all that the files say.
func TestListingLosesNothing(t *testing.T) {
	for _, kind := range Kinds() {
		text, err := json.Marshal(carried(t).List(kind))
		if err != nil {
			t.Fatal(err)
		}
		var listing struct {
			Version                                int
			Models, Systems, Accelerators, Fabrics []map[string]any
		}
		if err := json.Unmarshal(text, &listing); err != nil {
			t.Fatal(err)
		}
		got := slices.Concat(listing.Models, listing.Systems, listing.Accelerators, listing.Fabrics)
		want := raw(t, kind)
		if listing.Version != 1 || len(got) != len(want) || len(got) < 40 {
			t.Fatalf("%s: version %d, %d of %d entries", kind, listing.Version, len(got), len(want))
		}
		for i, entry := range want {
			for key, v := range entry {
				empty := v == nil || v == 0.0 || v == "" || v == false
				if list, is := v.([]any); is && len(list) == 0 {
					empty = true
				}
				if is := got[i][key]; !empty && !same(is, v) {
					t.Errorf("%s %v: %s is %v, written is %v", kind, entry["id"], key, is, v)
				}
			}
			if entry["source"] == "" || entry["id"] == "" {
				t.Errorf("%s %v has no source", kind, entry["id"])
			}
		}
	}
}

func same(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// Every decoder that the program carries has as many parameters as its shape
// tells, to the last one.
func TestCountIsExact(t *testing.T) {
	counted := 0
	for _, m := range carried(t).Models {
		n, told := m.Count()
		if told != (m.Kind == "decoder") {
			t.Errorf("%s (%s): told %t", m.ID, m.Kind, told)
		}
		if !told {
			continue
		}
		counted++
		if n.Total != m.Params || n.Active != m.Active {
			t.Errorf("%s: counted %.0f and %.0f active, written is %.0f and %.0f", m.ID, n.Total, n.Active, m.Params, m.Active)
		}
		if m.Stated > 0 && math.Abs(m.Off-(n.Total/m.Stated-1)) > 1e-3 {
			t.Errorf("%s: %g off the stated total, written is %g", m.ID, n.Total/m.Stated-1, m.Off)
		}
	}
	if counted < 80 {
		t.Errorf("only %d models were counted", counted)
	}
}

// What the program carries keeps to the bounds that own entries are held to, so
// that they are neither too narrow nor without meaning.
func TestCarriedEntriesKeepToTheBounds(t *testing.T) {
	for _, kind := range Kinds() {
		fields := map[string]Field{}
		for _, f := range Fields(kind) {
			fields[f.Key] = f
		}
		for _, entry := range raw(t, kind) {
			for key, v := range entry {
				n, is := v.(float64)
				if f := fields[key]; is && n != 0 && f.Takes != "" && (n < f.Least || n > f.Most) {
					t.Errorf("%s %v: %s is %g, accepted is %s", kind, entry["id"], key, n, f.Accepted())
				}
				if word, is := v.(string); is && fields[key].Takes == TakesWord && key != "total_params_basis" && !slices.Contains(fields[key].Words, word) {
					t.Errorf("%s %v: %s is %q, accepted is %s", kind, entry["id"], key, word, fields[key].Accepted())
				}
			}
		}
	}
}

func TestSystemsAreMadeOfAccelerators(t *testing.T) {
	c := carried(t)
	for _, s := range c.Systems {
		a, err := c.Accelerator(s.Accelerator)
		if err != nil {
			t.Errorf("%s: %v", s.ID, err)
			continue
		}
		for _, cloud := range s.Clouds {
			if found, err := c.System(cloud); err != nil || cloud == "" {
				t.Errorf("%s is found as %s, %v", cloud, found.ID, err)
			}
		}
		w, err := c.Words(s, 2)
		if err != nil || w.ScaleUpRate != 0 {
			t.Errorf("%s of %s: %+v, %v", s.ID, a.ID, w, err)
		}
	}
	words, err := c.Words(c.Systems[slices.IndexFunc(c.Systems, func(s System) bool { return s.ID == "dgx-h100" })], 4)
	if err != nil {
		t.Fatal(err)
	}
	if got := c.Match(hardware.Read(words)); got != "dgx-h100" {
		t.Errorf("four DGX H100 are taken for %q", got)
	}
}
