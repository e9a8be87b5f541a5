package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// mpiFamilies are the MPI libraries that one binary has to work with.
var mpiFamilies = []struct{ name, mpirun string }{{"Open MPI", "mpirun.openmpi"}, {"MPICH", "mpirun.mpich"}}

// mpiEnvironment is one in which mpirun is that of a family; it skips where
// there is none.
func mpiEnvironment(t *testing.T, mpirun string) []string {
	t.Helper()
	program, err := exec.LookPath(mpirun)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	folder := t.TempDir()
	if err := os.Symlink(program, filepath.Join(folder, "mpirun")); err != nil {
		t.Fatal(err)
	}
	return append(os.Environ(), "PATH="+folder+":"+os.Getenv("PATH"), "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1", "LOCKSTEP_CALIBRATE=never")
}

// mpiRun is what is looked at of a run's document.
type mpiRun struct {
	Outcome   string
	Algorithm string
	Backend   string
	Verified  bool
	Slices    int
	Events    int
	Library   struct {
		Name, Version string
		Unsliced      *struct{ Median float64 } `json:"unsliced_time_s"`
	}
	Hash    string `json:"schedule_hash"`
	Failure *struct {
		Kind, Message string
		Culprit       struct{ Rank *int }
	}
}

// TestOneBinaryRunsByEitherMPI runs all collectives by each library's own calls
// and some of our schedules by its sends.
func TestOneBinaryRunsByEitherMPI(t *testing.T) {
	for _, family := range mpiFamilies {
		t.Run(family.name, func(t *testing.T) {
			environ, dir := mpiEnvironment(t, family.mpirun), t.TempDir()
			run := func(args ...string) mpiRun {
				t.Helper()
				cmd := exec.Command(consoleBinary, append([]string{"run", "--data", dir, "--backend", "mpi", "--iterations", "2", "--json"}, args...)...)
				cmd.Env = environ
				text, err := cmd.Output()
				var r mpiRun
				if json.Unmarshal(text, &r) != nil || err != nil {
					t.Fatalf("%v: %v\n%s", args, err, text)
				}
				if r.Outcome != "done" || !r.Verified || r.Backend != "mpi" || r.Library.Name != family.name || r.Library.Version == "" {
					t.Errorf("%v: %+v", args, r)
				}
				return r
			}
			for _, c := range []struct {
				collective string
				slices     int
			}{{"broadcast", 2}, {"reduce", 2}, {"scatter", 2}, {"gather", 2}, {"all-gather", 2}, {"reduce-scatter", 1}, {"all-reduce", 2}, {"all-to-all", 2}, {"send-recv", 2}} {
				// 25,001 elements for each of three ranks: one slice is longer than the other.
				r := run("--collective", c.collective, "--ranks", "3", "--size", "300012", "--slices", strconv.Itoa(c.slices))
				if r.Algorithm != "library" || r.Slices != c.slices || (r.Library.Unsliced == nil) != (c.slices == 1) || r.Hash != "" {
					t.Errorf("%s: %+v", c.collective, r)
				}
			}
			if r := run("--collective", "all-reduce", "--ranks", "2", "--size", "12MiB"); r.Slices != 3 {
				t.Errorf("%d calls for 12 MiB", r.Slices)
			}
			run("--collective", "barrier", "--ranks", "3")
			run("--collective", "all-reduce", "--ranks", "1", "--size", "4KiB")
			run("--collective", "reduce", "--root", "2", "--ranks", "3", "--size", "1MiB", "--dtype", "int64", "--op", "max")
			run("--collective", "all-to-all", "--ranks", "2", "--size", "1MiB", "--dtype", "bfloat16")
			for _, algorithm := range []string{"ring", "double-binary-tree", "hierarchical"} {
				if r := run("--collective", "all-reduce", "--algorithm", algorithm, "--ranks", "4", "--size", "1MiB"); r.Hash == "" || r.Events == 0 {
					t.Errorf("%s: %+v", algorithm, r)
				}
			}
			run("--collective", "all-reduce", "--algorithm", "ring", "--ranks", "3", "--size", "12kB", "--dtype", "float16", "--op", "avg")
			run("--collective", "barrier", "--algorithm", "dissemination", "--ranks", "3")
		})
	}
}

