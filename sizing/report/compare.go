package report

import (
	"slices"
	"strings"
)

// Comparison is in what two sheets of one language differ: a, the first, and b.
type Comparison struct {
	Inputs  []Part // what was asked, by what it is called
	Figures []Part // what came out, block by block
	Words   []Reworded
}

// Same says whether the two say the same.
func (c Comparison) Same() bool { return len(c.Inputs)+len(c.Figures)+len(c.Words) == 0 }

// Part is what differs in one block. Name is the heading that it stands under.
type Part struct {
	Key, Name string
	Aside     bool // it is about what was not asked for: other ways, other networks
	Changes   []Change
}

// Change is a figure or a cell that the two show differently.
type Change struct {
	Name   string // of the figure or of the row
	Column string // of the cell; empty where the row has but one
	A, B   *Cell  // nil where one has no such row
}

// Ratio is b as a part of a. ok is false where the two are no quantities of one
// unit, and where a is nothing.
func (c Change) Ratio() (ratio float64, ok bool) {
	if c.A == nil || c.B == nil || c.A.Number == nil || c.B.Number == nil || c.A.Unit != c.B.Unit || *c.A.Number == 0 {
		return 0, false
	}
	return *c.B.Number / *c.A.Number, true
}

// Reworded is a text or a list of which only one says some lines.
type Reworded struct {
	Key, Name    string
	Aside        bool // as of a Part
	OnlyA, OnlyB []string
}

// isAside tells the blocks that say what would be with something else. Most of
// what they hold differs as soon as anything does, and says the same again.
func isAside(key string) bool {
	switch key {
	case "layouts", "fabrics", "change", "changes", "even", "ways", "algorithms":
		return true
	}
	return false
}

// inputs is the key of the table of what was asked.
const inputs = "inputs"

// made is the key of the line that says which program computed a report, and
// when: two versions always differ in it.
const made = "made"

// Compare finds in what two sheets differ. Both are of the same language: what
// is called alike is taken to be the same.
func Compare(a, b Sheet) Comparison {
	var c Comparison
	for _, pair := range paired(a, b) {
		switch {
		case pair.key == made || pair.kind == Heading:
		case pair.kind == Figures || pair.kind == Grid:
			var changes []Change
			if pair.kind == Figures {
				changes = figureChanges(pair.a.Figures, pair.b.Figures)
			} else {
				changes = tableChanges(tableOf(pair.a), tableOf(pair.b))
			}
			switch {
			case len(changes) == 0:
			case pair.key == inputs:
				c.Inputs = append(c.Inputs, Part{Key: pair.key, Name: pair.name, Changes: changes})
			default:
				c.Figures = append(c.Figures, Part{Key: pair.key, Name: pair.name, Aside: isAside(pair.key), Changes: changes})
			}
		case pair.kind == Text || pair.kind == List || pair.kind == Note:
			before, after := linesOf(pair.a), linesOf(pair.b)
			said := Reworded{Key: pair.key, Name: pair.name, Aside: isAside(pair.key), OnlyA: without(before, after), OnlyB: without(after, before)}
			if len(said.OnlyA)+len(said.OnlyB) > 0 {
				c.Words = append(c.Words, said)
			}
		}
	}
	return c
}

// blockPair is a block as both sheets have it; one that a sheet lacks is empty.
type blockPair struct {
	kind      Kind
	key, name string
	a, b      Block
}

// paired finds for each block its like in the other sheet, in the order of the
// second sheet and then of the first. Notes of one key count as one block.
func paired(a, b Sheet) []blockPair {
	var all []blockPair
	add := func(s Sheet, into func(*blockPair) *Block) {
		name := ""
		for _, block := range s.Blocks {
			if block.Kind == Heading {
				name = block.Text
			}
			i := slices.IndexFunc(all, func(p blockPair) bool { return p.kind == block.Kind && p.key == block.Key })
			if i < 0 {
				all = append(all, blockPair{kind: block.Kind, key: block.Key, name: name})
				i = len(all) - 1
			}
			have := into(&all[i])
			if have.Kind == "" {
				*have = block
				continue
			}
			have.Items = append(linesOf(*have), linesOf(block)...)
			have.Text = ""
		}
	}
	add(b, func(p *blockPair) *Block { return &p.b })
	add(a, func(p *blockPair) *Block { return &p.a })
	return all
}

