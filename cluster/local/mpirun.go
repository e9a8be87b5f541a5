package local

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/library/mpi"
	"lockstep/engine/trace"
)

// passed are the variables, and the beginnings of names, that a launcher and
// its ranks see beyond what every rank does.
var (
	passed         = []string{"LD_LIBRARY_PATH"}
	passedFamilies = []string{"OMPI_", "PMIX_", "PRTE_", "MPICH_", "HYDRA_", "UCX_", "NCCL_", "SLURM_"}
)

// launcher is an mpirun.
type launcher struct {
	program string
	family  string // one of package mpi's
}

// missing is why there is no MPI here.
type missing struct {
	why  trace.Missing
	said string // what was found instead, or what a program says of it
	err  error
}

func (m *missing) Error() string { return m.err.Error() }
func (m *missing) Unwrap() error { return m.err }

// findLauncher finds mpirun on the path, and asks it whose it is. Its errors
// are a *missing.
func findLauncher(ctx context.Context, env []string) (launcher, error) {
	program, err := exec.LookPath("mpirun")
	if err != nil {
		return launcher{}, &missing{trace.NoLauncher, "", errors.New("there is no mpirun on the path; MPI runs need Open MPI or MPICH installed where the console runs")}
	}
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "--version")
	cmd.Env, cmd.WaitDelay = env, answerDelay
	says, err := cmd.CombinedOutput()
	switch text := string(says); {
	case strings.Contains(text, "Open MPI"), strings.Contains(text, "OpenRTE"):
		return launcher{program, mpi.OpenMPI}, nil
	case strings.Contains(text, "HYDRA"), strings.Contains(text, "Intel(R) MPI"):
		// Hydra looks for its parts beside the name by which it was started.
		if program, err = filepath.EvalSymlinks(program); err != nil {
			return launcher{}, &missing{trace.DumbLauncher, program, err}
		}
		return launcher{program, mpi.MPICH}, nil
	case err != nil:
		return launcher{}, &missing{trace.DumbLauncher, program, fmt.Errorf("%s --version: %w", program, err)}
	}
	return launcher{}, &missing{trace.OddLauncher, program, fmt.Errorf("%s is of neither Open MPI nor MPICH: it says %.80q", program, says)}
}

// answerDelay is how long a program that was ended may still hold on to its
// output.
const answerDelay = 200 * time.Millisecond

// refuses says why the launcher would not start ranks for this user, as a
// *missing; nil if it would.
func (l launcher) refuses(env []string) error {
	const first, second = "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"
	if l.family != mpi.OpenMPI || os.Geteuid() != 0 || variable(env, first) == "1" && variable(env, second) == "1" {
		return nil
	}
	return &missing{trace.RefusesRoot, "", fmt.Errorf(
		"Open MPI starts no ranks for root unless %s=1 and %s=1 are set: run the console as another user, or set both for it", first, second)}
}

// variable is the value of a variable, "" where it is not set.
func variable(env []string, name string) string {
	for _, entry := range env {
		if value, is := strings.CutPrefix(entry, name+"="); is {
			return value
		}
	}
	return ""
}

// arguments start so many ranks of a program here. More ranks than processors
// are asked for: Open MPI refuses them otherwise.
func (l launcher) arguments(ranks, processors int, program string, args []string) []string {
	all := []string{"-n", strconv.Itoa(ranks)}
	if l.family == mpi.OpenMPI && ranks > processors {
		all = append(all, "--oversubscribe")
	}
	return append(append(all, program), args...)
}

// launcherEnvironment is what a launcher and its ranks see of ours.
func launcherEnvironment(base, all []string) []string {
	env := base[:len(base):len(base)]
	for _, entry := range all {
		name, _, _ := strings.Cut(entry, "=")
		known := false
		for _, one := range passed {
			known = known || name == one
		}
		for _, family := range passedFamilies {
			known = known || strings.HasPrefix(name, family)
		}
		if known {
			env = append(env, entry)
		}
	}
	return env
}
