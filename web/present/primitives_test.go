package present

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"lockstep/engine/schedule"
	"lockstep/views/draw"
)

// TestPrimitivesAgreeWithTheSchedules plays every algorithm there is on four
// ranks and compares what the ranks hold before and after with the glyph of
// its collective.
func TestPrimitivesAgreeWithTheSchedules(t *testing.T) {
	compared := 0
	for _, entry := range schedule.Catalog() {
		for _, p := range primitives {
			if p.collective != entry.Collective {
				continue
			}
			s, err := schedule.Build(schedule.Request{Collective: entry.Collective, Algorithm: entry.Algorithm, Ranks: glyphRanks, Chunks: glyphRanks})
			if err != nil {
				t.Fatalf("%s %s: %v", entry.Collective, entry.Algorithm, err)
			}
			compared++
			for round, state := range s.Walk() {
				if round == 0 {
					if diff := cmp.Diff(grid(p.before), held(s, state, schedule.In)); diff != "" {
						t.Errorf("%s %s before (-glyph +schedule):\n%s", entry.Collective, entry.Algorithm, diff)
					}
				}
				if round == s.Rounds() {
					if diff := cmp.Diff(grid(p.after), held(s, state, schedule.Out)); diff != "" {
						t.Errorf("%s %s after (-glyph +schedule):\n%s", entry.Collective, entry.Algorithm, diff)
					}
				}
			}
		}
	}
	if compared == 0 {
		t.Error("no algorithm was compared")
	}
}

// Every block in the end has all flights that it is made of, from where the
// glyph shows them before: none is missing, none comes twice.
func TestFlightsBringWhatIsThereInTheEnd(t *testing.T) {
	for _, p := range primitives {
		type arrival struct{ rank, row int }
		came := map[arrival][]draw.Cell{}
		for _, f := range flights(p.collective, p.before) {
			for _, c := range f.Cells {
				if was := p.before(f.From, c.Row+f.Up); was != c.Cell || was.Fill == draw.Empty {
					t.Errorf("%s: a flight from rank %d carries %+v, there is %+v", p.collective, f.From, c.Cell, was)
				}
				at := arrival{f.To, c.Row}
				came[at] = append(came[at], c.Cell)
			}
		}
		for rank := range glyphRanks {
			for row := range glyphRanks {
				want := 0
				if p.after(rank, row).Fill == draw.Full {
					want = 1
					if p.before(0, 0).Fill == draw.Part {
						want = glyphRanks
					}
				}
				if got := came[arrival{rank, row}]; len(got) != want {
					t.Errorf("%s: into row %d of rank %d come %+v, want %d", p.collective, row, rank, got, want)
				}
			}
		}
	}
}

// held draws what one buffer of every rank holds.
func held(s *schedule.Schedule, state *schedule.State, buf schedule.Buf) draw.Grid {
	reduces := s.Collective == schedule.ReduceTo || s.Collective == schedule.ReduceScatter || s.Collective == schedule.AllReduce
	g := grid(func(int, int) draw.Cell { return draw.Cell{} })
	for rank := range s.Ranks {
		for chunk := range s.BufChunks(rank, buf) {
			for _, c := range state.Holds(rank, buf, chunk) {
				cell := draw.Cell{Fill: draw.Full, Hue: c.Piece * glyphRanks / s.Chunks}
				row := cell.Hue
				switch {
				case reduces && (c.First != 0 || c.Last != s.Ranks-1):
					cell.Fill, cell.Part = draw.Part, c.First
				case s.Collective == schedule.AllToAll:
					cell.Hue, row = c.First, chunk*glyphRanks/s.Chunks
				case s.Collective == schedule.Gather || s.Collective == schedule.AllGather:
					cell.Hue, row = c.First, c.First
				}
				g[rank][row] = cell
			}
		}
	}
	return g
}

func TestNamesAreThereInBothLanguages(t *testing.T) {
	for _, f := range frames(t) {
		for _, c := range schedule.Collectives() {
			wantMessage(t, f, collectiveMessage(c))
		}
		for _, entry := range schedule.Catalog() {
			wantMessage(t, f, "algorithm."+entry.Algorithm)
		}
		for outcome, kind := range outcomeKinds {
			wantMessage(t, f, "outcome."+string(outcome))
			if kind == "" {
				t.Errorf("%s has no shape", outcome)
			}
		}
	}
}

// wantMessage fails the test if the frame's language lacks the message.
func wantMessage(t *testing.T, f Frame, id string) {
	t.Helper()
	if f.Locale.T(id) == id {
		t.Errorf("%s lacks %s", f.Locale.Lang(), id)
	}
}
