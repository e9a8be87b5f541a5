package draw

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// crossingsOf makes nodes whose ranks stand in a ring, each node's last NIC
// sending and its first receiving.
func crossingsOf(nodes, ranks, nics int) Crossings {
	d := Crossings{Title: "a ring", Desc: "what crosses"}
	n := nodes * ranks
	for v := range nodes {
		node := CrossingNode{Name: fmt.Sprintf("Node %d", v), Says: []string{"sends 1.75 GB", "1.75 GB"}, NICs: make([]CrossingNIC, nics)}
		for r := range ranks {
			seat := v*ranks + r
			node.Ranks = append(node.Ranks, strconv.Itoa(seat))
			to := (seat + 1) % n
			d.Hops = append(d.Hops, CrossingHop{From: seat, To: to, Across: to/ranks != v, Share: 1})
		}
		if nics > 0 {
			node.NICs[nics-1].Out = 1
			node.NICs[0].In = 0.5
		}
		d.Nodes = append(d.Nodes, node)
	}
	return d
}

func TestCrossings(t *testing.T) {
	back := crossingsOf(2, 2, 2)
	for i := range back.Hops { // the other way round the ring
		back.Hops[i].From, back.Hops[i].To = back.Hops[i].To, back.Hops[i].From
	}
	odd := crossingsOf(2, 2, 1)
	odd.Hops = append(odd.Hops, CrossingHop{From: 0, To: 99}, CrossingHop{From: -1, To: 1}) // nobody sits there
	for name, d := range map[string]Crossings{"4x4": crossingsOf(4, 4, 2), "16x4": crossingsOf(16, 4, 8), "2x16": crossingsOf(2, 16, 4), "back": back, "odd": odd, "none": {Title: "?"}} {
		golden(t, "crossings-"+name, d.SVG())
		d.Narrow = true
		golden(t, "crossings-"+name+"-narrow", d.SVG())
	}
}

// Whatever nodes have, ranks stand apart inside their own node, nodes inside
// the drawing, and no arc leaves it.
func TestCrossingsKeepThingsApart(t *testing.T) {
	box := regexp.MustCompile(`class="crossing-(node|rank)" x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+?)"`)
	arc := regexp.MustCompile(`d="M(\S+) (\S+)C(\S+) (\S+) (\S+) (\S+) (\S+) (\S+)"`)
	view := regexp.MustCompile(`viewBox="0 0 (\S+) (\S+)"`)
	numbers := func(texts []string) []float64 {
		var all []float64
		for _, text := range texts {
			v, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, v)
		}
		return all
	}
	for nodes := 1; nodes <= 16; nodes++ {
		for _, ranks := range []int{1, 2, 3, 4, 8, 16} {
			if nodes*ranks > 64 {
				continue
			}
			for _, narrow := range []bool{false, true} {
				d := crossingsOf(nodes, ranks, 4)
				d.Narrow = narrow
				svg := d.SVG()
				name := fmt.Sprintf("%d nodes of %d ranks, narrow %v", nodes, ranks, narrow)
				size := numbers(view.FindStringSubmatch(svg)[1:])
				placed := map[string][]area{}
				for _, found := range box.FindAllStringSubmatch(svg, -1) {
					n := numbers(found[2:])
					a := area{n[0], n[1], n[2], n[3]}
					if a.left < 0 || a.top < 0 || a.right() > size[0] || a.bottom() > size[1] {
						t.Errorf("%s: %v leaves the drawing", name, a)
					}
					for _, other := range placed[found[1]] {
						if other.right() > a.left+0.1 {
							t.Errorf("%s: %v lies on %v", name, a, other)
						}
					}
					placed[found[1]] = append(placed[found[1]], a)
				}
				if len(placed["node"]) != nodes || len(placed["rank"]) != nodes*ranks {
					t.Fatalf("%s: %d nodes and %d ranks are drawn", name, len(placed["node"]), len(placed["rank"]))
				}
				for i, r := range placed["rank"] {
					if home := placed["node"][i/ranks]; r.left < home.left-0.1 || r.right() > home.right()+0.1 {
						t.Errorf("%s: rank %d at %v is not in its node at %v", name, i, r, home)
					}
				}
				for _, found := range arc.FindAllStringSubmatch(svg, -1) {
					n := numbers(found[1:])
					if top := n[1] - (n[1]-n[3])*3/4; top < 2 || n[0] < 0 || n[6] > size[0] {
						t.Errorf("%s: an arc leaves the drawing: %v", name, n)
					}
				}
			}
		}
	}
}

// Thickness says how much a hop carries.
func TestCrossingsDrawWhatHopsCarry(t *testing.T) {
	d := crossingsOf(2, 2, 1)
	d.Hops[0].Share, d.Hops[1].Share, d.Hops[2].Share = 0, 0.5, 7
	svg := d.SVG()
	for _, want := range []string{`stroke-width="0.8"`, `stroke-width="2.1"`, `stroke-width="3.4"`} {
		if !strings.Contains(svg, want) {
			t.Errorf("no line has %s", want)
		}
	}
}
