package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/sizing/measured"
)

func TestMachinesAreKeptByName(t *testing.T) {
	kept := open(t).Machines()
	lab := measured.Kept{Version: 1, Name: "lab", Made: time.Date(2026, 12, 1, 12, 0, 0, 0, time.UTC), By: "ada", Tables: []measured.KeptTable{{
		File: "a.txt", Collective: schedule.AllReduce, GPU: "H100", Ranks: 8, Nodes: 1, PerNode: 8, Rows: []measured.KeptRow{{Size: 8, Time: 12.5}, {Size: 1 << 30, Time: 3900}},
	}}}
	older := lab
	older.By = "bob"
	for _, k := range []measured.Kept{older, lab} { // the later one counts
		if err := kept.Save(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
	if err := kept.Save(t.Context(), measured.Kept{Name: "a/b"}); !errors.Is(err, measured.ErrMachineName) {
		t.Errorf("a bad name: %v", err)
	}
	got, err := kept.Find(t.Context(), "lab")
	if diff := cmp.Diff(lab, got); err != nil || diff != "" {
		t.Errorf("%v (-kept +read):\n%s", err, diff)
	}
	if all, err := kept.List(t.Context()); err != nil || len(all) != 1 {
		t.Errorf("%d machines, %v", len(all), err)
	}
	if err := kept.Remove(t.Context(), "lab"); err != nil {
		t.Error(err)
	}
	if err := kept.Remove(t.Context(), "lab"); !errors.Is(err, measured.ErrNoMachine) {
		t.Errorf("removed twice: %v", err)
	}
	if _, err := kept.Find(t.Context(), "lab"); !errors.Is(err, measured.ErrNoMachine) {
		t.Errorf("found after it was removed: %v", err)
	}
}
