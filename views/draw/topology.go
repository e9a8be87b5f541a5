package draw

import (
	"fmt"
	"html"
	"math"
	"slices"
)

// Topology draws a machine: its NUMA nodes as boxes, in each its GPUs, on its
// lower edge the network ports next to it; and rails along GPUs that reach
// each other beside PCIe.
type Topology struct {
	Title, Desc string
	Domains     []TopologyDomain
	Rails       []TopologyRail
	Narrow      bool // as wide as a phone
}

// TopologyDomain is a box.
type TopologyDomain struct {
	Name  string
	Lines []string // what it has besides, below its name
	GPUs  []int    // their numbers
	Ports []TopologyPort
	More  string // how many ports there are besides; empty for none
}

// TopologyPort is a network port.
type TopologyPort struct {
	Name string
	Rate string
	Down bool
}

// TopologyRail joins GPUs, by number.
type TopologyRail struct {
	GPUs  []int
	Words string
}

// Lengths of a topology, in units of the view box.
const (
	topologyWide   = 640.0
	topologyNarrow = 330.0
	topologyGap    = 16.0 // between boxes, and round them
	topologyInset  = 12.0 // from the edge of a box to what is in it
	topologyGPU    = 56.0
	topologyHigh   = 30.0
	topologyBetter = 8.0 // between GPUs
	topologyTrack  = 7.0 // from one rail to the next
	topologyRow    = 8   // GPUs beside each other at the most
)

// columns is how many boxes stand beside each other at the most.
func (t Topology) columns() int {
	if t.Narrow {
		return min(max(len(t.Domains), 1), 2)
	}
	return min(max(len(t.Domains), 1), 4)
}

func (t Topology) width() float64 {
	if t.Narrow {
		return topologyNarrow
	}
	return topologyWide
}

// shelf is a row of boxes.
type shelf struct {
	domains []TopologyDomain
	top     float64
	lines   int       // of text, the most of any box
	lanes   []float64 // y of each row of GPUs
	bottom  float64   // of the boxes
	end     float64   // below the ports
}

// SVG draws the machine.
func (t Topology) SVG() string {
	columns, width := t.columns(), t.width()
	edge := 1.0 // left of the boxes: half a line, or room for rails
	if len(t.Rails) > 0 {
		edge = topologyGap
	}
	box := (width - float64(columns-1)*topologyGap - edge - 1) / float64(columns)
	perRow := min(max(int((box-2*topologyInset+topologyBetter)/(topologyGPU+topologyBetter)), 1), topologyRow)
	tracks := 0
	for _, at := range t.tracks() {
		tracks = max(tracks, at+1)
	}
	var shelves []shelf
	top := 2.0
	for domains := range slices.Chunk(t.Domains, columns) {
		s := shelf{domains: domains, top: top}
		rows := 0
		for _, d := range domains {
			s.lines = max(s.lines, len(d.Lines))
			rows = max(rows, (len(d.GPUs)+perRow-1)/perRow)
		}
		y := top + 26 + float64(s.lines)*labelLine
		for range rows {
			if len(t.Rails) > 0 {
				y += labelLine + float64(tracks)*topologyTrack
			} else {
				y += topologyBetter
			}
			s.lanes = append(s.lanes, y)
			y += topologyHigh
		}
		s.bottom = y + topologyInset
		s.end = s.bottom
		for _, d := range domains {
			s.end = math.Max(s.end, s.bottom+t.portsHeight(d, box))
		}
		shelves = append(shelves, s)
		top = s.end + topologyGap
	}
	height := 2.0
	if len(shelves) > 0 {
		height = shelves[len(shelves)-1].end + 2
	}
	c := Frame{Width: width, Height: height, Title: t.Title, Desc: t.Desc, Class: "topology"}.open()
	places := map[int]area{}
	for _, s := range shelves {
		for i, d := range s.domains {
			t.domain(c, d, s, edge+float64(i)*(box+topologyGap), box, perRow, places)
		}
	}
	t.rails(c, shelves, places)
	for _, d := range t.Domains {
		for _, n := range d.GPUs {
			p := places[n]
			fmt.Fprintf(c, `<rect class="topology-gpu" x="%s" y="%s" width="%s" height="%s" rx="2"/>`, number(p.left), number(p.top), number(p.width), number(p.height))
			c.text(p.left+p.width/2, p.top+p.height/2+5, middle, "topology-no", fmt.Sprintf("GPU %d", n))
		}
	}
	return c.close()
}

// domain draws a box with its words and ports, and finds the places of its
// GPUs.
func (t Topology) domain(c *canvas, d TopologyDomain, s shelf, x, box float64, perRow int, places map[int]area) {
	fmt.Fprintf(c, `<rect class="topology-box" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, number(x), number(s.top), number(box), number(s.bottom-s.top))
	c.text(x+topologyInset, s.top+20, start, "topology-name", shorten(d.Name, (box-2*topologyInset)/labelBold))
	for i, words := range d.Lines {
		c.text(x+topologyInset, s.top+20+float64(i+1)*labelLine, start, "topology-says", shorten(words, box-2*topologyInset))
	}
	for i, n := range d.GPUs {
		places[n] = area{x + topologyInset + float64(i%perRow)*(topologyGPU+topologyBetter), s.lanes[i/perRow], topologyGPU, topologyHigh}
	}
	if len(d.Ports) == 0 {
		return
	}
	// One cable down from the box, a plug on it for each port.
	trunk := x + topologyInset + 5
	y := s.bottom
	for i, p := range d.Ports {
		class := ""
		if p.Down {
			class = " off"
		}
		next := y + 12
		c.line("topology-cable", trunk, y, trunk, next)
		fmt.Fprintf(c, `<rect class="topology-plug%s" x="%s" y="%s" width="10" height="10"/>`, class, number(trunk-5), number(next-2))
		words := trunk + 14
		if t.onOneLine(p, box) {
			fmt.Fprintf(c, `<text class="topology-port%s" x="%s" y="%s">%s <tspan class="topology-says">%s</tspan></text>`,
				class, number(words), number(next+8), html.EscapeString(p.Name), html.EscapeString(p.Rate))
			y = next + 8
			continue
		}
		c.text(words, next+8, start, "topology-port"+class, shorten(p.Name, t.portRoom(box)))
		c.text(words, next+8+labelLine, start, "topology-says", shorten(p.Rate, t.portRoom(box)))
		if i < len(d.Ports)-1 {
			c.line("topology-cable", trunk, next+8, trunk, next+8+labelLine)
		}
		y = next + 8 + labelLine
	}
	if d.More != "" {
		c.text(trunk+14, y+20, start, "topology-says", shorten(d.More, t.portRoom(box)))
	}
}

// portRoom is how wide the words of a port may be.
func (t Topology) portRoom(box float64) float64 { return box - topologyInset - 19 }

func (t Topology) onOneLine(p TopologyPort, box float64) bool {
	return measure(p.Name+"  "+p.Rate) <= t.portRoom(box)
}

// portsHeight is how far the ports reach below their box.
func (t Topology) portsHeight(d TopologyDomain, box float64) float64 {
	height := 0.0
	for _, p := range d.Ports {
		height += 20
		if !t.onOneLine(p, box) {
			height += labelLine
		}
	}
	if d.More != "" {
		height += 20
	}
	if height > 0 {
		height += 4
	}
	return height
}

// shorten cuts words that are wider than their room.
func shorten(words string, room float64) string {
	if measure(words) <= room {
		return words
	}
	runes := []rune(words)
	for len(runes) > 1 && measure(string(runes)+"…") > room {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}
