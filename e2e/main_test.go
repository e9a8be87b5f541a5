package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// consoleBinary is the console as users build it: without the race detector.
// TestMain builds it once for all tests of this package.
var consoleBinary string

func TestMain(m *testing.M) { os.Exit(run(m)) }

// run exists so that its defers come before the exit.
func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "lockstep-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	consoleBinary = filepath.Join(dir, "console")
	build := exec.Command("go", "build", "-o", consoleBinary, "lockstep/cmd/console")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the console: %v\n%s", err, out)
		return 1
	}
	defer func() { endChromium() }()
	return m.Run()
}
