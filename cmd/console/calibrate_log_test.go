package main

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
)

// wrongResults is a log whose every figure is fine, and whose sums are not.
const wrongResults = "mpirun -np 8 ./build/all_reduce_perf -b 512M -e 1G -f 2 -g 1\n" +
	"#  Rank  0 Group  0 Pid   1000 on  node0 device  0 [0000:19:00] NVIDIA H100 80GB HBM3\n" +
	"#  Rank  7 Group  0 Pid   1000 on  node0 device  7 [0000:da:00] NVIDIA H100 80GB HBM3\n" +
	"536870912 134217728 float sum -1 2000 268.4 469.8 0 2000 268.4 469.8 0\n" +
	"1073741824 268435456 float sum -1 4000 268.4 469.8 3 4000 268.4 469.8 0\n"

// A log that is kept changes predictions for its system, and says so.
func TestKeptLogsCarryPredictions(t *testing.T) {
	const log = "../../sizing/benchlog/testdata/logs/h100_8x2_allreduce_unhealthy_gdrlevel_debuginfo.txt"
	dir := t.TempDir()
	status, out, errs := console(t, dir, "calibrate", "--name", "lab", log, "--json")
	var kept struct {
		Version  int
		Machine  struct{ Name string }
		Compared []struct {
			Measured float64 `json:"measured_us"`
			Before   float64 `json:"before_us"`
			After    float64 `json:"after_us"`
		}
	}
	if err := json.Unmarshal([]byte(out), &kept); status != 0 || err != nil || kept.Version != 1 || kept.Machine.Name != "lab" || len(kept.Compared) != 9 {
		t.Fatalf("status %d, %v: %s%s", status, err, out, errs)
	}
	before, after := 0.0, 0.0
	for _, r := range kept.Compared {
		before += math.Abs(math.Log(r.Before / r.Measured))
		after += math.Abs(math.Log(r.After / r.Measured))
	}
	if after > before/2 {
		t.Errorf("off by %.2f before, %.2f after", before/9, after/9)
	}
	ask := []string{"predict", "--collective", "all-reduce", "--size", "1GiB", "--system", "dgx-h100", "--nodes", "2", "--json"}
	type answer struct {
		Time     float64 `json:"time_s"`
		Grade    string
		Machine  string
		Warnings []struct{ Code string }
	}
	var plain, own answer
	if status, out, errs := console(t, dir, ask...); status != 0 || json.Unmarshal([]byte(out), &plain) != nil {
		t.Fatalf("status %d: %s", status, errs)
	}
	if status, out, errs := console(t, dir, append(ask, "--machine", "lab")...); status != 0 || json.Unmarshal([]byte(out), &own) != nil {
		t.Fatalf("status %d: %s", status, errs)
	}
	if plain.Machine != "" || own.Machine != "lab" || own.Grade != "A" || own.Time < 3*plain.Time || own.Warnings[len(own.Warnings)-1].Code != "own-log" {
		t.Errorf("%+v, then %+v", plain, own)
	}
	if status, out, _ := console(t, dir, "calibrate", "list"); status != 0 || !strings.Contains(out, "lab") || !strings.Contains(out, "all-reduce among 16") {
		t.Errorf("status %d: %s", status, out)
	}
	if status, out, _ := console(t, dir, "calibrate", "--name", "lab", log); status != 0 || !strings.Contains(out, "OFF BY") {
		t.Errorf("status %d: %s", status, out)
	}
	if status, _, errs := console(t, dir, "calibrate", "remove", "lab"); status != 0 {
		t.Errorf("status %d: %s", status, errs)
	}
	for _, bad := range []struct {
		status int
		want   string
		args   []string
	}{
		{1, "no machine", []string{"calibrate", "remove", "lab"}},
		{2, "--machine", append(ask, "--machine", "lab")},
		{2, "--machine", []string{"predict", "--machine", "lab", "--collective", "all-reduce", "--size", "8", "--ranks", "2", "--bandwidth", "1GB/s", "--latency", "1us"}},
		{2, "--name", []string{"calibrate", log}},
		{2, "--name", []string{"calibrate", "--name", "a/b", log}},
		{2, "--name", []string{"calibrate", "--name", "lab"}},
		{2, "state what is missing", []string{"calibrate", "--name", "lab", "../../sizing/benchlog/testdata/logs/ascend_16x8_hccl_test_allreduce.txt"}},
		{2, "<file>: open", []string{"calibrate", "--name", "lab", "nowhere.txt"}},
		{2, "wrong results", []string{"calibrate", "--name", "lab", written(t, "wrong.txt", wrongResults)}},
		{2, "known are", []string{"calibrate", "--name", "lab", "--system", "abacus", log}},
	} {
		if status, _, errs := console(t, dir, bad.args...); status != bad.status || !strings.Contains(errs, bad.want) {
			t.Errorf("%q: status %d, %s", bad.args, status, errs)
		}
	}
}
