package inventory

import (
	"os"
	"runtime"
)

// Read describes the machine that this process runs on.
func Read() Node {
	n := Node{OS: runtime.GOOS, Arch: runtime.GOARCH}
	if host, err := os.Hostname(); err == nil {
		n.Host = host
	}
	n.CPUs = allowedCPUs()
	if runtime.GOOS == "linux" {
		n.readLinux(os.DirFS("/"))
	}
	return n
}
