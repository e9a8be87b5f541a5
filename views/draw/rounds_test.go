package draw

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

var roundTestWords = RoundWords{
	Round: "round", Kinds: [4]string{"copy", "reduce", "multicast", "reduced by the network"}, Local: "local step",
	Summary: "a cell: what a rank sends (left half) and receives (right half) in a round; too many messages for arrows",
	Less:    "fewer blocks", More: "more", Left: "labels without room: {}",
}

// ringRounds is a ring: reduce once around, then copy once around.
func ringRounds(n int) Rounds {
	r := Rounds{Head: fmt.Sprintf("Ring & %d", n), Notes: []string{"all-reduce"}, Desc: "a ring", Source: "console schedule", Ranks: n, RankWord: "Rank", Count: 2 * (n - 1), Words: roundTestWords,
		Phases: []RoundPhase{{"reduce-scatter", 1, n - 1}, {"all-gather", n, 2 * (n - 1)}}}
	for round := 1; round <= r.Count; round++ {
		for rank := range n {
			block := ((rank-round)%n + n) % n
			t := RoundTransfer{Round: round, From: rank, To: (rank + 1) % n, Hue: block, Label: fmt.Sprint(block), Blocks: 1}
			if round < n {
				t.Kind = RoundReduce
			}
			r.Transfers = append(r.Transfers, t)
		}
	}
	return r
}

// directRounds has everyone send to everyone in one round.
func directRounds(n int) Rounds {
	r := Rounds{Head: "direct", Ranks: n, RankWord: "Rank", Count: 1, Words: roundTestWords, Phases: []RoundPhase{{"exchange", 1, 1}}}
	for from := range n {
		for to := range n {
			r.Transfers = append(r.Transfers, RoundTransfer{Round: 1, From: from, To: to, Hue: to, Label: fmt.Sprint(to), Blocks: 1})
		}
	}
	return r
}

// treeRounds broadcasts along a binomial tree, the farthest first.
func treeRounds(n int) Rounds {
	r := Rounds{Head: "binomial", Ranks: n, RankWord: "Rank", Words: roundTestWords}
	top := 1
	for top < n {
		top *= 2
	}
	for d := top / 2; d > 0; d /= 2 {
		r.Count++
		for from := 0; from+d < n; from += 2 * d {
			r.Transfers = append(r.Transfers, RoundTransfer{Round: r.Count, From: from, To: from + d, Label: "0", Blocks: 1})
		}
	}
	r.Phases = []RoundPhase{{"broadcast", 1, r.Count}}
	return r
}

// switchRounds lets the network reduce to everyone's own block, then copy it.
func switchRounds(n int) Rounds {
	r := Rounds{Head: "in network", Ranks: n, RankWord: "Rank", Count: 2, Words: roundTestWords, Phases: []RoundPhase{{"reduce", 1, 1}, {"copy", 2, 2}}}
	for block := range n {
		for rank := range n {
			r.Transfers = append(r.Transfers,
				RoundTransfer{Round: 1, From: rank, To: block, Hue: block, Label: fmt.Sprint(block), Kind: RoundNetReduce},
				RoundTransfer{Round: 2, From: block, To: rank, Hue: block, Label: fmt.Sprint(block), Kind: RoundMulticast})
		}
	}
	return r
}

func TestRounds(t *testing.T) {
	for name, r := range map[string]Rounds{
		"rounds-ring-2": ringRounds(2), "rounds-ring-4": ringRounds(4), "rounds-ring-8": ringRounds(8),
		"rounds-direct-4": directRounds(4), "rounds-tree-16": treeRounds(16), "rounds-tree-64": treeRounds(64),
		"rounds-switch-4": switchRounds(4), "rounds-one": {Head: "one", Ranks: 1, RankWord: "Rank", Words: roundTestWords},
	} {
		golden(t, name, r.SVG())
	}
}

// A picture stays within what a browser shows at ease, and says when it counts
// instead of drawing arrows.
func TestRoundsAreBounded(t *testing.T) {
	for _, n := range []int{1, 2, 3, 8, 16, 17, 33, 64, 128, 256} {
		for name, r := range map[string]Rounds{"ring": ringRounds(n), "direct": directRounds(n), "tree": treeRounds(n)} {
			svg, f := r.SVG(), r.form()
			if f.counts != strings.Contains(svg, roundTestWords.Summary) {
				t.Errorf("%s over %d ranks: counting is %v, the picture says otherwise", name, n, f.counts)
			}
			if len(svg) > 1<<20 {
				t.Errorf("%s over %d ranks: the picture has %d bytes", name, n, len(svg))
			}
			if f.width > 7000 || f.counts && f.width > roundMost+400 || f.counts && f.height > roundMost+200 {
				t.Errorf("%s over %d ranks: the picture is %v by %v", name, n, f.width, f.height)
			}
		}
	}
}

// Every arrow has its label, or the picture says how many have not.
func TestRoundLabels(t *testing.T) {
	for n := 2; n <= 16; n++ {
		for name, r := range map[string]Rounds{"ring": ringRounds(n), "direct": directRounds(n), "tree": treeRounds(n)} {
			svg := r.SVG()
			arrows := strings.Count(svg, `class="from"`)
			labels := strings.Count(svg, `class="tag"`)
			if said := strings.Contains(svg, fmt.Sprintf("labels without room: %d<", arrows-labels)); said != (arrows > labels) {
				t.Errorf("%s over %d ranks: %d arrows, %d labels, said: %v", name, n, arrows, labels, said)
			}
			if name != "direct" && labels < arrows {
				t.Errorf("%s over %d ranks: only %d of %d arrows have a label", name, n, labels, arrows)
			}
		}
	}
}

// The colours of a picture that leaves the console are the light ones of the
// tokens.
func TestRoundStyleUsesTheTokens(t *testing.T) {
	tokens, err := os.ReadFile("../../static/css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, colour := range regexp.MustCompile(`#[0-9a-f]{6}`).FindAllString(roundStyle, -1) {
		if !strings.Contains(string(tokens), "light-dark("+colour) {
			t.Errorf("%s is the light value of no token", colour)
		}
	}
}
