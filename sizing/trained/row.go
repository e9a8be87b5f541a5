package trained

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Row is a line of a table of training runs, in the columns of
// data/throughput.csv. Numbers that a table leaves blank are 0.
type Row struct {
	ID, Source, Address, Model, GPU, Precision, Metric, Unit, Notes string
	Billions                                                        float64 // parameters, as the table states them
	GPUs, TP, PP, DP, EP, CP                                        float64
	Sequence, Global, Micro                                         float64
	Value                                                           float64 // measured, in Unit; 0 where it is to be predicted
}

// columns are what a table must have, in no order.
var columns = []string{"model", "gpu", "gpus", "metric", "unit"}

// Table reads rows by the names of their columns, and hands on every line as it
// stands. Errors name the line.
type Table struct {
	Header []string
	Lines  [][]string
	at     map[string]int
}

// ReadTable reads a table with a header. Lines may be shorter or longer than
// the header.
func ReadTable(r io.Reader) (*Table, error) {
	in := csv.NewReader(r)
	in.FieldsPerRecord = -1
	in.LazyQuotes = true
	header, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("read the table's header: %w", err)
	}
	header[0] = strings.TrimPrefix(header[0], "\ufeff")
	t := &Table{Header: header, at: map[string]int{}}
	for i, name := range header {
		name = strings.ToLower(strings.TrimSpace(name))
		if _, twice := t.at[name]; twice {
			return nil, fmt.Errorf("read the table's header: column %q stands twice", name)
		}
		t.at[name] = i
	}
	var missing []string
	for _, name := range columns {
		if _, there := t.at[name]; !there {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("read the table's header: no column %s; needed are at least %s", strings.Join(missing, ", "), strings.Join(columns, ", "))
	}
	for {
		line, err := in.Read()
		if err == io.EOF {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("read the table: %w", err)
		}
		t.Lines = append(t.Lines, line)
	}
}

// cell is the text of a column, empty where the line has none.
func (t *Table) cell(line []string, name string) string {
	if i, there := t.at[name]; there && i < len(line) {
		return strings.TrimSpace(line[i])
	}
	return ""
}

// Row reads line i. bad names the columns whose text is no number.
func (t *Table) Row(i int) (r Row, bad []string) {
	line := t.Lines[i]
	number := func(name string) float64 {
		text := strings.ReplaceAll(t.cell(line, name), ",", "")
		if text == "" || slices.Contains([]string{"-", "n/a", "na", "none", "null", "?"}, strings.ToLower(text)) {
			return 0
		}
		v, err := strconv.ParseFloat(text, 64)
		if err != nil || v < 0 || v > 1e15 || v != v {
			bad = append(bad, name)
			return 0
		}
		return v
	}
	r = Row{
		ID: t.cell(line, "row"), Source: t.cell(line, "source"), Address: t.cell(line, "url_or_repo_path"), Model: t.cell(line, "model"),
		GPU: t.cell(line, "gpu"), Precision: t.cell(line, "precision"), Metric: strings.ToLower(t.cell(line, "metric")),
		Unit: t.cell(line, "unit"), Notes: t.cell(line, "notes"),
		Billions: number("params_b"), GPUs: number("gpus"), TP: number("tp"), PP: number("pp"), DP: number("dp"), EP: number("ep"), CP: number("cp"),
		Sequence: number("seq_len"), Global: number("global_batch"), Micro: number("micro_batch"), Value: number("value"),
	}
	return r, bad
}
