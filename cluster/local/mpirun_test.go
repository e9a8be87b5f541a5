package local

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine/library/mpi"
)

func TestLauncherArguments(t *testing.T) {
	for _, c := range []struct {
		family            string
		ranks, processors int
		want              string
	}{
		{mpi.OpenMPI, 2, 2, "-n 2 console worker"},
		{mpi.OpenMPI, 4, 2, "-n 4 --oversubscribe console worker"},
		{mpi.MPICH, 4, 2, "-n 4 console worker"},
	} {
		if got := strings.Join(launcher{"mpirun", c.family}.arguments(c.ranks, c.processors, "console", []string{"worker"}), " "); got != c.want {
			t.Errorf("%s, %d ranks on %d processors: %q, want %q", c.family, c.ranks, c.processors, got, c.want)
		}
	}
}

// A launcher sees what MPI libraries read, and none of the console's secrets.
func TestLauncherEnvironment(t *testing.T) {
	base := []string{"PATH=/bin"}
	all := []string{"AWS_SECRET=1", "LD_PRELOAD=x", "LD_LIBRARY_PATH=/opt/lib", "OMPI_MCA_btl=self,vader", "UCX_TLS=sm", "SLURM_JOB_ID=7", "PMI_RANK=3", "LOCKSTEP_DATA=/d"}
	got := launcherEnvironment(base, all)
	want := []string{"PATH=/bin", "LD_LIBRARY_PATH=/opt/lib", "OMPI_MCA_btl=self,vader", "UCX_TLS=sm", "SLURM_JOB_ID=7"}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(base) != 1 {
		t.Error("the base has grown")
	}
}
