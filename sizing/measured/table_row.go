package measured

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/hardware"
)

// most is the largest count that a cell may tell.
const most = 1 << 20

// row is a row of a table and what is to be said of it.
type row struct {
	table  *table
	cells  []string
	doubts []string // what was not told or not understood
}

func (r *row) warn(format string, args ...any) {
	r.doubts = append(r.doubts, fmt.Sprintf(format, args...))
}

// at is a cell; empty for a column that there is not.
func (r *row) at(name string) string {
	if i, found := r.table.column[name]; found && i < len(r.cells) {
		return strings.TrimSpace(r.cells[i])
	}
	return ""
}

// whole reads a count; 0 for a blank.
func (r *row) whole(name string) int {
	text := strings.ReplaceAll(r.at(name), ",", "")
	if text == "" {
		return 0
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 1 || v > most || v != math.Trunc(v) {
		r.warn("%s %q is not a whole number from 1 to %d", name, r.at(name), most)
		return 0
	}
	return int(v)
}

// words are the system of a row.
func (r *row) words() hardware.Words {
	w := hardware.Words{
		GPU: r.at("gpu"), IntraLink: r.at("intra_link"), InterLink: r.at("inter_link"), Ranks: r.whole("gpus_total"), Nodes: r.whole("nodes"), PerNode: r.whole("gpus_per_node"),
		Settings: strings.Join([]string{r.at("settings"), r.at("notes"), r.at("env"), r.at("algorithm_requested")}, " "),
	}
	if text := r.at("inter_gbps_per_node"); text != "" && !hardware.Blank(text) {
		perNode := w.PerNode
		if perNode == 0 && w.Nodes > 0 {
			perNode = (w.Ranks + w.Nodes - 1) / w.Nodes
		}
		rate, ok := hardware.NodeRate(text, perNode)
		if !ok || rate > 1e7 {
			r.warn("inter_gbps_per_node %q is not a rate in Gb/s above 0", text)
		} else {
			w.InterGbpsPerNode = rate
		}
	}
	return w
}

// answer predicts a row of the table; it has a cell for each added column.
func (t *table) answer(cells []string) []string {
	r := row{table: t, cells: cells}
	answer := make([]string, len(added))
	last := len(added) - 1
	if t.names(cells) {
		answer[last] = "the row names the columns again and is no case"
		return answer
	}
	notes := r.shape()
	words := r.words()
	is := t.understood(words)
	c := Case{System: is.system, Torch: strings.Contains(strings.ToLower(r.at("library")), "torch")}
	var spelled bool
	if c.Collective, spelled = ReadCollective(r.at("collective")); !spelled {
		r.warn("collective %q is not known; known are %s", r.at("collective"), collectiveNames())
	}
	if c.System.Ranks < 1 {
		r.warn("the number of ranks is not given: gpus_total is missing, and nodes and gpus_per_node do not tell it")
	}
	sized := r.size(&c)
	if !spelled || !sized || c.System.Ranks < 1 {
		answer[last] = strings.Join(append(r.doubts, notes...), "; ")
		return answer
	}
	for _, g := range c.System.Guesses {
		r.warn("%s", g.Message)
	}
	p := t.library.Price(c)
	if len(r.doubts) > 0 && p.Grade != Physics { // a cell was not understood
		p.Grade = Physics
		width := t.library.width(p.Grade, c)
		p.Low, p.High = p.Time*width[0], p.Time*width[1]
	}
	for _, d := range t.library.doubts(c) {
		notes = append(notes, d.Message)
	}
	bus := ""
	if c.Size > 0 && p.Time > 0 && c.System.Ranks > 1 {
		bus = figure(float64(c.Size) * c.Collective.BusFactor(c.System.Ranks) / p.Time / 1e3)
	}
	return []string{figure(p.Time), figure(p.Low), figure(p.High), bus, Algorithm(c, p.Breakdown), is.id, string(p.Grade), strings.Join(append(r.doubts, notes...), "; ")}
}

// names reports whether cells are the names of the columns: of tables that were
// put one behind the other.
func (t *table) names(cells []string) bool {
	for _, name := range needed {
		if i := t.column[name]; i >= len(cells) || !strings.EqualFold(strings.TrimSpace(cells[i]), name) {
			return false
		}
	}
	return true
}

// shape says what is odd about a row's cells, none of which is a guess.
func (r *row) shape() (notes []string) {
	if more := len(r.cells) - len(r.table.header); more > 0 {
		notes = append(notes, fmt.Sprintf("the row has %d cells more than the header names; they are left out", more))
	}
	for _, name := range needed {
		i, twice := r.table.twice[name]
		if !twice || i >= len(r.cells) {
			continue
		}
		if second := strings.TrimSpace(r.cells[i]); second != r.at(name) {
			notes = append(notes, fmt.Sprintf("the column %s stands twice, here with %q and %q; the first counts", name, r.at(name), second))
		}
	}
	return notes
}

// size reads the bytes of a case. A barrier has none and needs none.
func (r *row) size(c *Case) bool {
	text := r.at("size_bytes")
	switch size, err := readSize(text); {
	case c.Collective == schedule.Barrier && (text == "" || err == nil):
		return true
	case text == "":
		r.warn("size_bytes is missing")
		return false
	case err != nil:
		r.warn("size_bytes %q is not a size: %v", text, err)
		return false
	default:
		c.Size = size
	}
	if c.Collective == schedule.AllToAll && strings.Contains(strings.ToLower(r.at("library")+" "+r.at("id")), "osu") {
		c.Size *= unit.Bytes(max(c.System.Ranks, 1)) // what one sends to another, as OSU counts
	}
	return true
}

// largest is the size that is priced at most: with the most ranks it is still
// counted.
const largest = 1 << 42

// readSize reads bytes: a number, or one with a unit.
func readSize(text string) (unit.Bytes, error) {
	v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64)
	if err != nil {
		size, err := unit.ParseBytes(text)
		if err != nil {
			return 0, err
		}
		v = float64(size)
	}
	if !(v >= 0 && v <= largest) || v != math.Trunc(v) {
		return 0, fmt.Errorf("accepted are whole bytes from 0 to %d (4 TiB)", int64(largest))
	}
	return unit.Bytes(v), nil
}
