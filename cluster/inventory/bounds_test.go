package inventory

import (
	"encoding/json"
	"strings"
	"testing"
)

// largest is a node that holds as much as it may.
func largest() Node {
	n := Node{}
	n.Domains = make([]Domain, maxDomains)
	n.NICs = make([]NIC, maxNICs)
	n.GPUs = make([]GPU, maxGPUs)
	n.Libraries = make([]Library, maxLibraries)
	n.Launchers = make([]Launcher, maxLaunchers)
	for i := range n.NICs {
		n.NICs[i].NUMA = at(31)
		for g := range maxNear {
			n.NICs[i].Near = append(n.NICs[i].Near, g)
		}
	}
	for a := range maxGPUs {
		for b := a + 1; b < maxGPUs; b++ {
			n.GPULinks = append(n.GPULinks, GPULink{A: a, B: b, NVLinks: 18, Rate: 477.955e9})
		}
	}
	for _, text := range n.texts() {
		*text = strings.Repeat("x", maxText)
	}
	return n
}

func TestTheLargestNodeTravels(t *testing.T) {
	n := largest()
	if err := n.Check(); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal(n)
	if err != nil || len(text) >= 64<<10 {
		t.Errorf("%d bytes of JSON, %v; want less than %d", len(text), err, 64<<10)
	}
}

func TestCheckRefusesWhatIsTooMuch(t *testing.T) {
	for name, spoil := range map[string]func(*Node){
		"ports":     func(n *Node) { n.NICs = make([]NIC, maxNICs+1) },
		"near":      func(n *Node) { n.NICs = []NIC{{Near: make([]int, maxNear+1)}} },
		"links":     func(n *Node) { n.GPULinks = []GPULink{{A: 0, B: 1}} },
		"a loop":    func(n *Node) { n.GPUs, n.GPULinks = make([]GPU, 2), []GPULink{{A: 1, B: 1}} },
		"memory":    func(n *Node) { n.Memory = -1 },
		"text":      func(n *Node) { n.CPU = strings.Repeat("x", maxText+1) },
		"a line":    func(n *Node) { n.Kernel = "6.8\n" },
		"no UTF-8":  func(n *Node) { n.Host = "\xff" },
		"libraries": func(n *Node) { n.Libraries = make([]Library, maxLibraries+1) },
	} {
		n := Node{OS: "linux"}
		spoil(&n)
		if err := n.Check(); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestBoundKeepsToWhatCheckAccepts(t *testing.T) {
	n := largest()
	n.NICs = append(n.NICs, NIC{Name: "one too many"})
	n.CPU = strings.Repeat("块", maxText)
	n.Host = "host\xff"
	n.bound()
	if err := n.Check(); err != nil {
		t.Error(err)
	}
	if n.Host != "host?" {
		t.Errorf("host %q", n.Host)
	}
}
