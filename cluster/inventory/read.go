package inventory

import (
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// Read describes the machine that this process runs on as far as its files
// tell at once: no vendor's library is asked. It takes milliseconds.
func Read() Node {
	n := Node{OS: runtime.GOOS, Arch: runtime.GOARCH}
	if host, err := os.Hostname(); err == nil {
		n.Host = host
	}
	n.CPUs = allowedCPUs()
	if runtime.GOOS == "linux" {
		n.readLinux(os.DirFS("/"))
	}
	n.bound()
	return n
}

// driverPatience is how long NVIDIA's library may take: without a process that
// keeps the GPUs awake, it wakes each of them first.
const driverPatience = 15 * time.Second

// Survey is Read with all that takes longer to find out: GPUs, libraries and
// addresses. It takes some hundredths of a second, where a driver must wake
// GPUs seconds, and goes on without what does not answer. For programs that
// stay; a command that is done at once has Read.
func Survey() Node {
	n := Read()
	n.addresses()
	if runtime.GOOS != "linux" {
		n.GPUsWhy = OtherSystem
		return n
	}
	root := os.DirFS("/")
	n.surveyFiles(root, searchPath("LD_LIBRARY_PATH"), searchPath("PATH"))
	n.askDriver(nvmlFile, driverPatience)
	n.near(root)
	n.bound()
	return n
}

// surveyFiles adds what the files under root (/) tell of GPUs and libraries,
// besides the usual folders in those of a person's own.
func (n *Node) surveyFiles(root fs.FS, libraries, programs []string) {
	n.readGPUs(root)
	n.Libraries = readLibraries(root, libraries)
	n.Launchers = readLaunchers(root, programs)
}

// searchPath lists the absolute folders that a variable names, as fs.FS names
// them.
func searchPath(variable string) []string {
	var folders []string
	for _, folder := range filepath.SplitList(os.Getenv(variable)) {
		if filepath.IsAbs(folder) {
			folders = append(folders, strings.Trim(filepath.ToSlash(filepath.Clean(folder)), "/"))
		}
	}
	return folders
}

// maxAddresses is the most addresses of a port that are kept.
const maxAddresses = 8

// addresses fills in the addresses of the ports.
func (n *Node) addresses() {
	for i := range n.NICs {
		port, err := net.InterfaceByName(n.NICs[i].Name)
		if err != nil {
			continue
		}
		addresses, err := port.Addrs()
		if err != nil {
			continue
		}
		for _, address := range addresses[:min(len(addresses), maxAddresses)] {
			n.NICs[i].Addresses = append(n.NICs[i].Addresses, address.String())
		}
	}
}
