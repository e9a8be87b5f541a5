package inventory

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What a Node holds at the most. Read keeps to it, and Check refuses what does
// not, so that a node takes less than 64 KiB as JSON.
const (
	maxDomains   = 32
	maxNICs      = 40
	maxGPUs      = 16
	maxNear      = maxGPUs
	maxGPULinks  = maxGPUs * (maxGPUs - 1) / 2
	maxLibraries = 16
	maxLaunchers = 8
	maxText      = 96 // bytes of any text
)

// Check returns what is wrong with a node that came from elsewhere; nil for
// nothing.
func (n Node) Check() error {
	for _, list := range []struct {
		name        string
		length, max int
	}{
		{"numa", len(n.Domains), maxDomains}, {"nics", len(n.NICs), maxNICs}, {"gpus", len(n.GPUs), maxGPUs},
		{"gpu_links", len(n.GPULinks), maxGPULinks}, {"libraries", len(n.Libraries), maxLibraries}, {"launchers", len(n.Launchers), maxLaunchers},
	} {
		if list.length > list.max {
			return fmt.Errorf("check node: %s has %d entries; accepted are %d", list.name, list.length, list.max)
		}
	}
	for _, nic := range n.NICs {
		if len(nic.Near) > maxNear {
			return fmt.Errorf("check node: port %q is near %d GPUs; accepted are %d", nic.Name, len(nic.Near), maxNear)
		}
	}
	for _, l := range n.GPULinks {
		if l.A < 0 || l.A >= l.B || l.B >= len(n.GPUs) {
			return fmt.Errorf("check node: a link joins GPUs %d and %d of %d", l.A, l.B, len(n.GPUs))
		}
	}
	if n.CPUs < 0 || n.Memory < 0 {
		return fmt.Errorf("check node: %d CPUs and %d bytes of memory cannot be", n.CPUs, n.Memory)
	}
	for _, text := range n.texts() {
		if *text != Clip(*text) {
			return fmt.Errorf("check node: a text is longer than %d bytes or not printable: %.40q", maxText, *text)
		}
	}
	return nil
}

// bound cuts a node that was read here to what Check accepts.
func (n *Node) bound() {
	n.Domains = n.Domains[:min(len(n.Domains), maxDomains)]
	n.NICs = n.NICs[:min(len(n.NICs), maxNICs)]
	n.Libraries = n.Libraries[:min(len(n.Libraries), maxLibraries)]
	n.Launchers = n.Launchers[:min(len(n.Launchers), maxLaunchers)]
	for _, text := range n.texts() {
		*text = Clip(*text)
	}
}

// Clip makes a text that a machine sends printable, without what terminals take
// for orders, and cuts it between characters.
func Clip(text string) string { return clip(text, maxText) }

// clip cuts to as many bytes.
func clip(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) {
			return '?'
		}
		return r
	}, text)
	if len(text) <= most {
		return text
	}
	end := most
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// texts are all texts of the node.
func (n *Node) texts() []*string {
	all := []*string{&n.Host, &n.OS, &n.Arch, &n.Kernel, &n.CPU, &n.GPUDriver, &n.CUDA, (*string)(&n.GPUsWhy), &n.GPUsFault}
	for i := range n.Domains {
		all = append(all, &n.Domains[i].List)
	}
	for i := range n.NICs {
		p := &n.NICs[i]
		all = append(all, &p.Name, (*string)(&p.Kind), &p.Driver, &p.Bus)
	}
	for i := range n.GPUs {
		g := &n.GPUs[i]
		all = append(all, &g.Name, &g.ID, &g.Bus)
	}
	for i := range n.GPULinks {
		all = append(all, (*string)(&n.GPULinks[i].Path))
	}
	for i := range n.Libraries {
		l := &n.Libraries[i]
		all = append(all, &l.Name, &l.Kind, &l.Version, &l.File, &l.Fault)
	}
	for i := range n.Launchers {
		l := &n.Launchers[i]
		all = append(all, &l.Name, &l.File, &l.Kind)
	}
	return all
}
