package main

import (
	"strings"
	"testing"
)

func TestSweepRefusesUnusableFlags(t *testing.T) {
	dir := t.TempDir()
	for value, accepted := range map[string]string{
		"8:64MiB:4": "FIRST:LAST:xFACTOR", "64MiB:8:x2": "the smaller first", "8:16GiB:x64": "up to 8 GiB", "8": "no range of sizes",
	} {
		status, _, errs := console(t, dir, "run", "--collective", "all-reduce", "--ranks", "2", "--sweep", value)
		if status != 2 || !strings.Contains(errs, "--sweep") || !strings.Contains(errs, accepted) {
			t.Errorf("--sweep %s: status %d, %s; want 2 and %q", value, status, errs, accepted)
		}
	}
	if status, _, errs := console(t, dir, "run", "--collective", "barrier", "--ranks", "2", "--sweep", "8:64:x2"); status != 2 || !strings.Contains(errs, "no sizes to compare") {
		t.Errorf("barrier: status %d, %s", status, errs)
	}
}
