package store

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/sizing/catalog"
)

func ownEntry(t *testing.T, s *Store, kind catalog.Kind, document string) catalog.Entry {
	t.Helper()
	own, err := s.Entries().List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	e, err := known.With(own).Read(kind, []byte(document))
	if err != nil {
		t.Fatal(err)
	}
	e.By, e.Changed = "ada", time.UnixMilli(1796083200000)
	return e
}

func TestOwnEntriesAreKept(t *testing.T) {
	s := open(t)
	kept := s.Entries()
	npu := ownEntry(t, s, catalog.Accelerators, `{"id":"npu-x1","name":"NPU","memory_gb":96,"memory_bandwidth_gbytes_per_s":3200,"bf16_dense_tflops":640,"source":"data sheet","basis":"stated"}`)
	if err := kept.Save(t.Context(), npu, false); err != nil {
		t.Fatal(err)
	}
	node := ownEntry(t, s, catalog.Systems, `{"id":"lab","name":"Lab","accelerator":"npu-x1","accelerators_per_node":8,"scaleup_domain_size":8,
		"nics_per_node":8,"nic_gbits_per_s_each":200,"nic_type":"RoCE","source":"offer","basis":"assumed"}`)
	if err := kept.Save(t.Context(), node, false); err != nil {
		t.Fatal(err)
	}
	got, err := kept.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]catalog.Entry{npu, node}, got); diff != "" {
		t.Errorf("(-kept +read):\n%s", diff)
	}
	if err := kept.Save(t.Context(), npu, false); !errors.Is(err, catalog.ErrTaken) {
		t.Errorf("add twice: %v", err)
	}
	npu.By = "grace"
	if err := kept.Save(t.Context(), npu, true); err != nil {
		t.Errorf("replace: %v", err)
	}
	inUse := new(catalog.InUseError)
	if err := kept.Remove(t.Context(), catalog.Accelerators, "npu-x1"); !errors.As(err, &inUse) {
		t.Errorf("remove what is in use: %v", err)
	}
	for _, e := range []catalog.Entry{node, npu} {
		if err := kept.Remove(t.Context(), e.Kind, e.ID); err != nil {
			t.Errorf("remove %s: %v", e.ID, err)
		}
	}
	// What an entry is made of may go while somebody fills in its form.
	if err := kept.Save(t.Context(), node, false); err == nil {
		t.Error("a system without its accelerator is kept")
	}
	if err := kept.Remove(t.Context(), catalog.Systems, "lab"); !errors.Is(err, catalog.ErrNone) {
		t.Errorf("remove twice: %v", err)
	}
}
