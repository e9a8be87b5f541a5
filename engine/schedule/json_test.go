package schedule

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestDocumentsAreTheGoldenOnes(t *testing.T) {
	for _, r := range []Request{{Collective: AllReduce, Algorithm: "ring", Ranks: 3, Chunks: 2}, {Collective: AllReduce, Algorithm: "central", Ranks: 3, Chunks: 1}, {Collective: AllReduce, Algorithm: "ring", Ranks: 1, Chunks: 1}} {
		got, err := json.MarshalIndent(mustBuild(t, r), "", " ")
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join("testdata", "golden", r.Algorithm+"-"+string(rune('0'+r.Ranks))+".json")
		if *update {
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
}

func TestHashIsOfTheCanonicalLines(t *testing.T) {
	s := mustBuild(t, Request{Collective: AllReduce, Algorithm: "central", Ranks: 2, Chunks: 1})
	var text bytes.Buffer
	s.writeCanonical(&text)
	want := "all-reduce 2 - 1\n" +
		"0 1 0 0 copy in 0 out 0 1 -\n" +
		"1 2 1 0 reduce in 0 out 0 1 0\n" +
		"2 3 0 1 copy out 0 out 0 1 1\n"
	if text.String() != want {
		t.Errorf("canonical lines:\n%s", text.String())
	}
	// Independent of this code: printf '…' | sha256sum
	if got := s.Hash(); got != "9c51c444310cd15a40b198183f56a4f65de427e63de5ff0a1c657d8cf3dfa935" {
		t.Errorf("hash %s", got)
	}
}

func TestDocumentsReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, err := Build(anyRequest(t, 10))
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		back, err := Read(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		again, err := json.Marshal(back)
		if err != nil || !bytes.Equal(text, again) || back.Hash() != s.Hash() {
			t.Fatalf("read back as %s, %v", again, err)
		}
	})
}

// edited returns a small valid document with old replaced by new.
func edited(t *testing.T, old, new string) string {
	t.Helper()
	text, err := json.MarshalIndent(mustBuild(t, Request{Collective: AllReduce, Algorithm: "central", Ranks: 2, Chunks: 1}), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), old) {
		t.Fatalf("no %q in\n%s", old, text)
	}
	return strings.Replace(string(text), old, new, 1)
}

func TestReadRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{`"version": 1`, `"version": 2`, "version 2; accepted: 1"},
		{`"ranks": 2`, `"ranks": "two"`, "line 5"},
		{`"ranks": 2`, `"ranks": 2,,`, "line 5"},
		{`"op": "reduce"`, `"op": "add"`, `unknown op "add"`},
		{`"src_buf": "in"`, `"src_buf": "input"`, "unknown buffer"},
		{`"layout": "star"`, `"layout": "round"`, "unknown layout"},
		{`"rounds": 2`, `"rounds": 3`, "says 3 rounds, its steps make 2"},
		{`"hash": "`, `"hash": "0`, "hash"},
		{`"messages": 2`, `"messages": 4`, "traffic"},
		{`"first_round": 1`, `"first_round": 0`, "within rounds"},
		{`"op": "reduce"`, `"op": "net-reduce"`, "srcs instead of src"},
		{`"op": "reduce"`, `"op": "multicast"`, "dsts instead of dst"},
		{`"invariant": "root-holds-all"`, `"invariant": "fine"`, "unknown invariant"},
		{`"chunks": 1`, `"root": -1, "chunks": 1`, "root -1"},
		{`"id": 1`, `"id": -1`, "ID out of range"},
		{`"src_chunk": 0,`, ``, "step number 1 of the list has no src_chunk"},
		{`"tmp_chunks": 0,`, ``, "tmp_chunks is missing"},
		{`"deps": []`, `"deps": null`, "no deps"},
		{`"ranks": 2`, `"ranks": 1025`, "1 to 1024"},
		{`"chunks": 1`, `"chunks": 4611686018427387904`, "more than"},
	} {
		_, err := Read(strings.NewReader(edited(t, c.old, c.new)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s -> %s: %v; want %q", c.old, c.new, err, c.want)
		}
	}
}

