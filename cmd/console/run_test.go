package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/store"
)

// console runs a command line on a data folder of its own.
func console(t *testing.T, dir string, args ...string) (status int, out, errs string) {
	t.Helper()
	t.Setenv("LOCKSTEP_DATA", dir)
	var stdout, stderr bytes.Buffer
	status = execute(context.Background(), args, terminal{&stdout, &stderr})
	return status, stdout.String(), stderr.String()
}

func TestRunRefusesUnusableFlags(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := filepath.Join(t.TempDir(), "data")
	whole := [][2]string{{"collective", "all-reduce"}, {"ranks", "4"}, {"size", "1MiB"}}
	for _, test := range []struct{ flag, value, accepted string }{
		{"collective", "all-recude", "accepted: broadcast, reduce, scatter, gather, all-gather, reduce-scatter, all-reduce, all-to-all, barrier, send-recv"},
		{"algorithm", "rings", "recursive-doubling, halving-doubling, binomial-tree, double-binary-tree, hierarchical, in-network, auto"},
		{"algorithm", "in-network", "cannot be run on hosts"},
		{"ranks", "0", "1 to 64"},
		{"ranks", "65", "1 to 64"},
		{"ranks", "-1", ""}, // the parser takes it for a flag, and says so
		{"ranks", "many", "int"},
		{"size", "100G", "100GB"},
		{"size", "1023", "1020 or 1024"},
		{"size", "9GiB", "8 GiB"},
		{"dtype", "f32", "accepted: float32"},
		{"op", "median", "accepted: sum, prod, min, max, avg"},
		{"chunks", "0", "1 or more"},
		{"chunks", "1000000000", "accepted: 1 to"},
		{"iterations", "0", "1 to 10000"},
		{"iterations", "10001", "1 to 10000"},
		{"slices", "0", "auto or 1 to 4096"},
		{"slices", "4097", "auto or 1 to 4096"},
		{"slices", "few", "auto or 1 to 4096"},
		{"pace", "fast", "12.5GB/s (bytes) or 1GiB/s; or step"},
		{"pace", "1B/s", "1kB/s or more"},
		{"backend", "gloo", "accepted: host, mpi"},
		{"algorithm", "library", "accepted with --backend mpi"},
		{"link", "ib", "accepted: auto, shm, tcp"},
		{"root", "1", "all-reduce has no root"},
		{"ranks-per-node", "0", "1 or more"},
		{"schedule", "no-such-file", "no such file"},
		{"sweep", "8:64MiB:x4", "beside --size; accepted: one of the two"},
		{"console", "ftp://h:1", "accepted: https://HOST:PORT"},
	} {
		args := []string{"run", "--json"}
		for _, flag := range whole {
			if flag[0] != test.flag {
				args = append(args, "--"+flag[0], flag[1])
			}
		}
		status, out, errs := console(t, dir, append(args, "--"+test.flag, test.value)...)
		var said struct {
			Error struct{ Code, Message, Field string }
		}
		if err := json.Unmarshal([]byte(errs), &said); err != nil {
			t.Errorf("--%s %s: %v in %q", test.flag, test.value, err, errs)
			continue
		}
		if status != 2 || out != "" || said.Error.Field != test.flag || !strings.Contains(said.Error.Message, test.accepted) || strings.Contains(said.Error.Message, "\n") {
			t.Errorf("--%s %s: status %d, %q, error %+v; want 2 and %q", test.flag, test.value, status, out, said.Error, test.accepted)
		}
	}
	if _, out, _ := console(t, dir, "run", "list"); !strings.HasPrefix(out, "no saved runs in "+dir) {
		t.Errorf("refused runs are listed: %s", out)
	}
}

func TestLookingForRunsMakesNoFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"run", "list"}, 0, "no saved runs in " + dir},
		{[]string{"run", "list", "--json"}, 0, `{"version":1,"runs":[]}`},
		{[]string{"run", "show", "7"}, 2, "there are no saved runs in " + dir},
		{[]string{"run", "show", "7", "--json"}, 2, "there are no saved runs in " + dir},
	} {
		status, out, errs := console(t, dir, test.args...)
		if status != test.status || !strings.Contains(out+errs, test.says) {
			t.Errorf("%v: status %d, %s%s", test.args, status, out, errs)
		}
		if _, err := os.Stat(dir); err == nil {
			t.Fatalf("%v has made the data folder", test.args)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	console(t, dir, "run", "list")
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("a look has left %v, %v", left, err)
	}
}

func TestRunNeedsItsFlags(t *testing.T) {
	for _, c := range []struct{ args, names []string }{
		{[]string{"--ranks", "4"}, []string{"--collective: not given", "--size: not given"}},
		{[]string{"--collective", "all-reduce"}, []string{"--ranks: not given; accepted: 1 to 64", "--size: not given"}},
		{[]string{"--collective", "all-reduce", "--ranks", "4"}, []string{"--size: not given; accepted: bytes such as"}},
		{[]string{"--collective", "barrier"}, []string{"--ranks: not given"}},
		{[]string{"--collective", "barrier", "--ranks", "4", "--size", "4"}, []string{"--size: 4 bytes; accepted: 0, as a barrier moves no data"}},
	} {
		status, _, errs := console(t, t.TempDir(), append([]string{"run"}, c.args...)...)
		for _, name := range c.names {
			if status != 2 || !strings.Contains(errs, name) || strings.Count(errs, "not given") > 2 {
				t.Errorf("%v: status %d, %s; want %s", c.args, status, errs, name)
			}
		}
	}
}

