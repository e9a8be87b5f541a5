package present

import (
	"fmt"
	"slices"

	"lockstep/cluster/inventory"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// maxDrawnPorts is the most ports of a NUMA node that are drawn.
const maxDrawnPorts = 6

// topology draws a machine: its NUMA nodes, and what sits next to each. What
// the system places nowhere stands with the first.
func topology(l locale.Locale, name string, n inventory.Node) draw.Topology {
	t := draw.Topology{Title: l.T("nodes.topology", locale.Values{"Name": name})}
	place := map[int]int{}
	for i, d := range n.Domains {
		place[d.Number] = i
		box := draw.TopologyDomain{Name: fmt.Sprintf("NUMA %d", d.Number)}
		if d.CPUs > 0 {
			box.Lines = append(box.Lines, l.T("nodes.topology.cpus", locale.Values{"Count": d.CPUs}))
		}
		if d.Memory > 0 {
			box.Lines = append(box.Lines, memory(d.Memory))
		}
		t.Domains = append(t.Domains, box)
	}
	if len(t.Domains) == 0 {
		if n.CPUs == 0 && len(n.GPUs) == 0 && len(n.NICs) == 0 {
			return t
		}
		box := draw.TopologyDomain{Name: l.T("nodes.topology.machine")}
		if n.CPUs > 0 {
			box.Lines = append(box.Lines, l.T("nodes.topology.cpus", locale.Values{"Count": n.CPUs}))
		}
		if n.Memory > 0 {
			box.Lines = append(box.Lines, memory(n.Memory))
		}
		t.Domains = append(t.Domains, box)
	}
	at := func(number *int) *draw.TopologyDomain {
		if number != nil {
			if i, known := place[*number]; known {
				return &t.Domains[i]
			}
		}
		return &t.Domains[0]
	}
	for i, gpu := range n.GPUs {
		d := at(gpu.NUMA)
		d.GPUs = append(d.GPUs, i)
	}
	more := map[*draw.TopologyDomain]int{}
	for _, nic := range n.NICs {
		d := at(nic.NUMA)
		if len(d.Ports) == maxDrawnPorts {
			more[d]++
			continue
		}
		port := draw.TopologyPort{Name: nic.Name, Rate: l.T("nodes.port.unknown"), Down: !nic.Up}
		switch {
		case !nic.Up:
			port.Rate = l.T("nodes.port.down")
		case nic.Rate > 0:
			port.Rate = bits(nic.Rate)
		}
		d.Ports = append(d.Ports, port)
	}
	for d, count := range more {
		d.More = l.T("nodes.topology.more", locale.Values{"Count": count})
	}
	for _, r := range rails(n) {
		t.Rails = append(t.Rails, draw.TopologyRail{GPUs: r.gpus, Words: r.short(l)})
	}
	t.Desc = joined(l, descriptions(l, t))
	return t
}

// descriptions say in words what is drawn.
func descriptions(l locale.Locale, t draw.Topology) []string {
	var all []string
	for _, d := range t.Domains {
		words := d.Name
		for _, line := range d.Lines {
			words += " " + line
		}
		for _, g := range d.GPUs {
			words += fmt.Sprintf(" GPU %d", g)
		}
		for _, p := range d.Ports {
			words += " " + p.Name + " " + p.Rate
		}
		all = append(all, words)
	}
	for _, r := range t.Rails {
		all = append(all, r.Words)
	}
	return all
}

// nvlinked is GPUs that reach each other over NVLink.
type nvlinked struct {
	gpus  []int
	least inventory.GPULink // of the pairs
	even  bool              // each pair has as many links, and none lacks them
}

// rails groups the GPUs that reach each other over NVLink.
func rails(n inventory.Node) []nvlinked {
	group := make([]int, len(n.GPUs))
	for i := range group {
		group[i] = i
	}
	for _, link := range n.GPULinks {
		if link.NVLinks > 0 && group[link.A] != group[link.B] {
			from, to := max(group[link.A], group[link.B]), min(group[link.A], group[link.B])
			for i := range group {
				if group[i] == from {
					group[i] = to
				}
			}
		}
	}
	var all []nvlinked
	for first := range n.GPUs {
		var r nvlinked
		for i := range group {
			if group[i] == first {
				r.gpus = append(r.gpus, i)
			}
		}
		if len(r.gpus) < 2 {
			continue
		}
		pairs := 0
		r.even = true
		for _, link := range n.GPULinks {
			if link.NVLinks == 0 || !slices.Contains(r.gpus, link.A) {
				continue
			}
			if pairs == 0 || link.NVLinks < r.least.NVLinks {
				r.even = r.even && pairs == 0
				r.least = link
			} else if link.NVLinks > r.least.NVLinks {
				r.even = false
			}
			pairs++
		}
		r.even = r.even && pairs == len(r.gpus)*(len(r.gpus)-1)/2
		all = append(all, r)
	}
	return all
}

// short is what stands at a rail.
func (r nvlinked) short(l locale.Locale) string {
	if !r.even {
		return "NVLink"
	}
	return l.T("nodes.rail.short", locale.Values{"Count": r.least.NVLinks})
}

// railNotes say what a pair of GPUs has over NVLink.
func railNotes(l locale.Locale, n inventory.Node) []string {
	var notes []string
	for _, r := range rails(n) {
		values := locale.Values{"First": r.gpus[0], "Last": r.gpus[len(r.gpus)-1], "Count": r.least.NVLinks, "Rate": r.least.Rate.String()}
		message := "nodes.rail"
		switch {
		case !r.even:
			message = "nodes.rail.uneven"
		case r.least.Rate == 0:
			message = "nodes.rail.plain"
		}
		notes = append(notes, l.T(message, values))
	}
	return notes
}
