package present

import (
	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/draw"
)

// glyphRanks is the number of ranks in a glyph, and of blocks.
const glyphRanks = 4

// holding says what a rank holds of a block.
type holding func(rank, block int) draw.Cell

// primitives are the eight collectives in teaching order: the four that move
// data, the three that combine it, and the exchange. A test holds what they
// say before and after against the definitions in engine/schedule.
var primitives = []struct {
	collective    schedule.Collective
	before, after holding
}{
	{schedule.Broadcast, onRoot, everywhere},
	{schedule.Scatter, onRoot, onOwner},
	{schedule.Gather, onOwner, onRoot},
	{schedule.AllGather, onOwner, everywhere},
	{schedule.ReduceTo, contribution, onRoot},
	{schedule.ReduceScatter, contribution, onOwner},
	{schedule.AllReduce, contribution, everywhere},
	{schedule.AllToAll, bySender, everywhere},
}

func everywhere(_, block int) draw.Cell { return draw.Cell{Fill: draw.Full, Hue: block} }

func onRoot(rank, block int) draw.Cell {
	if rank != 0 {
		return draw.Cell{}
	}
	return draw.Cell{Fill: draw.Full, Hue: block}
}

func onOwner(rank, block int) draw.Cell {
	if rank != block {
		return draw.Cell{}
	}
	return draw.Cell{Fill: draw.Full, Hue: block}
}

func contribution(rank, block int) draw.Cell {
	return draw.Cell{Fill: draw.Part, Hue: block, Part: rank}
}

// bySender colours what rank r is about to send with r's own hue: after the
// exchange row s holds what rank s has sent.
func bySender(rank, _ int) draw.Cell { return draw.Cell{Fill: draw.Full, Hue: rank} }

func grid(at holding) draw.Grid {
	g := make(draw.Grid, glyphRanks)
	for rank := range g {
		g[rank] = make([]draw.Cell, glyphRanks)
		for block := range g[rank] {
			g[rank][block] = at(rank, block)
		}
	}
	return g
}

// presentPrimitives lists the eight with their names in both languages.
func presentPrimitives(f Frame) []views.Primitive {
	var all []views.Primitive
	for _, p := range primitives {
		name := collectiveMessage(p.collective)
		all = append(all, views.Primitive{
			Name:     f.Locale.T(name),
			Other:    f.Other.T(name),
			OtherTag: f.Other.Tag(),
			Line:     f.Locale.T(name + ".line"),
			Glyph:    livingGlyph(p.collective, p.before, p.after),
			URL:      primitiveURL(f, p.collective),
		})
	}
	return all
}

// primitiveURL is the address of a collective's lesson: by its ring where it has
// one, else by its first algorithm; empty where there is none.
func primitiveURL(f Frame, c schedule.Collective) string {
	url := ""
	for _, e := range schedule.Catalog() {
		if e.Collective == c && (url == "" || e.Algorithm == "ring") {
			url = f.homeURL() + lessonPath(e)
		}
	}
	return url
}
