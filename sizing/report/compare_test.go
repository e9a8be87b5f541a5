package report

import (
	"testing"
)

// priced is a sheet of a step that takes some seconds.
func priced(seconds float64, text, fabric string, warnings ...string) Sheet {
	formula := Column{Name: "formula", Formula: true}
	s := Sheet{Blocks: []Block{
		{Kind: Heading, Key: "conclusions", Text: "Conclusions"},
		{Kind: Figures, Key: "figures", Figures: []Figure{{Label: "A step", Value: Quantity(text, seconds, "s")}, {Label: "Grade", Value: Said("B")}}},
		{Kind: List, Key: "advice", Items: []string{"ask for rails", fabric}},
		{Kind: Heading, Key: "sent", Text: "What communicates"},
		{Kind: Grid, Key: "sent", Table: &Table{
			Columns: []Column{{Name: "purpose"}, {Name: "collective"}, {Name: "time", Number: true}, {Name: "count", Number: true}, formula},
			Rows: []Row{
				{Cells: []Cell{Said("TP"), Said("all-gather"), Quantity(text, seconds, "s"), Quantity("4", 4, ""), Said(text)}},
				{Cells: []Cell{Said("TP"), Said("reduce-scatter"), Quantity("1 s", 1, "s"), Quantity("4", 4, ""), Said("")}},
			},
		}},
		{Kind: Heading, Key: "inputs", Text: "Input"},
		{Kind: Grid, Key: "inputs", Table: &Table{Columns: []Column{{Name: "item"}, {Name: "value"}}, Rows: []Row{{Cells: []Cell{Said("Fabric"), Said(fabric)}}}}},
		{Kind: Text, Key: "made", Text: "computed " + text},
	}}
	for _, w := range warnings {
		s.Blocks = append(s.Blocks, Block{Kind: Note, Key: "warnings", Text: w})
	}
	return s
}

func TestSheetIsTheSameAsItself(t *testing.T) {
	s := priced(2, "2 s", "RoCE", "slow", "narrow")
	if c := Compare(s, s); !c.Same() {
		t.Errorf("a sheet differs from itself: %+v", c)
	}
	other := priced(2, "2 s", "RoCE", "slow", "narrow")
	other.Blocks[len(other.Blocks)-3].Text = "computed by a later program"
	if c := Compare(s, other); !c.Same() {
		t.Errorf("the program that computed it is no difference: %+v", c)
	}
}

// Inputs, figures and words are told apart; rows that are named alike are told
// apart by their next words, and formulas are left to their figures.
func TestCompareTellsWhatDiffers(t *testing.T) {
	c := Compare(priced(2, "2 s", "RoCE", "slow"), priced(3, "3 s", "InfiniBand", "slow", "narrow"))
	if len(c.Inputs) != 1 || len(c.Inputs[0].Changes) != 1 || c.Inputs[0].Name != "Input" {
		t.Fatalf("inputs: %+v", c.Inputs)
	}
	if in := c.Inputs[0].Changes[0]; in.Name != "Fabric" || in.Column != "" || in.A.Text != "RoCE" || in.B.Text != "InfiniBand" {
		t.Errorf("input: %+v", in)
	}
	if len(c.Figures) != 2 || c.Figures[0].Name != "Conclusions" || c.Figures[1].Name != "What communicates" {
		t.Fatalf("figures: %+v", c.Figures)
	}
	for i, want := range []Change{{Name: "A step"}, {Name: "TP · all-gather", Column: "time"}} {
		got := c.Figures[i].Changes
		if len(got) != 1 || got[0].Name != want.Name || got[0].Column != want.Column {
			t.Errorf("figures of %s: %+v, want %+v alone", c.Figures[i].Name, got, want)
			continue
		}
		if ratio, ok := got[0].Ratio(); !ok || ratio != 1.5 {
			t.Errorf("%s: ratio %g, %v; want 1.5", want.Name, ratio, ok)
		}
	}
	if len(c.Words) != 2 {
		t.Fatalf("words: %+v", c.Words)
	}
	if advice := c.Words[0]; advice.Key != "advice" || len(advice.OnlyA) != 1 || advice.OnlyA[0] != "RoCE" || len(advice.OnlyB) != 1 || advice.OnlyB[0] != "InfiniBand" {
		t.Errorf("advice: %+v", advice)
	}
	if warned := c.Words[1]; warned.Key != "warnings" || len(warned.OnlyA) != 0 || len(warned.OnlyB) != 1 || warned.OnlyB[0] != "narrow" {
		t.Errorf("warnings: %+v", warned)
	}
}

// What is about other networks than the one asked for is told apart.
func TestCompareTellsWhatStandsAside(t *testing.T) {
	with := func(seconds float64, text string) Sheet {
		s := priced(seconds, text, "RoCE")
		return Sheet{Blocks: append(s.Blocks, Block{Kind: Heading, Key: "fabrics", Text: "Networks"},
			Block{Kind: Grid, Key: "fabrics", Table: &Table{Columns: []Column{{Name: "network"}, {Name: "time", Number: true}}, Rows: []Row{{Cells: []Cell{Said("NDR"), Quantity(text, seconds, "s")}}}}},
			Block{Kind: List, Key: "change", Items: []string{text}})}
	}
	c := Compare(with(2, "2 s"), with(3, "3 s"))
	aside := map[string]bool{}
	for _, p := range c.Figures {
		aside[p.Key] = p.Aside
	}
	for _, w := range c.Words {
		aside[w.Key] = w.Aside
	}
	for key, want := range map[string]bool{"figures": false, "sent": false, "fabrics": true, "change": true} {
		if got, differs := aside[key]; !differs || got != want {
			t.Errorf("%s: differs %v, aside %v; want %v", key, differs, got, want)
		}
	}
}

// What only one of the two has is a change too, and has no ratio.
func TestCompareKeepsWhatOneHasAlone(t *testing.T) {
	a, b := priced(2, "2 s", "RoCE"), priced(2, "2 s", "RoCE")
	b.Blocks = b.Blocks[:4]
	for _, swapped := range []bool{false, true} {
		if swapped {
			a, b = b, a
		}
		c := Compare(a, b)
		if len(c.Inputs) != 1 || len(c.Figures) != 1 || len(c.Figures[0].Changes) != 4 {
			t.Fatalf("swapped %v: %+v", swapped, c)
		}
		for _, ch := range c.Figures[0].Changes {
			if _, ok := ch.Ratio(); ok || (ch.A == nil) != swapped || (ch.B == nil) == swapped {
				t.Errorf("swapped %v: %+v", swapped, ch)
			}
		}
	}
}
