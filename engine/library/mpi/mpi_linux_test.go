//go:build amd64 || arm64

package mpi

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lockstep/engine/rank"
)

func environment(pairs map[string]string) func(string) string {
	return func(name string) string { return pairs[name] }
}

func TestLaunched(t *testing.T) {
	for name, c := range map[string]struct {
		environ map[string]string
		want    Launcher
	}{
		"Open MPI":   {map[string]string{"OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4", "PMIX_RANK": "3"}, Launcher{OpenMPI, 3, 4}},
		"Hydra":      {map[string]string{"PMI_RANK": "0", "PMI_SIZE": "2", "PMI_FD": "6"}, Launcher{MPICH, 0, 2}},
		"Slurm":      {map[string]string{"SLURM_PROCID": "1", "SLURM_NTASKS": "8"}, Launcher{"", 1, 8}},
		"nobody":     {nil, Launcher{"", -1, -1}},
		"no numbers": {map[string]string{"PMI_RANK": "one", "PMI_SIZE": "-2"}, Launcher{MPICH, -1, -1}},
	} {
		if got := Launched(environment(c.environ)); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// The library is looked for where the linker is told to, beside the launcher's
// real program, then where the linker looks by itself.
func TestFiles(t *testing.T) {
	prefix := t.TempDir()
	program := filepath.Join(prefix, "bin", "mpirun.real")
	if err := os.MkdirAll(filepath.Dir(program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "mpirun")
	if err := os.Symlink(program, link); err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(prefix)
	if err != nil {
		t.Fatal(err)
	}
	files := Launcher{Family: MPICH}.Files(environment(map[string]string{"LD_LIBRARY_PATH": "/opt/a:/opt/b"}), link)
	order := []string{"/opt/a/libmpich.so.12", "/opt/b/libmpich.so.12", filepath.Join(real, "lib", "libmpich.so.12"), "libmpich.so.12"}
	last := -1
	for _, file := range order {
		at := slices.Index(files, file)
		if at <= last {
			t.Errorf("%s is at %d of %v", file, at, files)
		}
		last = at
	}
	if slices.Contains(files, "libmpi.so.40") {
		t.Error("Open MPI's library is looked for behind MPICH's launcher")
	}
}

func TestProduct(t *testing.T) {
	for says, want := range map[string][2]string{
		"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4": {"family", "4.1.4"},
		"MPICH Version:      4.0.2":                              {"family", "4.0.2"},
		"MPICH Version:\t4.2.0a1":                                {"family", "4.2.0a1"},
		"Intel(R) MPI Library 2021.10 for Linux* OS":             {"Intel MPI", "2021.10"},
		"MVAPICH Version      :\t3.0":                            {"MVAPICH", "3.0"},
		"":                                                       {"family", ""},
	} {
		if name, version := product("family", says); name != want[0] || version != want[1] {
			t.Errorf("%q: %q %q, want %q", says, name, version, want)
		}
	}
}

// Tags stay within what every library has room for, and neighbours differ.
func TestTags(t *testing.T) {
	seen := map[uintptr]bool{}
	for step := range uint32(200) {
		for slice := range uint32(4) {
			got := tag(&rank.Header{Iteration: 3, Step: step, Slice: slice})
			if got >= tags {
				t.Fatalf("tag %d", got)
			}
			seen[got] = true
		}
	}
	if len(seen) < 750 {
		t.Errorf("%d tags for 800 messages", len(seen))
	}
}

// What is no MPI library is refused by name.
func TestOpenRefuses(t *testing.T) {
	if _, err := Open(nil); err == nil {
		t.Error("nothing was opened")
	}
	if _, err := Open([]string{"/no/such/libmpi.so"}); err == nil {
		t.Error("a file that is not there was opened")
	}
	l, err := Open([]string{"libm.so.6"})
	if err == nil {
		t.Errorf("libm passes for %s", l.Name())
	}
}
