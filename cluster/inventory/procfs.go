package inventory

import (
	"bufio"
	"bytes"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/unit"
)

// readLinux adds to n what the files under root (/) tell.
func (n *Node) readLinux(root fs.FS) {
	n.Kernel = line(root, "proc/sys/kernel/osrelease")
	n.CPU = field(root, "proc/cpuinfo", "model name")
	n.Memory = kibibytes(field(root, "proc/meminfo", "MemTotal"))
	n.Domains = readDomains(root)
	n.NICs = readNICs(root)
}

// kibibytes reads an amount of the kernel, which says kB and means 1,024
// bytes; 0 for what is none.
func kibibytes(text string) unit.Bytes {
	kib, err := strconv.ParseInt(strings.TrimSuffix(text, " kB"), 10, 64)
	if err != nil || kib < 0 {
		return 0
	}
	return unit.Bytes(kib) * unit.KiB
}

// readDomains lists the NUMA nodes that have CPUs or memory.
func readDomains(root fs.FS) []Domain {
	const folder = "sys/devices/system/node"
	entries, err := fs.ReadDir(root, folder)
	if err != nil {
		return nil
	}
	var domains []Domain
	for _, entry := range entries {
		number, err := strconv.Atoi(strings.TrimPrefix(entry.Name(), "node"))
		if err != nil || number < 0 || !strings.HasPrefix(entry.Name(), "node") {
			continue
		}
		at := path.Join(folder, entry.Name())
		d := Domain{Number: number, List: line(root, path.Join(at, "cpulist"))}
		d.Memory = kibibytes(field(root, path.Join(at, "meminfo"), "Node "+strconv.Itoa(number)+" MemTotal"))
		first, count := countCPUs(d.List)
		if d.CPUs = count; count > 0 {
			d.Socket = max(whole(root, "sys/devices/system/cpu/cpu"+strconv.Itoa(first)+"/topology/physical_package_id"), 0)
		}
		if d.CPUs > 0 || d.Memory > 0 {
			domains = append(domains, d)
		}
	}
	slices.SortFunc(domains, func(a, b Domain) int { return a.Number - b.Number })
	return domains
}

// countCPUs returns the first CPU of a list such as 0-3,8 and how many it has,
// which is none if it is no list.
func countCPUs(list string) (first, count int) {
	if list == "" {
		return 0, 0
	}
	for i, span := range strings.Split(list, ",") {
		from, to, ranged := strings.Cut(span, "-")
		low, err := strconv.Atoi(from)
		high := low
		if ranged && err == nil {
			high, err = strconv.Atoi(to)
		}
		if err != nil || low < 0 || high < low || high >= maxCPUs {
			return 0, 0
		}
		if i == 0 {
			first = low
		}
		count += high - low + 1
	}
	return first, count
}

// maxCPUs is more than Linux can be built for.
const maxCPUs = 1 << 16

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

// whole returns the whole number that a file holds, -1 if it holds none.
func whole(root fs.FS, name string) int {
	n, err := strconv.Atoi(line(root, name))
	if err != nil {
		return -1
	}
	return n
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
