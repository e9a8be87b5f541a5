package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

func TestScheduleAsTable(t *testing.T) {
	status, out, errs := console(t, t.TempDir(), "schedule", "--collective", "broadcast", "--algorithm", "binomial-tree", "--ranks", "6", "--root", "2")
	if status != 0 || errs != "" {
		t.Fatalf("status %d: %s", status, errs)
	}
	const want = `broadcast binomial-tree, 6 ranks, root 2, 1 chunk: 3 rounds, 5 messages
the busiest rank sends 3 chunks and receives 1 chunk; all together send 5
no tmp
hash c00461886ac918918e331948b9d5fdb14328b337c76617e6779c76e5c79f7914

ROUND  PHASE      STEPS
1      broadcast  1 message of 1 chunk, 1 local step
                    at 2  copy  in 0  →  out 0
                    2→0   copy  in 0  →  out 0
2                 1 message of 1 chunk
                    2→4  copy  in 0  →  out 0
3                 3 messages of 3 chunks in all
                    2→3  copy  in 0   →  out 0
                    4→5  copy  out 0  →  out 0
                    0→1  copy  out 0  →  out 0
                  now: every rank holds the complete result
`
	if out != want {
		t.Errorf("\n%s\nwant\n%s", out, want)
	}
}

// Every schedule of 64 ranks is a table that can be read: whatever the rounds,
// none takes more than a screen.
func TestScheduleOfManyRanksIsFolded(t *testing.T) {
	for _, e := range schedule.Catalog() {
		s, err := schedule.Build(schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: 64})
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := writeSchedule(&b, s); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("%s/%s", e.Collective, e.Algorithm)
		lines := strings.Split(b.String(), "\n")
		if most := 8 + s.LastRound()*(mostRows+3); len(lines) > most {
			t.Errorf("%s: %d lines", name, len(lines))
		}
		for _, line := range lines {
			if len([]rune(line)) > 200 {
				t.Errorf("%s: a line of %d characters: %s", name, len([]rune(line)), line)
				break
			}
		}
	}
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 64})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := writeSchedule(&b, s); err != nil {
		t.Fatal(err)
	}
	if want := "0→1 1→2 … 63→0  reduce  in 63 0 … 62  →  out 63 0 … 62\n"; !strings.Contains(b.String(), want) {
		t.Errorf("%q is not in\n%.3000s", want, b.String())
	}
}

func TestFoldKeepsEveryStep(t *testing.T) {
	for _, e := range schedule.Catalog() {
		s, err := schedule.Build(schedule.Request{Collective: e.Collective, Algorithm: e.Algorithm, Ranks: 23})
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i < len(s.Steps); {
			end := i + 1
			for end < len(s.Steps) && s.Steps[end].Round == s.Steps[i].Round && alike(&s.Steps[i], &s.Steps[end]) {
				end++
			}
			if folded := runEnd(s, s.Steps[:end], i); folded <= i || folded > end {
				t.Fatalf("%s/%s: steps %d to %d are folded to %d", e.Collective, e.Algorithm, i, end, folded)
			}
			i = end
		}
	}
}

func TestScheduleFormats(t *testing.T) {
	dir := t.TempDir()
	command := []string{"schedule", "--collective", "all-gather", "--algorithm", "hierarchical", "--ranks", "6", "--ranks-per-node", "3", "--chunks", "2", "--format"}
	var proved []string
	for _, format := range []string{"json", "msccl-xml"} {
		status, out, errs := console(t, dir, append(command, format)...)
		if status != 0 {
			t.Fatalf("%s: status %d: %s", format, status, errs)
		}
		file := filepath.Join(dir, "schedule."+format)
		if err := os.WriteFile(file, []byte("\n  "+out), 0o600); err != nil {
			t.Fatal(err)
		}
		status, out, errs = console(t, dir, "schedule", "check", file)
		_, hash, _ := strings.Cut(out, "; hash ")
		if status != 0 || !strings.HasPrefix(out, "proved: all-gather hierarchical, 6 ranks") {
			t.Errorf("%s: status %d: %s%s", format, status, out, errs)
		}
		proved = append(proved, hash)
	}
	if proved[0] != proved[1] {
		t.Errorf("JSON is proved with the hash %s, MSCCL XML with %s", proved[0], proved[1])
	}
	_, out, _ := console(t, dir, append(command, "svg")...)
	decoder := xml.NewDecoder(strings.NewReader(out))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the picture is no XML: %v", err)
		}
	}
	if !strings.HasPrefix(out, "<svg ") || strings.Contains(out, ">rounds.") {
		t.Errorf("no picture: %.200s", out)
	}
}

