package inventory

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// allowedCPUs counts the CPUs in the affinity mask of this process as it is
// now; the runtime's own count is that of the program's start.
func allowedCPUs() int {
	var mask unix.CPUSet
	if err := unix.SchedGetaffinity(0, &mask); err != nil {
		// More CPUs than the mask has bits: the runtime asks with a larger one.
		return runtime.NumCPU()
	}
	return mask.Count()
}
