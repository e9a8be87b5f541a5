package measured

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/catalog"
	"lockstep/sizing/hardware"
)

// Columns that a table to predict must have, and those that are added to it.
var (
	needed = []string{"id", "collective", "gpu", "gpus_total", "nodes", "gpus_per_node", "intra_link", "inter_link", "inter_gbps_per_node", "size_bytes"}
	added  = []string{"predicted_time_us", "low_us", "high_us", "predicted_busbw_gbytes_per_s", "algorithm", "system_id", "grade", "warnings"}
)

// PredictTable reads a CSV of collectives on systems in people's words, a row
// each, and writes it with what each should take. All columns pass through. A
// cell that is blank or not understood is guessed, with a warning and a worse
// grade; a row that lacks its collective, its ranks or its size stays without a
// time. Its error says what the table lacks.
func (l *Library) PredictTable(in io.Reader, out io.Writer, known *catalog.Catalog) error {
	head := bufio.NewReader(in)
	if mark, _ := head.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = head.Discard(3) // what some spreadsheets put in front
	}
	r := csv.NewReader(head)
	r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, true
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the table is empty; its first line has to name the columns %s", strings.Join(needed, ", "))
	} else if err != nil {
		return fmt.Errorf("read the table's first line: %w", err)
	}
	column := map[string]int{}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := column[name]; !twice {
			column[name] = i
		}
	}
	var missing []string
	for _, name := range needed {
		if _, found := column[name]; !found {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("the table lacks the columns %s; needed are %s", strings.Join(missing, ", "), strings.Join(needed, ", "))
	}
	w := csv.NewWriter(out)
	if err := w.Write(slices.Concat(header, added)); err != nil {
		return err
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("read the table: %w", err)
		}
		for len(record) < len(header) {
			record = append(record, "")
		}
		record = record[:len(header)]
		answer := l.predictRow(func(name string) string {
			if i, found := column[name]; found {
				return strings.TrimSpace(record[i])
			}
			return ""
		}, known)
		if err := w.Write(slices.Concat(record, answer)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// predictRow answers a row; at reads its cells, empty for a column that there
// is not.
func (l *Library) predictRow(at func(string) string, known *catalog.Catalog) []string {
	var warnings []string
	warn := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	whole := func(name string) int {
		text := strings.ReplaceAll(at(name), ",", "")
		if text == "" {
			return 0
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v < 0 || v > 1<<20 || v != math.Trunc(v) {
			warn("%s %q is not a whole number up to %d", name, at(name), 1<<20)
			return 0
		}
		return int(v)
	}
	rate := 0.0
	if text := strings.ReplaceAll(at("inter_gbps_per_node"), ",", ""); text != "" {
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || !(v > 0) || v > 1e7 {
			warn("inter_gbps_per_node %q is not a rate in Gb/s", at("inter_gbps_per_node"))
		} else {
			rate = v
		}
	}
	settings := strings.Join([]string{at("settings"), at("notes"), at("env"), at("algorithm_requested")}, " ")
	words := hardware.Words{GPU: at("gpu"), IntraLink: at("intra_link"), InterLink: at("inter_link"), Ranks: whole("gpus_total"), Nodes: whole("nodes"),
		PerNode: whole("gpus_per_node"), InterGbpsPerNode: rate, Settings: settings}
	c := Case{System: hardware.Read(words), Torch: strings.Contains(strings.ToLower(at("library")), "torch")}
	var spelled bool
	if c.Collective, spelled = ReadCollective(at("collective")); !spelled {
		warn("collective %q is not known; known are %s", at("collective"), collectiveNames())
	}
	if c.System.Ranks < 1 {
		warn("the number of ranks is not given")
	}
	size, sized := readSize(at("size_bytes"))
	if !sized {
		warn("size_bytes %q is not a size", at("size_bytes"))
	}
	if !spelled || !sized || c.System.Ranks < 1 {
		return []string{"", "", "", "", "", "", "", strings.Join(warnings, "; ")}
	}
	c.Size = size
	if c.Collective == schedule.AllToAll && strings.Contains(strings.ToLower(at("library")+" "+at("id")), "osu") {
		c.Size *= unit.Bytes(c.System.Ranks) // what one sends to another, as OSU counts
	}
	for _, g := range c.System.Guesses {
		warn("%s", g.Message)
	}
	p := l.Predict(c)
	if len(warnings) > 0 {
		p.Grade = Physics
	}
	bus := ""
	if c.Size > 0 && p.Time > 0 && c.System.Ranks > 1 {
		bus = figure(float64(c.Size) * c.Collective.BusFactor(c.System.Ranks) / p.Time / 1e3)
	}
	return []string{figure(p.Time), figure(p.Low), figure(p.High), bus, Algorithm(c, p.Breakdown), known.Match(c.System), string(p.Grade), strings.Join(warnings, "; ")}
}

// readSize reads bytes: a number, or one with a unit.
func readSize(text string) (unit.Bytes, bool) {
	if v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64); err == nil {
		return unit.Bytes(v), v >= 0 && v < 1<<60
	}
	v, err := unit.ParseBytes(text)
	return v, err == nil
}

// figure prints a measurement with six digits, without an exponent.
func figure(v float64) string {
	short, err := strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	if err != nil {
		return ""
	}
	return strconv.FormatFloat(short, 'f', -1, 64)
}

func collectiveNames() string {
	var all []string
	for _, c := range schedule.Collectives() {
		all = append(all, string(c))
	}
	return strings.Join(all, ", ")
}
