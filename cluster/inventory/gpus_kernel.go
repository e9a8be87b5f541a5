package inventory

import (
	"io/fs"
	"path"
	"regexp"
	"strings"
)

// readGPUs adds the GPUs that NVIDIA's driver has told the kernel about: what
// they are and where they sit. Their memory and NVLink are known to the
// driver's library alone.
func (n *Node) readGPUs(root fs.FS) {
	const folder = "proc/driver/nvidia"
	n.GPUDriver = driverVersion.FindString(line(root, path.Join(folder, "version")))
	entries, err := fs.ReadDir(root, path.Join(folder, "gpus"))
	switch {
	case err != nil && n.GPUDriver == "":
		n.GPUsWhy = NoDriver
		return
	case len(entries) == 0:
		n.GPUsWhy = NothingThere
		return
	}
	for _, entry := range entries[:min(len(entries), maxGPUs)] { // sorted by address
		at := path.Join(folder, "gpus", entry.Name(), "information")
		gpu := GPU{Name: field(root, at, "Model"), ID: shortID(field(root, at, "GPU UUID")), Bus: strings.ToLower(entry.Name())}
		gpu.NUMA = domainOf(root, gpu.Bus)
		n.GPUs = append(n.GPUs, gpu)
	}
	n.GPUsWhy = WithoutNVML
	n.linkGPUs(root)
}

// driverVersion is the first number of three parts, or two, in the line that
// the kernel module prints.
var driverVersion = regexp.MustCompile(`\b\d{3,}\.\d+(\.\d+)?\b`)

// shortID is the beginning of a UUID such as GPU-2f9ac0d3-…; a driver that
// has not looked yet says GPU-????????-….
func shortID(uuid string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(uuid, "GPU-"), "-")
	if strings.Contains(id, "?") {
		return ""
	}
	return id
}

// linkGPUs says what lies between any two GPUs on PCIe.
func (n *Node) linkGPUs(root fs.FS) {
	branches := make([][]string, len(n.GPUs))
	for i, gpu := range n.GPUs {
		branches[i] = branch(root, gpu.Bus)
	}
	for a := range n.GPUs {
		for b := a + 1; b < len(n.GPUs); b++ {
			if p := between(branches[a], branches[b], n.GPUs[a].NUMA, n.GPUs[b].NUMA); p != "" {
				n.GPULinks = append(n.GPULinks, GPULink{A: a, B: b, Path: p})
			}
		}
	}
}