// ended are runs as an engine leaves them.
func ended() []trace.Run {
	spec, err := trace.Spec{Collective: schedule.AllReduce, Algorithm: "ring", Ranks: 4, Size: 1 << 20, Iterations: 2}.Resolve()
	if err != nil {
		panic(err)
	}
	at := time.Date(2025, 12, 1, 12, 0, 0, 0, time.UTC)
	done := trace.NewRun("", spec, at)
	done.Outcome, done.Verified, done.Events, done.Slices, done.Predicted = trace.Done, true, 60, 1, 0.002
	done.ScheduleHash = "b1cd7a3a9c33394dcfeacf0c05e9e3386bbf7869199b2cd3f5baa7964dbbb88f"
	done.Warnings = append(done.Warnings, trace.Warning{Code: "assumed-network", Message: "a latency is assumed"})
	done.Measured([]time.Duration{time.Millisecond, 2 * time.Millisecond})
	spec.Pace.Step = true
	failed := trace.NewRun("", spec, at)
	rank := 3
	failed.Outcome, failed.Events, failed.Slices = trace.Failed, 1, 2
	failed.Failure = &trace.Failure{Kind: trace.ProcessDied, Culprit: trace.Culprit{Rank: &rank}, Step: 7, Round: 2, DetectedAfter: 0.0123, Message: "rank 3 died: killed"}
	cancelled := trace.NewRun("", spec, at)
	cancelled.Outcome = trace.Cancelled
	return []trace.Run{done, failed, cancelled}
}

// saved keeps runs in a new data folder.
func saved(t *testing.T, runs []trace.Run) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "data")
	db, err := store.Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	queue, err := db.JoinRuns(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range runs {
		queued, err := queue.Enqueue(t.Context(), runs[i], trace.Kept{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := queue.Claim(t.Context(), queued.ID); err != nil {
			t.Fatal(err)
		}
		runs[i].ID = queued.ID
		if err := queue.Finish(t.Context(), runs[i], nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := queue.Close(); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRunShowSaysHowItEnded(t *testing.T) {
	defer goleak.VerifyNone(t)
	dir := saved(t, ended())
	for id, want := range map[string][]string{
		"1": {
			"run 0001 done, every element verified: all-reduce/ring of 1 MiB, float32 among 4 ranks over shm\n",
			"measured", "min 1 ms", "median 1.5 ms", "max 2 ms", "of 2 iterations",
			"predicted", "2 ms by the cost model; measured is 0.75 times that",
			"algorithm 0.699 GB/s", "bus 1.05 GB/s", "b1cd7a3a9c33\n", "60 events, 1 slice per chunk", "a latency is assumed",
		},
		"0002": {
			"run 0002 failed:", "rank 3 died: killed", "process-died: rank 3, step 7 in round 2, noticed after 12.3 ms",
			"paced", "step by step", "1 event, 2 slices per chunk", "console run show 0002",
		},
		"3": {"run 0003 cancelled:"},
	} {
		status, out, errs := console(t, dir, "run", "show", id)
		if status != 0 || errs != "" {
			t.Errorf("run show %s: status %d, %s", id, status, errs)
		}
		for _, part := range want {
			if !strings.Contains(out, part) {
				t.Errorf("run show %s lacks %q:\n%s", id, part, out)
			}
		}
	}
	for _, id := range []string{"4", "four"} {
		if status, _, errs := console(t, dir, "run", "show", id); status != 2 || !strings.Contains(errs, "no such run") {
			t.Errorf("run show %s: status %d, %s", id, status, errs)
		}
	}
}

func TestRunDocumentsAreTheSameEverywhere(t *testing.T) {
	runs := ended()
	dir := saved(t, runs)
	var list struct {
		Version int
		Runs    []json.RawMessage
	}
	_, out, _ := console(t, dir, "run", "list", "--json")
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	if list.Version != 1 || len(list.Runs) != len(runs) {
		t.Fatalf("listed: %s", out)
	}
	for i, run := range runs {
		want, err := json.Marshal(run)
		if err != nil {
			t.Fatal(err)
		}
		_, out, _ := console(t, dir, "run", "show", run.ID, "--json")
		if strings.TrimSpace(out) != string(want) {
			t.Errorf("run show %s:\n%s\nwant\n%s", run.ID, out, want)
		}
		if listed := list.Runs[len(runs)-1-i]; string(listed) != string(want) {
			t.Errorf("run list has %s\nwant\n%s", listed, want)
		}
	}
	_, out, _ = console(t, dir, "run", "list", "--limit", "2")
	if lines := strings.Split(strings.TrimSpace(out), "\n"); len(lines) != 3 || !strings.HasPrefix(lines[1], "0003") || !strings.Contains(lines[2], "failed: process-died") {
		t.Errorf("run list --limit 2:\n%s", out)
	}
}
