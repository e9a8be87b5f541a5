package inventory

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// busAddress is a PCI address: domain, bus, device and function.
var busAddress = regexp.MustCompile(`^[0-9a-f]{4,8}:[0-9a-f]{2}:[01][0-9a-f]\.[0-7]$`)

// busOf returns the PCI address of the device behind an entry of /sys/class,
// empty for none: the last that stands in the path of its folder.
func busOf(root fs.FS, entry string) string {
	target, err := fs.ReadLink(root, entry)
	if err != nil {
		return ""
	}
	bus := ""
	for part := range strings.SplitSeq(target, "/") {
		if busAddress.MatchString(part) {
			bus = part
		}
	}
	return bus
}

// domainOf returns the NUMA node of the device at a PCI address, nil if the
// system does not tell: it says -1 where the machine has just one, or where
// the firmware keeps silent.
func domainOf(root fs.FS, bus string) *int {
	if bus == "" {
		return nil
	}
	number := whole(root, path.Join("sys/bus/pci/devices", bus, "numa_node"))
	if number < 0 {
		return nil
	}
	return &number
}

// branch returns the way from the root of the PCIe tree to a device, both
// included, nil if the system does not tell.
func branch(root fs.FS, bus string) []string {
	if bus == "" {
		return nil
	}
	target, err := fs.ReadLink(root, path.Join("sys/bus/pci/devices", bus))
	if err != nil {
		return nil
	}
	_, below, _ := strings.Cut(target, "devices/")
	parts := strings.Split(below, "/")
	if len(parts) < 2 || !strings.HasPrefix(parts[0], "pci") || parts[len(parts)-1] != bus {
		return nil
	}
	return parts
}

// between says what lies between two devices, given their branches and their
// NUMA nodes; empty if that is not known.
func between(a, b []string, domainA, domainB *int) Path {
	if len(a) == 0 || len(b) == 0 {
		return ""
	}
	common := 0
	for common < min(len(a), len(b)) && a[common] == b[common] {
		common++
	}
	switch {
	case common == 0 && domainA != nil && domainB != nil && *domainA == *domainB:
		return NODE
	case common == 0:
		return SYS
	case common == 1: // the root alone
		return PHB
	}
	// The last common bridge is the upstream port of a switch, or a root port.
	// A device behind the same switch has that switch's downstream port alone
	// between it and the common one.
	const sameSwitch = 2 // steps down from the common port
	if max(len(a), len(b))-common <= sameSwitch {
		return PIX
	}
	return PXB
}

// near fills in which GPUs each port reaches without passing through the CPU.
func (n *Node) near(root fs.FS) {
	branches := make([][]string, len(n.GPUs))
	for i, gpu := range n.GPUs {
		branches[i] = branch(root, gpu.Bus)
	}
	for i := range n.NICs {
		nic := &n.NICs[i]
		own := branch(root, nic.Bus)
		for g, gpu := range n.GPUs {
			if slices.Contains([]Path{PIX, PXB}, between(own, branches[g], nic.NUMA, gpu.NUMA)) {
				nic.Near = append(nic.Near, g)
			}
		}
	}
}
