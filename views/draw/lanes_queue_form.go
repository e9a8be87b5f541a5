package draw

import "fmt"

// QueueFrame is the view box of a queue.
func QueueFrame(narrow bool) Frame {
	if narrow {
		return Frame{Width: ColumnsNarrow, Height: 264}
	}
	return Frame{Width: ColumnsWidth, Height: 136}
}

// Lengths of a queue, in units of the view box.
const (
	queueTileH = 40.0
	queueBar   = 46.0 // height of a bar in the hub
)

// queueForm is where the parts of a queue stand.
type queueForm struct {
	key              string // of the tiles, whose places are its own
	slots            int    // so many of those who wait are drawn
	slot, tile       float64
	top, served      float64 // of all tiles; the left edge of the one who is served
	wait             float64 // from the tiles to the words about those who wait
	hub              area
	pipe, to, fro    string
	rate, active     spot
	rateAt, activeAt anchor
}

// form has the queue left of the hub, or above it.
func (q Queue) form() queueForm {
	if q.Narrow {
		f := queueForm{key: "tile-narrow", slots: 5, slot: 49, tile: 44, top: 8, served: q.Width - 48, wait: 30,
			hub: area{1, 128, q.Width - 2, q.Height - 129}, rateAt: end, activeAt: end}
		left, right, above := f.served-2, f.served+f.tile+2, f.top+queueTileH+6
		center := (left + right) / 2
		f.pipe = fmt.Sprintf("M%s %sV%sM%s %[2]sV%[3]s", number(left), number(above), number(f.hub.top), number(right))
		f.to = fmt.Sprintf("M%s %sV%sm-6-9l6 11l6-11", number(center), number(above+8), number(f.hub.top-10))
		f.fro = fmt.Sprintf("M%s %sV%sm-6 9l6-11l6 11", number(center), number(f.hub.top-8), number(above+10))
		f.rate, f.active = spot{left - 10, f.hub.top - 32}, spot{left - 10, f.hub.top - 12}
		return f
	}
	f := queueForm{key: "tile", slots: 7, slot: 57, tile: 50, top: 34, served: 434, wait: 32,
		hub: area{596, 1, q.Width - 597, q.Height - 2}, rateAt: middle, activeAt: middle}
	left, right := f.served+f.tile+8, f.hub.left
	center := f.top + queueTileH/2
	f.pipe = fmt.Sprintf("M%s %sH%sM%[1]s %[4]sH%[3]s", number(left), number(f.top), number(right), number(f.top+queueTileH))
	f.to = fmt.Sprintf("M%s %sH%sm-9-6l11 6l-11 6", number(left+8), number(center), number(right-10))
	f.fro = fmt.Sprintf("M%s %sH%sm9-6l-11 6l11 6", number(right-8), number(center), number(left+10))
	f.rate, f.active = spot{(left + right) / 2, f.top - 10}, spot{f.served + f.tile/2, f.top + queueTileH + 24}
	return f
}

// waiting is the place of somebody who waits behind so many others.
func (f queueForm) waiting(ahead int) spot {
	return spot{2 + float64(f.slots-1-ahead)*f.slot, f.top}
}
