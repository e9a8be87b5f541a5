package mpi

import (
	"cmp"
	"path/filepath"
	"runtime"
	"strconv"
)

// names are what the families' libraries are called, by the numbers of their
// binary interfaces; the last ones are for compilers, and for want of others.
var names = map[string][]string{
	OpenMPI: {"libmpi.so.40", "libmpi.so"},
	MPICH:   {"libmpich.so.12", "libmpi.so.12", "libmpi.so"},
}

// The families.
const (
	OpenMPI = "openmpi"
	MPICH   = "mpich"
)

// Launcher is what started this process, as its environment tells.
type Launcher struct {
	Family      string // "" where the environment does not tell
	Rank, Ranks int    // -1 likewise
}

// Launched reads a launcher's marks in the environment: Open MPI's and PRRTE's,
// Hydra's (MPICH, Intel MPI, MVAPICH), Slurm's.
func Launched(getenv func(string) string) Launcher {
	number := func(names ...string) int {
		for _, name := range names {
			if n, err := strconv.Atoi(getenv(name)); err == nil && n >= 0 {
				return n
			}
		}
		return -1
	}
	l := Launcher{Rank: number("OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"), Ranks: number("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS")}
	switch {
	case getenv("OMPI_COMM_WORLD_SIZE") != "":
		l.Family = OpenMPI
	case getenv("PMI_SIZE") != "":
		l.Family = MPICH
	}
	return l
}

// Files lists where the launcher's library may be, the likeliest first: where
// the linker is told to look, beside the launcher's own program, where the
// linker looks by itself. program is its file, "" where that is not known.
func (l Launcher) Files(getenv func(string) string, program string) []string {
	families := []string{OpenMPI, MPICH}
	if l.Family != "" {
		families = []string{l.Family}
	}
	var folders []string
	for _, folder := range filepath.SplitList(getenv("LD_LIBRARY_PATH")) {
		folders = append(folders, cmp.Or(folder, "."))
	}
	if program != "" {
		if real, err := filepath.EvalSymlinks(program); err == nil {
			program = real
		}
		prefix := filepath.Dir(filepath.Dir(program))
		triplet := map[string]string{"amd64": "x86_64-linux-gnu", "arm64": "aarch64-linux-gnu"}[runtime.GOARCH]
		folders = append(folders, filepath.Join(prefix, "lib"), filepath.Join(prefix, "lib64"), filepath.Join(prefix, "lib", triplet))
	}
	var files []string
	for _, family := range families {
		for _, folder := range folders {
			for _, name := range names[family] {
				files = append(files, filepath.Join(folder, name))
			}
		}
		files = append(files, names[family]...)
	}
	return files
}
