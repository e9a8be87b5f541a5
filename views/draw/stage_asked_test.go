package draw

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// askedStage is a stage of eight cards with a question, a guess and its truth.
func askedStage(layout StageLayout, narrow bool, cells int) Stage {
	s := Stage{Layout: layout, Narrow: narrow, ID: "s", PerNode: 4, Arcs: layout == RowLayout, Slots: 1, Parents: [][]int{{NoParent, 0, 0, 1, 1, 2, 2, 3}}}
	for rank := range 8 {
		card := Card{Name: "Rank", Short: fmt.Sprint(rank)}
		for block := range cells {
			card.Cells = append(card.Cells, BlockCell{Rank: rank, Block: block, Ticks: ticks("xxoooooo")})
		}
		s.Cards = append(s.Cards, card)
	}
	s.Asked = &Asked{
		About: []AskedPlace{{3, 2}, {3, WholeCard}}, GuessWord: "guess", TruthWord: "fact",
		Guess: []Move{{From: 3, To: 6, FromCell: 2, ToCell: 2, Block: 2}}, Truth: []Move{{From: 3, To: 4, FromCell: 1, ToCell: 1, Block: 1, More: true}},
		GuessRanks: []int{0, 7}, TruthRanks: []int{7},
	}
	return s
}

// Whatever the layout, a question points inside the drawing, says in a word
// which is the guess and which the truth, and hides nothing of the stage.
func TestStagesShowWhatIsAsked(t *testing.T) {
	box := regexp.MustCompile(`<rect(?: class="[^"]*")? x="(-?[\d.]+)" y="(-?[\d.]+)" width="(-?[\d.]+)" height="(-?[\d.]+)"`)
	for _, layout := range []StageLayout{RowLayout, RingLayout, StarLayout, TreeLayout, NodesLayout, SwitchLayout} {
		for _, narrow := range []bool{false, true} {
			for _, cells := range []int{4, 8, 20} {
				s := askedStage(layout, narrow, cells)
				name := fmt.Sprintf("layout %d, narrow %v, %d cells", layout, narrow, cells)
				drawn := s.SVG()
				stage, asked, found := strings.Cut(drawn, `<g class="asked">`)
				s.Asked = nil
				if plain := s.SVG(); !found || stage != strings.TrimSuffix(plain, `</svg>`) {
					t.Errorf("%s: the question changes the stage, or is not there", name)
				}
				for _, want := range []string{`class="asked-about"`, `class="asked-guess"`, `class="asked-truth"`} {
					if !strings.Contains(asked, want) {
						t.Errorf("%s lacks %s", name, want)
					}
				}
				words := strings.Contains(asked, ">guess 2<") && strings.Contains(asked, ">fact 1+<")
				signs := strings.Contains(asked, ">?2<") && strings.Contains(asked, ">✓1+<")
				if s.Arrows() != (words || signs) {
					t.Errorf("%s: arrows %v, but %s", name, s.Arrows(), asked)
				}
				f := s.form()
				for _, m := range box.FindAllStringSubmatch(asked, -1) {
					var a area
					if _, err := fmt.Sscan(strings.Join(m[1:], " "), &a.left, &a.top, &a.width, &a.height); err != nil {
						t.Fatal(err)
					}
					if a.left < 0 || a.top < 0 || a.width <= 0 || a.height <= 0 || a.right() > f.width || a.bottom() > f.height {
						t.Errorf("%s: %v leaves %v by %v", name, a, f.width, f.height)
					}
				}
			}
		}
	}
}

func TestAskedIsDrawn(t *testing.T) {
	for name, s := range map[string]Stage{"asked-ring": askedStage(RingLayout, false, 4), "asked-tree": askedStage(TreeLayout, true, 4), "asked-heat": askedStage(RingLayout, false, 20)} {
		_, asked, _ := strings.Cut(s.SVG(), `<g class="asked">`)
		golden(t, name, `<svg xmlns="http://www.w3.org/2000/svg"><g class="asked">`+asked)
	}
}