// linesOf are the lines of a text or a list.
func linesOf(b Block) []string {
	if b.Text != "" {
		return append([]string{b.Text}, b.Items...)
	}
	return slices.Clone(b.Items)
}

// without are the lines that others lack.
func without(lines, others []string) []string {
	return slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return slices.Contains(others, line) })
}

func tableOf(b Block) Table {
	if b.Table == nil {
		return Table{}
	}
	return *b.Table
}

func figureChanges(a, b []Figure) []Change {
	cells := func(all []Figure) []named {
		var list []named
		for _, f := range all {
			list = append(list, named{name: f.Label, cell: f.Value})
		}
		return list
	}
	return changes(cells(a), cells(b))
}

// tableChanges compares cell by cell. Formulas are left out: their figures say
// it.
func tableChanges(a, b Table) []Change {
	words := max(1, distinct(a), distinct(b))
	return changes(cellsOf(a, words), cellsOf(b, words))
}

// naming are the first columns of a table that may name its rows.
func naming(t Table) int {
	i := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Number || c.Formula })
	if i < 0 {
		i = min(1, len(t.Columns))
	}
	return i
}

// distinct is how many of the first cells it takes to tell the rows of a table
// apart, as far as cells without numbers can.
func distinct(t Table) int {
	most := naming(t)
	for n := 1; n < most; n++ {
		seen := map[string]bool{}
		for _, r := range t.Rows {
			seen[rowName(r, n)] = true
		}
		if len(seen) == len(t.Rows) {
			return n
		}
	}
	return most
}

// rowName joins the first cells of a row.
func rowName(r Row, words int) string {
	var parts []string
	for _, c := range r.Cells[:min(words, len(r.Cells))] {
		parts = append(parts, c.Text)
	}
	return strings.Join(parts, " · ")
}

// named is a cell, and what it is known by.
type named struct {
	name, column string
	again        int // how many cells before it are called the same
	cell         Cell
}

// cellsOf lists the cells of a table that are compared.
func cellsOf(t Table, words int) []named {
	compared := 0
	for i, c := range t.Columns {
		if i >= words && !c.Formula {
			compared++
		}
	}
	var all []named
	for _, r := range t.Rows {
		for i := words; i < min(len(t.Columns), len(r.Cells)); i++ {
			if t.Columns[i].Formula {
				continue
			}
			one := named{name: rowName(r, words), cell: r.Cells[i]}
			if compared > 1 {
				one.column = t.Columns[i].Name
			}
			all = append(all, one)
		}
	}
	return all
}

// changes pairs cells by what they are called, in the order of b and then of
// what only a has.
func changes(a, b []named) []Change {
	count(a)
	count(b)
	find := func(all []named, like named) *Cell {
		i := slices.IndexFunc(all, func(n named) bool {
			return n.name == like.name && n.column == like.column && n.again == like.again
		})
		if i < 0 {
			return nil
		}
		return &all[i].cell
	}
	var all []Change
	for i := range b {
		before := find(a, b[i])
		if before == nil || before.Text != b[i].cell.Text {
			all = append(all, Change{Name: b[i].name, Column: b[i].column, A: before, B: &b[i].cell})
		}
	}
	for i := range a {
		if find(b, a[i]) == nil {
			all = append(all, Change{Name: a[i].name, Column: a[i].column, A: &a[i].cell})
		}
	}
	return all
}

// count numbers the cells that are called the same.
func count(all []named) {
	type called struct{ name, column string }
	seen := map[called]int{}
	for i := range all {
		key := called{all[i].name, all[i].column}
		all[i].again = seen[key]
		seen[key]++
	}
}
