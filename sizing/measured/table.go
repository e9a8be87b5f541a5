package measured

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/sizing/catalog"
	"lockstep/sizing/hardware"
)

// Columns that a table to predict must have, and those that are added to it.
var (
	needed = []string{"id", "collective", "gpu", "gpus_total", "nodes", "gpus_per_node", "intra_link", "inter_link", "inter_gbps_per_node", "size_bytes"}
	added  = []string{"predicted_time_us", "low_us", "high_us", "predicted_busbw_gbytes_per_s", "algorithm", "system_id", "grade", "warnings"}
)

// PredictTable reads a CSV of collectives on systems in people's words, a row
// each, and writes it with what each should take, in the delimiter of the
// table: a comma, a semicolon or a tab. All columns pass through. A cell that is
// blank or not understood is guessed, with a warning and a worse grade; a row
// that lacks its collective, its ranks or its size stays without a time. Its
// error says what the table lacks.
func (l *Library) PredictTable(in io.Reader, out io.Writer, known *catalog.Catalog) error {
	text := bufio.NewReader(in)
	if mark, _ := text.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = text.Discard(3) // what some spreadsheets put in front
	} else if bytes.HasPrefix(mark, []byte("\xff\xfe")) || bytes.HasPrefix(mark, []byte("\xfe\xff")) {
		return errors.New("the table is UTF-16; save it as CSV UTF-8")
	}
	r := csv.NewReader(text)
	r.Comma = delimiter(text)
	r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = -1, true, r.Comma != '\t'
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("the table is empty; its first line has to name the columns %s", strings.Join(needed, ", "))
	} else if err != nil {
		return fmt.Errorf("read the table's first line: %w", err)
	}
	t, err := l.newTable(header, known)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	w.Comma = r.Comma
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
		answer := t.answer(record)
		for len(record) < len(header) {
			record = append(record, "")
		}
		if err := w.Write(slices.Concat(record[:len(header)], answer)); err != nil {
			return err
		}
	}
	w.Flush()
	return w.Error()
}

// delimiter is what divides the names of the first line.
func delimiter(text *bufio.Reader) rune {
	line, _ := text.Peek(4096) // what there is; names stand at the beginning
	if i := bytes.IndexAny(line, "\r\n"); i >= 0 {
		line = line[:i]
	}
	if !bytes.ContainsRune(line, ',') {
		for _, d := range ";\t" {
			if bytes.ContainsRune(line, d) {
				return d
			}
		}
	}
	return ','
}

// table is a table that is being predicted: where its columns stand, and what
// its words have been read as.
type table struct {
	library *Library
	known   *catalog.Catalog
	header  []string // plain names
	column  map[string]int
	twice   map[string]int // the second place of a needed column
	read    map[hardware.Words]reading
}

// reading is a system and the catalogue's that it is like. Rows of a table
// repeat their words, and reading them takes longer than all the rest.
type reading struct {
	system hardware.System
	id     string
}

func (l *Library) newTable(header []string, known *catalog.Catalog) (*table, error) {
	t := &table{library: l, known: known, column: map[string]int{}, twice: map[string]int{}, read: map[hardware.Words]reading{}}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		t.header = append(t.header, name)
		if _, there := t.column[name]; !there {
			t.column[name] = i
		} else if _, third := t.twice[name]; !third && slices.Contains(needed, name) {
			t.twice[name] = i
		}
	}
	var missing []string
	for _, name := range needed {
		if _, found := t.column[name]; !found {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the table lacks the columns %s; needed are %s", strings.Join(missing, ", "), strings.Join(needed, ", "))
	}
	return t, nil
}

// understood is what words describe.
func (t *table) understood(w hardware.Words) reading {
	r, known := t.read[w]
	if !known {
		r.system = hardware.Read(w)
		r.id = t.known.Match(r.system)
		t.read[w] = r
	}
	return r
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
