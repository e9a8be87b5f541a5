package inventory

import (
	"bufio"
	"bytes"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"lockstep/engine/unit"
)

// readLinux adds to n what the files under root (/) tell.
func (n *Node) readLinux(root fs.FS) {
	n.Kernel = line(root, "proc/sys/kernel/osrelease")
	n.CPU = field(root, "proc/cpuinfo", "model name")
	// MemTotal says kB and means 1,024 bytes.
	if kib, err := strconv.ParseInt(strings.TrimSuffix(field(root, "proc/meminfo", "MemTotal"), " kB"), 10, 64); err == nil {
		n.Memory = unit.Bytes(kib) * unit.KiB
	}
	n.NICs = readNICs(root)
}

// readNICs lists the ports that lead out of the machine: those of a device,
// and, for a container that sees no devices, the up end of a virtual cable.
// Loopback, bridges and what hangs on them lead to this machine itself.
func readNICs(root fs.FS) []NIC {
	const folder = "sys/class/net"
	entries, err := fs.ReadDir(root, folder)
	if err != nil {
		return nil
	}
	var nics []NIC
	for _, entry := range entries { // sorted by name
		at := path.Join(folder, entry.Name())
		up := line(root, path.Join(at, "operstate")) == "up"
		device := exists(root, path.Join(at, "device"))
		inner := exists(root, path.Join(at, "bridge")) || exists(root, path.Join(at, "brport"))
		if line(root, path.Join(at, "type")) == loopbackType || !device && (!up || inner) {
			continue
		}
		nic := NIC{Name: entry.Name(), Up: up}
		// speed holds Mb/s; virtual ports and those that are down hold -1 or
		// cannot be read.
		if mbits, err := strconv.ParseInt(line(root, path.Join(at, "speed")), 10, 64); err == nil && mbits > 0 {
			nic.Rate = unit.Rate(mbits) * 1e6 / 8
		}
		nics = append(nics, nic)
	}
	return nics
}

// loopbackType is ARPHRD_LOOPBACK of <linux/if_arp.h>.
const loopbackType = "772"

func exists(root fs.FS, name string) bool {
	_, err := fs.Stat(root, name)
	return err == nil
}

// line returns what a file of one line says, empty if it cannot be read.
func line(root fs.FS, name string) string {
	content, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

// field returns the value of the first line "key: value" of a file, empty if
// there is none.
func field(root fs.FS, name, key string) string {
	content, err := fs.ReadFile(root, name)
	if err != nil {
		return ""
	}
	for lines := bufio.NewScanner(bytes.NewReader(content)); lines.Scan(); {
		if k, value, found := strings.Cut(lines.Text(), ":"); found && strings.TrimSpace(k) == key {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
