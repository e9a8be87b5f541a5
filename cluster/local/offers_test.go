package local_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/engine/trace"
)

// launching makes mpirun the program, and Open MPI willing to work for root.
func launching(t *testing.T, program string) {
	t.Helper()
	folder := t.TempDir()
	if program != "" {
		if err := os.Symlink(program, filepath.Join(folder, "mpirun")); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", folder)
	t.Setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
	t.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
}

// script writes a program for the shell.
func script(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return file
}

// offered asks a fresh fleet for MPI.
func offered(t *testing.T, as string) trace.Offer {
	t.Helper()
	all := fleet(t, as).Offers(t.Context())
	if len(all) != 2 || all[0].Backend != trace.Host || all[0].Missing != "" || all[1].Backend != trace.MPI {
		t.Fatalf("%+v", all)
	}
	return all[1]
}

func TestOffersNameTheLibrary(t *testing.T) {
	for _, family := range []struct{ name, mpirun string }{{"Open MPI", "mpirun.openmpi"}, {"MPICH", "mpirun.mpich"}} {
		t.Run(family.name, func(t *testing.T) {
			program, err := exec.LookPath(family.mpirun)
			if err != nil {
				t.Skip(err)
			}
			launching(t, program)
			if o := offered(t, "worker"); o.Missing != "" || o.Library == nil || o.Library.Name != family.name || !strings.Contains(o.Library.Version, ".") {
				t.Errorf("%+v, library %+v", o, o.Library)
			}
		})
	}
}

func TestOffersSayWhatIsMissing(t *testing.T) {
	for name, c := range map[string]struct {
		mpirun string // what it does; "" for none
		worker string
		want   trace.Missing
		says   string
	}{
		"no mpirun":         {"", "worker", trace.NoLauncher, ""},
		"of another kind":   {"echo slurm 23", "worker", trace.OddLauncher, "mpirun"},
		"broken":            {"exit 3", "worker", trace.DumbLauncher, "mpirun"},
		"no library":        {"echo HYDRA build details", "worker", trace.NoLibrary, "older than MPI 3"},
		"worker that fails": {"echo HYDRA build details", "gives up", trace.NoLibrary, "worker"},
	} {
		t.Run(name, func(t *testing.T) {
			program := ""
			if c.mpirun != "" {
				program = script(t, c.mpirun)
			}
			launching(t, program)
			if name == "no library" {
				others, err := filepath.Glob("/lib/*/libm.so.6")
				if err != nil || len(others) == 0 {
					t.Skip("no library to take for MPICH's")
				}
				folder := t.TempDir()
				if err := os.Symlink(others[0], filepath.Join(folder, "libmpich.so.12")); err != nil {
					t.Fatal(err)
				}
				t.Setenv("LD_LIBRARY_PATH", folder)
			}
			if o := offered(t, c.worker); o.Missing != c.want || o.Reason == "" || !strings.Contains(o.Said, c.says) {
				t.Errorf("%+v, want %s", o, c.want)
			}
		})
	}
	t.Run("root", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("not root")
		}
		launching(t, script(t, "echo Open MPI 4"))
		t.Setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "")
		if o := offered(t, "worker"); o.Missing != trace.RefusesRoot {
			t.Errorf("%+v", o)
		}
	})
}

// A launcher that hangs is not waited for, and what was found is remembered.
func TestOffersAreSoonThere(t *testing.T) {
	launching(t, script(t, "exec /bin/sleep 60"))
	f := fleet(t, "worker")
	began := time.Now()
	if o := f.Offers(t.Context())[1]; o.Missing != trace.DumbLauncher {
		t.Errorf("%+v", o)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("%v", took)
	}
	launching(t, "")
	if o := f.Offers(t.Context())[1]; o.Missing != trace.DumbLauncher {
		t.Errorf("looked again at once: %+v", o)
	}
}
