package draw

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// topologyOf makes a machine of NUMA nodes with GPUs and ports shared out
// evenly.
func topologyOf(domains, gpus, ports int) Topology {
	t := Topology{Title: "node-a", Desc: "what it has", Domains: make([]TopologyDomain, domains)}
	for i := range t.Domains {
		t.Domains[i] = TopologyDomain{Name: fmt.Sprintf("NUMA %d", i), Lines: []string{"56 CPUs", "1 TiB"}}
	}
	for g := range gpus {
		d := &t.Domains[g*domains/gpus]
		d.GPUs = append(d.GPUs, g)
	}
	for p := range ports {
		d := &t.Domains[p*domains/ports]
		d.Ports = append(d.Ports, TopologyPort{Name: fmt.Sprintf("mlx5_%d", p), Rate: "400 Gb/s", Down: p == 5})
	}
	return t
}

// rail joins GPUs from one to another.
func rail(words string, from, to int) TopologyRail {
	r := TopologyRail{Words: words}
	for g := from; g <= to; g++ {
		r.GPUs = append(r.GPUs, g)
	}
	return r
}

func topologies() map[string]Topology {
	laptop := Topology{Title: "vm", Domains: []TopologyDomain{{Name: "NUMA 0", Lines: []string{"2 CPUs", "13.1 GiB"},
		Ports: []TopologyPort{{Name: "eth0", Rate: "speed not told"}}}}}
	dgx := topologyOf(2, 8, 8)
	dgx.Rails = []TopologyRail{rail("NVLink: 18 × 26.6 GB/s", 0, 7)}
	pairs := topologyOf(1, 4, 1)
	pairs.Rails = []TopologyRail{rail("NVLink 4×", 0, 1), rail("NVLink 4×", 2, 3)}
	many := topologyOf(8, 16, 10)
	many.Rails = []TopologyRail{rail("NVLink", 0, 15)}
	many.Domains[3].More = "+ 4 more"
	long := topologyOf(4, 4, 4)
	long.Domains[1].Ports[0].Name = "enp161s0f0np0.with-a-long-name"
	return map[string]Topology{"vm": laptop, "dgx": dgx, "pairs": pairs, "many": many, "long": long, "none": {Title: "?"}}
}

func TestTopology(t *testing.T) {
	for name, m := range topologies() {
		golden(t, "topology-"+name, m.SVG())
		m.Narrow = true
		golden(t, "topology-"+name+"-narrow", m.SVG())
	}
}

// Whatever a machine has, each GPU has a place of its own inside the drawing,
// on its own NUMA node's box, and the words fit.
func TestTopologyKeepsThingsApart(t *testing.T) {
	box := regexp.MustCompile(`class="topology-(box|gpu)" x="([\d.]+)" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)"`)
	view := regexp.MustCompile(`viewBox="0 0 ([\d.]+) ([\d.]+)"`)
	for domains := 1; domains <= 8; domains++ {
		for gpus := 0; gpus <= 16; gpus++ {
			for _, narrow := range []bool{false, true} {
				m := topologyOf(domains, gpus, domains+2)
				if gpus > 1 {
					m.Rails = []TopologyRail{rail("NVLink 18×", 0, gpus-1)}
				}
				m.Narrow = narrow
				svg := m.SVG()
				name := fmt.Sprintf("%d domains, %d GPUs, narrow %v", domains, gpus, narrow)
				var whole area
				if _, err := fmt.Sscan(strings.Join(view.FindStringSubmatch(svg)[1:], " "), &whole.width, &whole.height); err != nil {
					t.Fatal(err)
				}
				placed := map[string][]area{}
				for _, found := range box.FindAllStringSubmatch(svg, -1) {
					var a area
					if _, err := fmt.Sscan(strings.Join(found[2:], " "), &a.left, &a.top, &a.width, &a.height); err != nil {
						t.Fatal(err)
					}
					if a.left < 0 || a.top < 0 || a.right() > whole.width || a.bottom() > whole.height {
						t.Errorf("%s: %v leaves the drawing %v", name, a, whole)
					}
					for _, other := range placed[found[1]] {
						if a.meets(other) {
							t.Errorf("%s: %v lies on %v", name, a, other)
						}
					}
					placed[found[1]] = append(placed[found[1]], a)
				}
				if len(placed["box"]) != domains || len(placed["gpu"]) != gpus {
					t.Errorf("%s: %d boxes and %d GPUs are drawn", name, len(placed["box"]), len(placed["gpu"]))
				}
				for _, g := range placed["gpu"] {
					inside := 0
					for _, d := range placed["box"] {
						if g.left >= d.left && g.right() <= d.right() && g.top >= d.top && g.bottom() <= d.bottom() {
							inside++
						}
					}
					if inside != 1 {
						t.Errorf("%s: the GPU at %v is in %d boxes", name, g, inside)
					}
				}
			}
		}
	}
}
