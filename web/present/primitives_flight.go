package present

import (
	"lockstep/engine/schedule"
	"lockstep/views/draw"
)

// livingGlyph draws what a collective does, with what flies from before to
// after: for each block in the end, the contributions that a schedule of the
// collective has brought there.
func livingGlyph(c schedule.Collective, before, after holding) string {
	return draw.BeforeAfter(grid(before), grid(after), flights(c, before)...)
}

// flights plays the first algorithm of a collective; none where there is none.
func flights(c schedule.Collective, before holding) []draw.Flight {
	for _, e := range schedule.Catalog() {
		if e.Collective != c {
			continue
		}
		s, err := schedule.Build(schedule.Request{Collective: c, Algorithm: e.Algorithm, Ranks: glyphRanks, Chunks: glyphRanks})
		if err != nil {
			return nil
		}
		for step, state := range s.Walk() {
			if step == s.Rounds() {
				return arrivals(s, state, before)
			}
		}
	}
	return nil
}

// arrivals lists where everything that the ranks hold in the end comes from.
func arrivals(s *schedule.Schedule, end *schedule.State, before holding) []draw.Flight {
	type way struct{ from, to, up int }
	type cell struct{ from, to, row, source int }
	var all []draw.Flight
	place, seen := map[way]int{}, map[cell]bool{}
	gathers := s.Collective == schedule.Gather || s.Collective == schedule.AllGather
	for rank := range s.Ranks {
		for chunk := range s.BufChunks(rank, schedule.Out) {
			for _, held := range end.Holds(rank, schedule.Out, chunk) {
				for from := held.First; from <= held.Last; from++ {
					source := held.Piece * glyphRanks / s.Chunks
					row := source
					switch {
					case gathers: // a rank's own block lies in its own row
						source, row = from, from
					case s.Collective == schedule.AllToAll:
						row = from
					}
					at := cell{from, rank, row, source}
					if seen[at] { // another chunk of the same block
						continue
					}
					seen[at] = true
					w := way{from, rank, source - row}
					if _, known := place[w]; !known {
						place[w] = len(all)
						all = append(all, draw.Flight{From: from, To: rank, Up: source - row})
					}
					f := &all[place[w]]
					f.Cells = append(f.Cells, draw.Flown{Row: row, Cell: before(from, source)})
				}
			}
		}
	}
	return all
}
