package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// predict runs the command with the flags of the article's case, changed as
// asked; an empty value leaves a flag out.
func predict(t *testing.T, change map[string]string, more ...string) (status int, out, errs string) {
	t.Helper()
	args := []string{"predict"}
	for _, flag := range [][2]string{
		{"collective", "all-reduce"}, {"size", "1.2GB"}, {"ranks", "10"}, {"bandwidth", "1GB/s"}, {"latency", "0s"}, {"algorithm", "auto"},
	} {
		value := flag[1]
		if v, changed := change[flag[0]]; changed {
			value = v
		}
		if value != "" {
			args = append(args, "--"+flag[0], value)
		}
	}
	var stdout, stderr bytes.Buffer
	status = execute(context.Background(), append(args, more...), terminal{&stdout, &stderr})
	return status, stdout.String(), stderr.String()
}

func TestPredictTheArticlesCase(t *testing.T) {
	for _, test := range []struct{ algorithm, ranks, total, term, name string }{
		{"central", "10", "21.6", "10.8", "collect"},
		{"central", "2", "2.4", "1.2", "collect"},
		{"ring", "10", "2.16", "1.08", "reduce-scatter"},
		{"ring", "2", "1.2", "0.6", "reduce-scatter"},
		{"auto", "10", "2.16", "1.08", "reduce-scatter"},
	} {
		status, out, errs := predict(t, map[string]string{"algorithm": test.algorithm, "ranks": test.ranks}, "--json")
		if status != 0 || errs != "" {
			t.Fatalf("%s on %s ranks: status %d, %s", test.algorithm, test.ranks, status, errs)
		}
		var doc struct {
			Version int         `json:"version"`
			Time    json.Number `json:"time_s"`
			Terms   []struct {
				Name    string      `json:"name"`
				Seconds json.Number `json:"seconds"`
				Formula string      `json:"formula"`
				Where   string      `json:"where"`
			} `json:"terms"`
			Alternatives []any            `json:"alternatives"`
			Warnings     *json.RawMessage `json:"warnings"`
		}
		if err := json.Unmarshal([]byte(out), &doc); err != nil {
			t.Fatal(err)
		}
		if doc.Version != 1 || doc.Time.String() != test.total || doc.Terms[0].Name != test.name || doc.Terms[0].Seconds.String() != test.term {
			t.Errorf("%s on %s ranks: %s; want %s with %s of %s", test.algorithm, test.ranks, out, test.total, test.name, test.term)
		}
		if doc.Terms[0].Formula == "" || doc.Terms[0].Where == "" || len(doc.Alternatives) < 2 || doc.Warnings == nil {
			t.Errorf("%s on %s ranks leaves something out: %s", test.algorithm, test.ranks, out)
		}
	}
}

func TestPredictSaysTheConclusionFirst(t *testing.T) {
	status, out, errs := predict(t, map[string]string{"algorithm": "central"})
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	if !strings.HasPrefix(out, "21.6 s ") {
		t.Errorf("begins with %q", out[:min(len(out), 40)])
	}
	for _, want := range []string{"collect", "10.8 s", "9 × 1.2 GB ÷ 1 GB/s", "receiving port of rank 0", "ring", "2.16 s", "assumed:", "note:"} {
		if !strings.Contains(out, want) {
			t.Errorf("does not say %q:\n%s", want, out)
		}
	}
}

func TestPredictRefuses(t *testing.T) {
	for _, test := range []struct{ flag, value, want string }{
		{"collective", "", "--collective"},
		{"size", "", "--size"},
		{"ranks", "", "--ranks"},
		{"bandwidth", "", "--bandwidth"},
		{"latency", "", "--latency"},
		{"collective", "gossip", "all-reduce"},
		{"algorithm", "fast", "accepted: central, direct, ring, recursive-doubling, halving-doubling"},
		{"size", "100G", "100GB (powers of 1,000) or 100GiB"},
		{"bandwidth", "100G", "100Gb/s (bits) or 100GB/s (bytes)"},
		{"bandwidth", "0GB/s", "greater than 0"},
		{"latency", "5", "5us"},
		{"latency", "-5us", "latency"},
		{"ranks", "0", "1 to 1024"},
		{"ranks", "1025", "1 to 1024"},
		{"ranks", "ten", "ten"},
	} {
		status, out, errs := predict(t, map[string]string{test.flag: test.value}, "--json")
		var doc struct {
			Error struct{ Code, Message, Field string } `json:"error"`
		}
		if err := json.Unmarshal([]byte(errs), &doc); err != nil {
			t.Errorf("--%s %q: %q is no error document", test.flag, test.value, errs)
			continue
		}
		if status != 2 || out != "" || doc.Error.Field != test.flag || !strings.Contains(doc.Error.Message, test.want) {
			t.Errorf("--%s %q: status %d, %+v; want 2 and %q", test.flag, test.value, status, doc.Error, test.want)
		}
	}
	if status, _, errs := predict(t, nil, "--csv", "rows.csv"); status != 2 || !strings.Contains(errs, "--csv") {
		t.Errorf("--csv: status %d, %q", status, errs)
	}
}