func TestScheduleRefusesUnusableFlags(t *testing.T) {
	ring := []string{"--collective", "all-reduce", "--algorithm", "ring", "--ranks", "4"}
	for _, test := range []struct {
		args []string
		want string
	}{
		{append(ring, "--format", "xml"), `console: --format: unknown format "xml"; accepted: text, json, svg, msccl-xml`},
		{append(ring, "--root", "1"), "console: --root: root 1: all-reduce has no root"},
		{append(ring, "--chunks", "0"), "console: --chunks: 0 chunks; accepted: 1 or more"},
		{append(ring, "--ranks-per-node", "0"), "console: --ranks-per-node: "},
		{append(ring, "--ranks-per-node", "99999999"), "console: --ranks-per-node: 99999999 ranks per node: accepted: 1"},
		{[]string{"--collective", "barrier", "--algorithm", "central", "--ranks", "3", "--format", "msccl-xml"}, "console: --format: MSCCL XML has no barrier; accepted: allreduce, "},
		{[]string{"--collective", "all-reduce", "--algorithm", "in-network", "--ranks", "3", "--format", "msccl-xml"}, "console: --format: MSCCL XML has no steps of the network: "},
		{[]string{"--collective", "scatter", "--algorithm", "direct", "--ranks", "3", "--root", "3"}, "console: --root: root 3: accepted: 0 to 2"},
	} {
		status, out, errs := console(t, t.TempDir(), append([]string{"schedule"}, test.args...)...)
		if status != 2 || out != "" || !strings.HasPrefix(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: status %d: %s%s; want %s", test.args, status, out, errs, test.want)
		}
	}
}

func TestScheduleCheckSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	_, document, _ := console(t, dir, "schedule", "--collective", "all-reduce", "--algorithm", "ring", "--ranks", "3", "--format", "json")
	_, foreign, _ := console(t, dir, "schedule", "--collective", "all-reduce", "--algorithm", "ring", "--ranks", "3", "--format", "msccl-xml")
	for name, test := range map[string]struct {
		text   string
		status int
		want   string
	}{
		"a broken promise":  {strings.Replace(document, `"op":"reduce"`, `"op":"copy"`, 1), 1, "does not hold after phase \"reduce-scatter\""},
		"no such rank":      {strings.Replace(document, `"dst":1,"op":"reduce"`, `"dst":9,"op":"reduce"`, 1), 1, ": step 6 (round 2), rank 9, chunk 2: has dst rank 9; accepted: 0 to 2"},
		"another chunk":     {strings.Replace(foreign, `type="s" srcbuf="i" srcoff="2"`, `type="s" srcbuf="i" srcoff="1"`, 1), 1, ": line "},
		"no receiver":       {strings.Replace(foreign, `type="r" `, `type="nop" `, 1), 1, "accepted: a receive for every send"},
		"cut off, XML":      {foreign[:len(foreign)-20], 2, "the file ends inside <"},
		"cut off, JSON":     {document[:len(document)/2], 2, ": line 1: unexpected end of JSON input"},
		"neither":           {"hello", 2, "the file begins with 'h'; accepted: { of JSON or < of MSCCL XML"},
		"empty":             {"\n\n", 2, "the file is empty; accepted: a schedule (JSON or MSCCL XML)"},
		"blank to no end":   {strings.Repeat(" ", 1<<16), 2, "blanks"},
		"another XML":       {"<html></html>", 2, "line 1: <html> at the top; accepted: <algo>"},
		"another JSON":      {"{}", 1, "version 0; accepted: 1"},
		"unknown type":      {strings.Replace(foreign, `type="r"`, `type="ra"`, 1), 2, `type="ra"; accepted: s, r, `},
		"other hash":        {strings.Replace(document, `"hash":"`, `"hash":"0`, 1), 1, "hash"},
		"unsupported coll.": {strings.Replace(foreign, `coll="allreduce"`, `coll="custom"`, 1), 2, `line 1: coll="custom"; accepted: allreduce`},
	} {
		file := filepath.Join(dir, "file")
		if err := os.WriteFile(file, []byte(test.text), 0o600); err != nil {
			t.Fatal(err)
		}
		status, out, errs := console(t, dir, "schedule", "check", file)
		if status != test.status || out != "" || !strings.HasPrefix(errs, "console: "+file+": ") || !strings.Contains(errs, test.want) || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: status %d: %s%s; want %d, %s", name, status, out, errs, test.status, test.want)
		}
	}
	if status, _, errs := console(t, dir, "schedule", "check", filepath.Join(dir, "none")); status != 2 || !strings.Contains(errs, "none") {
		t.Errorf("no such file: status %d: %s", status, errs)
	}
	if status, _, errs := console(t, dir, "schedule", "check", dir); status != 2 || !strings.Contains(errs, "is a folder") {
		t.Errorf("a folder: status %d: %s", status, errs)
	}
}
