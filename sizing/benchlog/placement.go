package benchlog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	// reaches are the ways from a node of NCCL's graph to others
	// (NCCL_DEBUG_SUBSYS=GRAPH): GPU/0-19000 (0/5000/LOC) NET/0-1 (3/24.0/PXB).
	reaches = newMark("GPU/", `\b(GPU/[0-9A-Fa-f-]+) :((?:\s*[A-Z]+/[0-9A-Fa-f-]+ ?\([^)]*\))+)`)
	reached = regexp.MustCompile(`\bNET/[0-9A-Fa-f-]+ ?\([0-9]+/[0-9.]+/([A-Z]+)\)`)
	// columns is the head of nvidia-smi topo -m, and accelRow one of its rows.
	columns  = newMark("GPU0", `^\s*GPU0\s.*\b(?:NIC\d|mlx\d_\d)`)
	accelRow = newMark("GPU", `^\s*(GPU\d+)\s+(.*)$`)

	activeMTU = newMark("active_mtu", `\bactive_mtu:\s*(\d+)`)
	portMTU   = newMark(" mtu ", `NET/IB\s*:.*\bmtu (\d+)\b`) // as verbs number them
	testMTU   = newMark("Mtu", `\bMtu\s*:\s*(\d+)\[B\]`)
	linkMTU   = newMark(" mtu ", `\b([a-z][A-Za-z0-9._-]*)(?:@\S+)?:\s.*\bmtu (\d+)\b`)
)

// nearness orders ways from the nearest to the farthest.
var nearness = []string{"PIX", "PXB", "PXN", "PHB", "NODE", "SYS"}

// placement takes in what a line says of where NICs are and how large their
// packets, and reports whether it said anything.
func (s *Setup) placement(number int, line string) bool {
	if m := reaches.in(line); m != nil {
		var ways []string
		for _, way := range reached.FindAllStringSubmatch(m[2], 64) {
			ways = append(ways, way[1])
		}
		s.far(number, m[1], ways)
		return true
	}
	if columns.in(line) != nil {
		s.head = strings.Fields(line)
		return true
	}
	if m := accelRow.in(line); m != nil && s.head != nil {
		var ways []string
		for i, way := range strings.Fields(m[2]) {
			if i < len(s.head) && !strings.HasPrefix(s.head[i], "GPU") {
				ways = append(ways, way)
			}
		}
		s.far(number, m[1], ways)
		return true
	}
	return s.packets(number, line)
}

// far keeps the nearest of the ways from an accelerator to NICs.
func (s *Setup) far(number int, accel string, ways []string) {
	best := len(nearness)
	for _, way := range ways {
		if at := slices.Index(nearness, way); at >= 0 {
			best = min(best, at)
		}
	}
	known := slices.ContainsFunc(s.Far, func(p Path) bool { return p.Accel == accel })
	if best < len(nearness) && !known && len(s.Far) < mostSettings {
		s.Far = append(s.Far, Path{number, accel, nearness[best]})
	}
}

// packets takes in what a line says of MTUs.
func (s *Setup) packets(number int, line string) bool {
	size, name, rdma := "", "", true
	if m := activeMTU.in(line); m != nil {
		size = m[1]
	} else if m := testMTU.in(line); m != nil {
		size = m[1]
	} else if m := portMTU.in(line); m != nil {
		size = m[1]
	} else if m := linkMTU.in(line); m != nil {
		name, size, rdma = m[1], m[2], false
	}
	bytes, err := strconv.Atoi(size)
	if err != nil || bytes <= 0 {
		return false
	}
	if rdma && bytes <= 5 { // IBV_MTU_256 is 1
		bytes = 128 << bytes
	}
	same := func(m MTU) bool { return m.RDMA == rdma && m.Interface == name && m.Bytes == bytes }
	if !slices.ContainsFunc(s.MTUs, same) && len(s.MTUs) < mostSettings {
		s.MTUs = append(s.MTUs, MTU{number, name, bytes, rdma})
	}
	return true
}
