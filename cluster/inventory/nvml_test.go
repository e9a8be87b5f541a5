//go:build linux && (amd64 || arm64)

package inventory

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/unit"
)

// stubNVML builds the library of testdata/nvml.c.
func stubNVML(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), nvmlFile)
	build := exec.Command("cc", "-shared", "-fPIC", "-o", file, "testdata/nvml.c")
	if out, err := build.CombinedOutput(); err != nil {
		if _, missing := exec.LookPath("cc"); missing != nil && os.Getenv("CI") != "true" {
			t.Skip("needs a C compiler")
		}
		t.Fatalf("%v\n%s", err, out)
	}
	return file
}

func TestNVMLAddsToWhatTheKernelTells(t *testing.T) {
	zero := 0
	n := Node{GPUsWhy: WithoutNVML, GPUs: []GPU{{Bus: "0000:1b:00.0", NUMA: &zero}, {Bus: "0000:1c:00.0"}},
		GPULinks: []GPULink{{A: 0, B: 1, Path: PIX}}}
	n.askDriver(stubNVML(t), time.Minute)
	if n.GPUsWhy != "" || n.GPUDriver != "550.90.07" || n.CUDA != "12.4" || len(n.GPUs) != 4 {
		t.Fatalf("%d GPUs, driver %q, CUDA %q, why %q", len(n.GPUs), n.GPUDriver, n.CUDA, n.GPUsWhy)
	}
	const lane = 26.562e9
	want := GPU{Name: "NVIDIA H100 80GB HBM3", ID: "a1b2c300", Memory: 80 * unit.GiB, Bus: "0000:1b:00.0", NUMA: &zero, NVLinks: 4, Lane: lane}
	if diff := cmp.Diff(want, n.GPUs[0]); diff != "" {
		t.Errorf("GPU 0 (-want +got):\n%s", diff)
	}
	links := []GPULink{{A: 0, B: 1, Path: PIX, NVLinks: 4, Rate: 4 * lane}, {A: 2, B: 3, NVLinks: 4, Rate: 4 * lane}}
	if diff := cmp.Diff(links, n.GPULinks); diff != "" {
		t.Errorf("links (-want +got):\n%s", diff)
	}
	if err := n.Check(); err != nil {
		t.Error(err)
	}
}

func TestNVMLThatFailsLeavesWhatTheKernelTold(t *testing.T) {
	file := stubNVML(t)
	for mode, c := range map[string]struct {
		before, after GPUsWhy
		fault         string
	}{
		"lost":      {WithoutNVML, NVMLRefused, "nvmlDeviceGetHandleByIndex 0: GPU is lost"},
		"no-driver": {NoDriver, NoDriver, ""},
	} {
		t.Setenv("NVML_STUB", mode)
		n := Node{GPUsWhy: c.before, GPUs: []GPU{{Bus: "0000:1b:00.0"}}}
		n.askDriver(file, time.Minute)
		if n.GPUsWhy != c.after || n.GPUsFault != c.fault || len(n.GPUs) != 1 {
			t.Errorf("%s: %d GPUs, %s: %q", mode, len(n.GPUs), n.GPUsWhy, n.GPUsFault)
		}
	}
}

func TestADriverThatHangsIsLeftBehind(t *testing.T) {
	t.Setenv("NVML_STUB", "hangs")
	n := Node{GPUsWhy: WithoutNVML, GPUs: []GPU{{Bus: "0000:1b:00.0"}}}
	n.askDriver(stubNVML(t), 10*time.Millisecond)
	if n.GPUsWhy != NVMLSilent || len(n.GPUs) != 1 {
		t.Errorf("%d GPUs, %s", len(n.GPUs), n.GPUsWhy)
	}
}

// What is not there, or is another library, changes nothing.
func TestWithoutNVMLTheKernelHasTold(t *testing.T) {
	for _, file := range []string{"libnvidia-ml-that-nobody-has.so.1", "testdata/plain.so", "libc.so.6"} {
		n := Node{GPUsWhy: WithoutNVML}
		n.askDriver(file, time.Minute)
		if n.GPUsWhy != WithoutNVML {
			t.Errorf("%s: %s", file, n.GPUsWhy)
		}
	}
}
