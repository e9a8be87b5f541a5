package sweep

import (
	"encoding/csv"
	"io"
	"strconv"
)

// columns of a comparison as CSV.
var columns = []string{
	"size_bytes", "collective", "ranks", "dtype", "op", "backend", "algorithm", "library", "link", "run", "outcome", "verified",
	"time_min_s", "time_median_s", "time_p95_s", "algbw_gbytes_per_s", "busbw_gbytes_per_s", "predicted_s", "reason",
}

// WriteCSV writes the comparison as a table with a row for each of its points.
// What is not known is empty.
func (d Document) WriteCSV(w io.Writer) error {
	table := csv.NewWriter(w)
	if err := table.Write(columns); err != nil {
		return err
	}
	for _, p := range d.Points {
		row := []string{
			strconv.FormatInt(int64(p.Size), 10), string(d.Collective), strconv.Itoa(d.Ranks), string(d.DType), string(d.Op), string(p.Backend), p.Algorithm, "",
			string(p.Link), p.Run, string(p.Outcome), strconv.FormatBool(p.Verified), "", "", "", figure(p.AlgBW), figure(p.BusBW), figure(p.Predicted), string(p.Left),
		}
		if p.Library != nil {
			row[7] = p.Library.Name + " " + p.Library.Version
		}
		if p.Times != nil {
			row[12], row[13], row[14] = figure(p.Times.Min), figure(p.Times.Median), figure(p.Times.P95)
		}
		if err := table.Write(row); err != nil {
			return err
		}
	}
	table.Flush()
	return table.Error()
}

// figure writes a number that may be unknown.
func figure(v float64) string {
	if v == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}