// TestMPIRankIsBlamed ends and stops a rank that mpirun has started: the run
// names it, and nothing of it is left.
func TestMPIRankIsBlamed(t *testing.T) {
	for _, family := range mpiFamilies {
		for _, how := range []struct{ signal, kind string }{{"KILL", "process-died"}, {"STOP", "process-frozen"}} {
			t.Run(family.name+" "+how.signal, func(t *testing.T) {
				environ, dir := mpiEnvironment(t, family.mpirun), t.TempDir()
				temporary := t.TempDir()
				cmd := exec.Command(consoleBinary, "run", "--data", dir, "--backend", "mpi", "--collective", "all-reduce", "--ranks", "3", "--size", "24MiB", "--iterations", "5000", "--json")
				cmd.Env = append(environ, "TMPDIR="+temporary)
				var out strings.Builder
				cmd.Stdout = &out
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				ended := make(chan error, 1)
				go func() { ended <- cmd.Wait() }()
				t.Cleanup(func() { _ = cmd.Process.Kill() })
				pid := rankOf(t, temporary, 1)
				time.Sleep(time.Second) // let it run
				if text, err := exec.Command("kill", "-"+how.signal, strconv.Itoa(pid)).CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, text)
				}
				select {
				case <-ended:
				case <-time.After(20 * time.Second):
					t.Fatal("the run has not ended after 20 s")
				}
				var r mpiRun
				if err := json.Unmarshal([]byte(out.String()), &r); err != nil {
					t.Fatal(err)
				}
				if f := r.Failure; r.Outcome != "failed" || f == nil || f.Kind != how.kind || f.Culprit.Rank == nil || *f.Culprit.Rank != 1 {
					t.Errorf("%+v, failure %+v", r, r.Failure)
				}
				if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
					t.Errorf("left behind: %v, %v", left, err)
				}
				// Whoever takes in the orphans of a launcher may take a moment.
				eventually(t, "the end of the rank's process", func() bool {
					_, err := os.Stat("/proc/" + strconv.Itoa(pid))
					return err != nil
				})
			})
		}
	}
}

// TestKilledMPIRunIsSweptUp kills a console in the middle of a run: its ranks
// end, and the next run removes its folder.
func TestKilledMPIRunIsSweptUp(t *testing.T) {
	for _, family := range mpiFamilies {
		t.Run(family.name, func(t *testing.T) {
			temporary := t.TempDir()
			environ := append(mpiEnvironment(t, family.mpirun), "TMPDIR="+temporary)
			run := func(size, iterations string) *exec.Cmd {
				cmd := exec.Command(consoleBinary, "run", "--data", t.TempDir(), "--backend", "mpi", "--collective", "all-reduce", "--ranks", "2", "--size", size, "--iterations", iterations)
				cmd.Env = environ
				return cmd
			}
			killed := run("24MiB", "5000")
			if err := killed.Start(); err != nil {
				t.Fatal(err)
			}
			pid := rankOf(t, temporary, 1)
			if err := killed.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = killed.Wait()
			eventually(t, "the end of the rank's process", func() bool {
				_, err := os.Stat("/proc/" + strconv.Itoa(pid))
				return err != nil
			})
			if left, err := os.ReadDir(temporary); err != nil || len(left) == 0 {
				t.Fatalf("a killed console left %v, %v: nothing to sweep", left, err)
			}
			if text, err := run("1MiB", "1").CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, text)
			}
			if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// rankOf finds the process of a rank by its environment: its launcher says which
// rank it is, and the run's folder for temporary files whose.
func rankOf(t *testing.T, temporary string, rank int) int {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(100 * time.Millisecond) {
		processes, err := filepath.Glob("/proc/[0-9]*/environ")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range processes {
			text, err := os.ReadFile(file)
			if err != nil {
				continue // another's, or it has just ended
			}
			environ := "\x00" + string(text)
			is := strings.Contains(environ, "\x00OMPI_COMM_WORLD_RANK="+strconv.Itoa(rank)+"\x00") || strings.Contains(environ, "\x00PMI_RANK="+strconv.Itoa(rank)+"\x00")
			if is && strings.Contains(environ, "\x00LOCKSTEP_ATTACH="+temporary) {
				pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
				if err != nil {
					t.Fatal(err)
				}
				return pid
			}
		}
	}
	t.Fatalf("rank %d has not started", rank)
	return 0
}

// TestMPIRefusalsAreSaid asks for a launcher that is not there and for one that
// refuses.
func TestMPIRefusalsAreSaid(t *testing.T) {
	dir, empty := t.TempDir(), t.TempDir()
	fake := t.TempDir()
	if err := os.WriteFile(filepath.Join(fake, "mpirun"), []byte("#!/bin/sh\necho a program of another kind\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		environ []string
		says    string
	}{
		"none":  {append(os.Environ(), "PATH="+empty), "no mpirun on the path"},
		"other": {append(os.Environ(), "PATH="+fake), "neither Open MPI nor MPICH"},
	}
	if os.Geteuid() == 0 {
		environ := mpiEnvironment(t, "mpirun.openmpi")
		cases["root"] = struct {
			environ []string
			says    string
		}{append(environ, "OMPI_ALLOW_RUN_AS_ROOT=0"), "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"}
	}
	for name, c := range cases {
		cmd := exec.Command(consoleBinary, "run", "--data", dir, "--backend", "mpi", "--collective", "barrier", "--ranks", "2", "--json")
		cmd.Env = c.environ
		text, _ := cmd.Output() // its status is looked at below
		var r mpiRun
		if err := json.Unmarshal(text, &r); err != nil {
			t.Fatalf("%s: %v in %s", name, err, text)
		}
		if cmd.ProcessState.ExitCode() != 1 || r.Outcome != "failed" || r.Failure == nil || r.Failure.Kind != "start-failed" || !strings.Contains(r.Failure.Message, c.says) {
			t.Errorf("%s: status %d, %+v, failure %+v; want %q", name, cmd.ProcessState.ExitCode(), r, r.Failure, c.says)
		}
	}
}
