package trained

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// added are the columns that PredictTable appends.
var added = []string{"predicted", "low", "high", "predicted_unit", "grade", "warnings"}

// PredictTable reads a table of runs and writes it with what each row should
// measure, in its own unit and metric. A row that cannot be predicted keeps
// these columns empty but for the reason. Errors are of the table as a whole.
func (m *Model) PredictTable(in io.Reader, out io.Writer, reader *Reader) error {
	t, err := ReadTable(in)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	if err := w.Write(append(append([]string{}, t.Header...), added...)); err != nil {
		return fmt.Errorf("write the table: %w", err)
	}
	for i, line := range t.Lines {
		full := make([]string, max(len(line), len(t.Header)), max(len(line), len(t.Header))+len(added))
		copy(full, line)
		row, bad := t.Row(i)
		if err := w.Write(append(full, m.cells(reader, row, bad)...)); err != nil {
			return fmt.Errorf("write the table: %w", err)
		}
	}
	w.Flush()
	return w.Error()
}

// cells are a row's added columns.
func (m *Model) cells(reader *Reader, row Row, bad []string) []string {
	empty := func(reason string) []string { return []string{"", "", "", "", "", reason} }
	if len(bad) > 0 {
		return empty("no number in " + strings.Join(bad, ", "))
	}
	run, err := reader.Read(row)
	if err != nil {
		var lacks *Unreadable
		if errors.As(err, &lacks) {
			return empty(lacks.Error())
		}
		return empty(err.Error())
	}
	value, low, high, grade, err := m.value(run)
	if err != nil {
		return empty(err.Error())
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	warnings := make([]string, len(run.Guessed))
	for i, g := range run.Guessed {
		warnings[i] = string(g)
	}
	return []string{number(value), number(low), number(high), row.Unit, string(grade), strings.Join(warnings, "; ")}
}

// value is a run's prediction in its row's metric and unit.
func (m *Model) value(r Run) (value, low, high float64, grade Grade, err error) {
	of, _, known := r.scale()
	if !known {
		return 0, 0, 0, "", fmt.Errorf("unit %q is not one of metric %q; known are s, ms, min, GPU-hours, tokens/s/GPU, TFLOP/s/GPU, percent, GiB", r.Row.Unit, r.Row.Metric)
	}
	if Metric(r.Row.Metric) == PeakMemory {
		a := PredictMemory(r)
		return a.Bytes * of, a.Low * of, a.High * of, a.Grade, nil
	}
	a := m.Predict(r)
	in := func(seconds float64) (float64, bool) {
		if v, ok := r.Value(seconds); ok {
			return v, true
		}
		v, ok := r.long(seconds)
		return v * of, ok
	}
	value, ok := in(a.Seconds)
	if !ok {
		return 0, 0, 0, "", fmt.Errorf("metric %q is not predicted; predicted are step_time, iteration_time, throughput_per_gpu, model_tflops_per_gpu, hardware_tflops_per_gpu, mfu, peak_memory, and time_to_train and gpu_hours where the row tells how long", r.Row.Metric)
	}
	low, _ = in(a.Low)
	high, _ = in(a.High)
	return value, min(low, high), max(low, high), a.Grade, nil
}
