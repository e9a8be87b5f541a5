package present

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"

	"lockstep/sizing/diagnose"
)

// diagnoseColumns are the columns of the table that can be downloaded.
var diagnoseColumns = []string{
	"table", "file", "tool", "collective", "ranks", "nodes", "gpu", "dtype", "op", "size_bytes", "count", "in_place", "time_us",
	"algbw_gbytes_per_s", "busbw_gbytes_per_s", "wrong", "expected_busbw_low_gbytes_per_s", "expected_busbw_high_gbytes_per_s", "verdict",
}

// WriteDiagnosisCSV writes every measurement of a report, a row each.
func WriteDiagnosisCSV(w io.Writer, r diagnose.Report) error {
	out := csv.NewWriter(w)
	if err := out.Write(diagnoseColumns); err != nil {
		return fmt.Errorf("write measurements: %w", err)
	}
	whole := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	real := func(v float64) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'g', 6, 64)
	}
	printed := func(v *float64) string { // where there is one, 0 included
		if v == nil {
			return ""
		}
		return strconv.FormatFloat(*v, 'g', 6, 64)
	}
	for i, f := range r.Files {
		expected := map[int64]diagnose.Band{}
		for _, b := range f.Expected.Curve {
			expected[b.Size] = b
		}
		for _, row := range f.Rows {
			count, wrong := "", ""
			if row.Count != nil {
				count = strconv.Itoa(*row.Count)
			}
			if row.Wrong != nil {
				wrong = strconv.Itoa(*row.Wrong)
			}
			b := expected[row.Size]
			if err := out.Write([]string{
				strconv.Itoa(i + 1), defused(f.File), string(f.Tool), string(f.Collective), whole(f.Ranks), whole(f.Nodes), defused(f.GPU), defused(f.DType), defused(f.Op),
				strconv.FormatInt(row.Size, 10), count, strconv.FormatBool(row.InPlace), printed(row.Time), printed(row.AlgBW), printed(row.BusBW), wrong,
				real(b.Low), real(b.High), string(f.Verdict),
			}); err != nil {
				return fmt.Errorf("write measurements: %w", err)
			}
		}
	}
	out.Flush()
	return out.Error()
}

// defused keeps a spreadsheet from taking a text for a formula.
func defused(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r", rune(text[0])) {
		return "'" + text
	}
	return text
}
