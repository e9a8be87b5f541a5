package benchlog

import (
	"regexp"
	"slices"
	"strings"
)

// Setup is what the library's own lines (NCCL_DEBUG=INFO) and the environment
// say about how it works.
type Setup struct {
	Env      []Setting // in the order of the log, each name once
	Networks []string  // what the library uses: IB, Socket, OFI, …, each once
	NICs     []string  // devices named by NET/… : Using, each once
	Ways     []string  // what channels go via: P2P/CUMEM, SHM, NET/IB/0/GDRDMA, …, each once
	Notes    []Note    // lines that say what went wrong
	Far      []Path    // for accelerators, in the order of the log: the way to the nearest NIC
	MTUs     []MTU     // each interface or size once

	head []string // of a table of ways that is under way
}

// Path is the shortest way from an accelerator to a NIC, in the words of
// nvidia-smi topo -m: PIX and PXB stay below a host bridge, PHB crosses one,
// NODE several of one NUMA node, and SYS the link between processors.
type Path struct {
	Line      int
	Accel, By string
}

// MTU is the largest packet that an interface sends.
type MTU struct {
	Line      int
	Interface string // empty for the RDMA port of a line that names none
	Bytes     int
	RDMA      bool // the payload of an RDMA packet, not an Ethernet frame's
}

// Setting is a variable of the environment.
type Setting struct {
	Name, Value string
	Line        int
}

// Note is a line of the log, kept as evidence.
type Note struct {
	Line int
	Text string
}

// The most that is kept of a log that repeats itself.
const (
	mostSettings = 200
	mostNotes    = 50
	mostText     = 300
)

// Get returns the value of a variable, and whether the log tells it.
func (s Setup) Get(name string) (Setting, bool) {
	for _, e := range s.Env {
		if e.Name == name {
			return e, true
		}
	}
	return Setting{}, false
}

var (
	setByEnv  = newMark("set by environment", `\b((?:NCCL|RCCL|HCCL|UCX|OMPI|FI|CUDA|HSA)_[A-Z0-9_]+) set by environment to (.+?)\.?\s*$`)
	assigned  = newMark("=", `\b((?:NCCL|RCCL|HCCL|UCX|FI)_[A-Z0-9_]+)=("[^"]*"|'[^']*'|[^\s'"]+)`)
	netUsing  = newMark(": Using", `NET/([A-Za-z0-9_]+)\s*: Using (.+)$`)
	nicName   = regexp.MustCompile(`\[\d+\]\s*([A-Za-z][A-Za-z0-9_.-]*)`)
	usingNet  = newMark("Using network", `Using network ([A-Za-z0-9_ -]+?)\s*$`)
	via       = newMark(" via ", `\bvia ([A-Za-z0-9]+(?:/[A-Za-z0-9_./]+)?)`)
	libraries = newMark("CCL version", `\b(NCCL|RCCL) version\s*:?\s*([0-9][0-9A-Za-z.+_-]*)`)
)

// wrong are words of lines that say what went wrong, or what is not used.
var wrong = []string{
	"NCCL WARN", "NCCL failure", "CUDA failure", "RDMA Disabled", "RDMA disabled", "unhandled", "out of memory", "link is down", "retry count",
	"No device found", "ailed to", "P2P is disabled", "not supported", "Out of bounds values : 1", "FAILED",
}

// read takes in a line, and reports whether it held anything.
func (s *Setup) read(number int, line string) bool {
	held := false
	for _, m := range slices.Concat(setByEnv.all(line, 4), assigned.all(line, 64)) {
		held = true
		if _, known := s.Get(m[1]); !known && len(s.Env) < mostSettings {
			s.Env = append(s.Env, Setting{m[1], strings.Trim(clip(m[2]), `"'`), number})
		}
	}
	if m := netUsing.in(line); m != nil {
		held = true
		s.Networks = once(s.Networks, m[1])
		for _, nic := range nicName.FindAllStringSubmatch(m[2], 64) {
			s.NICs = once(s.NICs, nic[1])
		}
	}
	if m := usingNet.in(line); m != nil {
		held = true
		s.Networks = once(s.Networks, m[1])
	}
	if strings.Contains(line, "->") {
		if m := via.in(line); m != nil {
			held = true
			s.Ways = once(s.Ways, m[1])
		}
	}
	held = s.placement(number, line) || held
	if slices.ContainsFunc(wrong, func(word string) bool { return strings.Contains(line, word) }) {
		held = true
		if len(s.Notes) < mostNotes {
			s.Notes = append(s.Notes, Note{number, clip(strings.TrimSpace(line))})
		}
	}
	return held
}

// once adds a text to a list that has each once.
func once(list []string, text string) []string {
	if text = clip(text); slices.Contains(list, text) || len(list) >= mostSettings {
		return list
	}
	return append(list, text)
}

func clip(text string) string {
	if len(text) <= mostText {
		return text
	}
	return strings.ToValidUTF8(text[:mostText], "") + "…"
}