func TestReadAcceptsWithoutClaims(t *testing.T) {
	var doc map[string]any
	if err := json.Unmarshal([]byte(edited(t, `"version": 1`, `"version": 1, "note": "unknown keys are passed over"`)), &doc); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"hash", "rounds", "traffic", "phases", "layout"} {
		delete(doc, key)
	}
	text, _ := json.Marshal(doc)
	if _, err := Read(bytes.NewReader(text)); err != nil {
		t.Error(err)
	}
}

func TestReadAcceptsGapsInIDs(t *testing.T) {
	text := edited(t, `"id": 2`, `"id": 7`)
	text = strings.Replace(text, `"hash"`, `"was"`, 1)
	s, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if s.Index(7) != 2 || s.Index(2) != -1 || s.Index(1) != 1 {
		t.Errorf("index of 7 is %d, of 2 %d", s.Index(7), s.Index(2))
	}
}

func TestNetworkStepsAreCheckedButNotCompiled(t *testing.T) {
	const doc = `{"version": 1, "collective": "all-reduce", "algorithm": "in-network", "ranks": 2, "chunks": 2, "tmp_chunks": 0,
	 "steps": [
	 {"id": 0, "round": 1, "srcs": [0, 1], "dst": 0, "op": "net-reduce", "src_buf": "in", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": []},
	 {"id": 1, "round": 1, "srcs": [0, 1], "dst": 1, "op": "net-reduce", "src_buf": "in", "src_chunk": 1, "dst_buf": "out", "dst_chunk": 1, "count": 1, "deps": []},
	 {"id": 2, "round": 2, "src": 0, "dsts": [1], "op": "multicast", "src_buf": "out", "src_chunk": 0, "dst_buf": "out", "dst_chunk": 0, "count": 1, "deps": [0]},
	 {"id": 3, "round": 2, "src": 1, "dsts": [0], "op": "multicast", "src_buf": "out", "src_chunk": 1, "dst_buf": "out", "dst_chunk": 1, "count": 1, "deps": [1]}],
	 "traffic": {"messages": 4, "chunks_sent_by_rank": [2, 2], "chunks_received_by_rank": [2, 2]}}`
	s, err := Read(strings.NewReader(doc))
	if err != nil {
		t.Fatal(err)
	}
	if s.Rounds() != 2 {
		t.Errorf("%d rounds", s.Rounds())
	}
	if _, err := Compile(s, 0); err == nil || !strings.Contains(err.Error(), "network's own work") {
		t.Errorf("compile: %v", err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(bytes.NewReader(text)); err != nil {
		t.Errorf("read back: %v", err)
	}
	var f *Fault
	if _, err := Read(strings.NewReader(strings.Replace(doc, `"srcs": [0, 1], "dst": 0`, `"srcs": [0, 0], "dst": 0`, 1))); !errors.As(err, &f) || f.Code != "shape" {
		t.Errorf("a rank listed twice: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	for _, r := range []Request{{Collective: AllReduce, Algorithm: "ring", Ranks: 3, Chunks: 1}, {Collective: AllReduce, Algorithm: "central", Ranks: 2, Chunks: 1}} {
		text, _ := json.Marshal(mustBuild(f, r))
		f.Add(text)
	}
	f.Add([]byte(`{"version":1,"collective":"barrier","ranks":1,"chunks":1,"steps":[]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := Read(bytes.NewReader(text))
		if err != nil {
			return
		}
		// What Read lets pass has been proved: everything else must work on it.
		for range s.Walk() {
		}
		_ = s.Hash()
		for rank := range s.Ranks {
			_, _ = Compile(s, rank)
		}
	})
}
