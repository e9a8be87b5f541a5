package inventory

import (
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/unit"
)

// readNICs lists the ports that lead out of the machine: those of a device,
// and, for a container that sees no devices, the up end of a virtual cable.
// Loopback, bridges and what hangs on them lead to this machine itself. Ports
// of InfiniBand that carry no network interface are there all the same.
func readNICs(root fs.FS) []NIC {
	const folder = "sys/class/net"
	entries, err := fs.ReadDir(root, folder)
	if err != nil {
		return withoutInterface(root, nil)
	}
	var nics []NIC
	for _, entry := range entries { // sorted by name
		at := path.Join(folder, entry.Name())
		up := line(root, path.Join(at, "operstate")) == "up"
		device := exists(root, path.Join(at, "device"))
		inner := exists(root, path.Join(at, "bridge")) || exists(root, path.Join(at, "brport"))
		kind := line(root, path.Join(at, "type"))
		if kind == loopbackType || !device && (!up || inner) {
			continue
		}
		nic := NIC{Name: entry.Name(), Up: up, Kind: nicKinds[kind]}
		// speed holds Mb/s; virtual ports and those that are down hold -1 or
		// cannot be read.
		if mbits, err := strconv.ParseInt(line(root, path.Join(at, "speed")), 10, 64); err == nil && mbits > 0 {
			nic.Rate = unit.Rate(mbits) * 1e6 / 8
		}
		nic.Driver = linked(root, path.Join(at, "device/driver"))
		nic.at(root, at)
		nics = append(nics, nic)
	}
	return withoutInterface(root, nics)
}

// ARPHRD_ETHER, ARPHRD_INFINIBAND and ARPHRD_LOOPBACK of <linux/if_arp.h>.
var nicKinds = map[string]NICKind{"1": Ethernet, "32": InfiniBand}

const loopbackType = "772"

// at fills in where the device sits whose entry of /sys/class is named.
func (n *NIC) at(root fs.FS, entry string) {
	n.Bus = busOf(root, entry)
	n.NUMA = domainOf(root, n.Bus)
}

// withoutInterface adds the ports of InfiniBand devices on buses where no
// network interface is.
func withoutInterface(root fs.FS, nics []NIC) []NIC {
	const folder = "sys/class/infiniband"
	entries, err := fs.ReadDir(root, folder)
	if err != nil {
		return nics
	}
	for _, entry := range entries {
		at := path.Join(folder, entry.Name())
		nic := NIC{Name: entry.Name(), Kind: Ethernet, Driver: linked(root, path.Join(at, "device/driver"))}
		nic.at(root, at)
		if nic.Bus != "" && slices.ContainsFunc(nics, func(other NIC) bool { return other.Bus == nic.Bus }) {
			continue
		}
		port := path.Join(at, "ports/1")
		if line(root, path.Join(port, "link_layer")) == "InfiniBand" {
			nic.Kind = InfiniBand
		}
		nic.Up = strings.HasSuffix(line(root, path.Join(port, "state")), "ACTIVE")
		// Such as 400 Gb/sec (4X NDR).
		if number, _, found := strings.Cut(line(root, path.Join(port, "rate")), " Gb/sec"); found && nic.Up {
			if gbits, err := strconv.ParseFloat(number, 64); err == nil && gbits > 0 && gbits < 1e6 {
				nic.Rate = unit.Rate(gbits * 1e9 / 8)
			}
		}
		nics = append(nics, nic)
	}
	slices.SortStableFunc(nics, func(a, b NIC) int { return strings.Compare(a.Name, b.Name) })
	return nics
}

// linked returns the last part of where a symbolic link leads, empty for none.
func linked(root fs.FS, name string) string {
	target, err := fs.ReadLink(root, name)
	if err != nil {
		return ""
	}
	return path.Base(target)
}
