package draw

import (
	"fmt"
	"strconv"
)

// Duties draws who does what in a job on several machines: a starter that makes
// processes and gives each its number, dashed from above, and a ring along which
// devices hand data to each other, solid below.
type Duties struct {
	Frame   // its Height is set by the drawing
	Starter string
	Nodes   []string // names of the machines
	PerNode int      // processes on each, each with its device
	Process string   // what a process is called, before its number
	Device  string   // what its device is called
	Control string   // what the dashed lines are
	Data    string   // what the ring is
}

// Lengths of Duties, in view-box units.
const (
	dutyHigh   = 30.0  // of a box
	dutyTop    = 106.0 // of the machines
	dutyInset  = 14.0
	dutyTall   = 164.0 // of a machine
	dutyGap    = 24.0  // between machines
	dutyDevice = 98.0  // from the top of a machine to its devices
)

// SVG draws it.
func (d Duties) SVG() string {
	d.Height = dutyTop + dutyTall + 56
	c := d.open()
	middleX := d.Width / 2
	wide := measure(d.Starter)*labelBold + 40
	nodes := float64(len(d.Nodes))
	node := (d.Width - 2 - (nodes-1)*dutyGap) / nodes
	slot := (node - 2*dutyInset) / float64(d.PerNode)
	box := slot - 10
	c.within(middleX, 14, middle, "g-quiet", d.Control)
	fmt.Fprintf(c, `<rect class="g-slot" x="%s" y="24" width="%s" height="%s" rx="4"/>`, number(middleX-wide/2), number(wide), number(dutyHigh+2))
	c.text(middleX, 45, middle, "g-strong", d.Starter)
	devices := dutyTop + dutyDevice
	var first, last float64
	for i, name := range d.Nodes {
		left := 1 + float64(i)*(node+dutyGap)
		fmt.Fprintf(c, `<rect class="g-card" x="%s" y="%s" width="%s" height="%s" rx="6"/>`, number(left), number(dutyTop), number(node), number(dutyTall))
		c.text(left+dutyInset, dutyTop+dutyTall-10, start, "g-quiet", name)
		for k := range d.PerNode {
			x := left + dutyInset + float64(k)*slot + 5
			at := x + box/2
			c.line("g-drop", middleX, dutyHigh+26, at, dutyTop+22)
			c.box("g-slot", x, dutyTop+22, box, d.Process+strconv.Itoa(i*d.PerNode+k))
			c.line("g-axis", at, dutyTop+22+dutyHigh, at, devices)
			if i+k > 0 {
				c.line("g-line-accent", last, devices+dutyHigh/2, x, devices+dutyHigh/2)
			} else {
				first = x
			}
			c.box("g-slot", x, devices, box, d.Device)
			last = x + box
		}
	}
	below := dutyTop + dutyTall + 18
	fmt.Fprintf(c, `<path class="g-line-accent" d="M%s %sh12v%sH%sV%sh12"/>`,
		number(last), number(devices+dutyHigh/2), number(below-devices-dutyHigh/2), number(first-12), number(devices+dutyHigh/2))
	c.text(middleX, below+24, middle, "g-text-accent g-strong", d.Data)
	return c.close()
}

// box writes a box with words in its middle.
func (c *canvas) box(class string, x, y, width float64, words string) {
	fmt.Fprintf(c, `<rect class="%s" x="%s" y="%s" width="%s" height="%s" rx="3"/>`, class, number(x), number(y), number(width), number(dutyHigh))
	c.text(x+width/2, y+dutyHigh/2+5, middle, "", words)
}
