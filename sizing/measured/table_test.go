package measured

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"lockstep/sizing/catalog"
)

// predictTable predicts a table and returns its rows by the names of columns,
// of two with one name the last.
func predictTable(t testing.TB, text string) (rows []map[string]string, out string, err error) {
	t.Helper()
	l, err := NewLibrary()
	if err != nil {
		t.Fatal(err)
	}
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var buffer bytes.Buffer
	if err := l.PredictTable(strings.NewReader(text), &buffer, known); err != nil {
		return nil, "", err
	}
	out = buffer.String()
	r := csv.NewReader(strings.NewReader(out))
	if head, _, _ := strings.Cut(out, "\n"); !strings.Contains(head, ",") {
		r.Comma = ';'
		if strings.Contains(head, "\t") {
			r.Comma = '\t'
		}
	}
	all, err := r.ReadAll()
	if err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	for _, record := range all[1:] {
		row := map[string]string{}
		for i, name := range all[0] {
			row[name] = record[i]
		}
		rows = append(rows, row)
	}
	return rows, out, nil
}

const tableHead = "id,collective,gpu,gpus_total,nodes,gpus_per_node,intra_link,inter_link,inter_gbps_per_node,size_bytes"

// TestTableRows: odd rows as real tables have them, what each is taken for, and
// that a doubt is said. A want of "-" is a cell that is empty.
func TestTableRows(t *testing.T) {
	for _, c := range []struct{ row, grade, system, warns string }{
		// What is whole is not doubted.
		{"a,all_reduce,H100-SXM5-80GB,8,1,8,NVLink4 NVSwitch,,,1073741824", "B", "dgx-h100", "-"},
		{"a,all_reduce,H100,8,1,8,,,,1GiB", "B", "dgx-h100", "-"},
		{"a,AllReduce,8xH100 SXM5,16,2,8,NVSwitch,8x400G IB NDR,,256MiB", "C", "dgx-h100", "-"},
		{"a,all_reduce,H100,16,2,8,,2x 400Gb NDR per GPU,,1GiB", "C", "dgx-h100", "-"},
		{`a,all_reduce,H100,16,2,8,,IB NDR,"3,200",1GiB`, "C", "dgx-h100", "-"},
		{"a,all_reduce,H100,16,2,8,,IB NDR,3200 Gb/s,1GiB", "C", "dgx-h100", "-"},
		{"a,all_reduce,H100,16,2,8,,IB NDR,8x400,1GiB", "C", "dgx-h100", "-"},
		{"a,allreduce,H100,1,1,1,,,,1GiB", "BC", "dgx-h100", "-"},
		{"a,all_reduce,H100,15,3,5,,IB NDR,2000,1GiB", "BC", "", "-"},
		{"a,all_reduce,GB200 NVL72,36,9,4,NVL72,,,1GiB", "BC", "gb200-nvl72", "-"},
		{"a,all_reduce,GB200 NVL72,72,18,4,NVL72,,,1GiB", "BC", "gb200-nvl72", "-"},
		{"a,all_reduce,A100,16,2,8,,Slingshot 11 4x200G,,1GiB", "C", "-", "-"},
		{"a,all_reduce,H100,8,1,8,,,,0", "BC", "dgx-h100", "-"}, {"a,all_reduce,H100,8,1,8,,,,1", "BC", "dgx-h100", "-"}, {"a,barrier,H100,8,1,8,,,,", "C", "dgx-h100", "borrowed"},
		{"a,all_reduce,H100,8,1,8,,,,1TiB", "D", "dgx-h100", "extrapolation"},
		// What is told in other words, or not at all.
		{"a,all_reduce,H100,16,3,8,,IB NDR,3200,1GiB", "D", "dgx-h100", "16 ranks do not fill 3 nodes of 8"},
		{"a,all_reduce,H100,0,2,8,,IB NDR,3200,1GiB", "D", "dgx-h100", `gpus_total "0"`},
		{"a,all_reduce,H100,,,8,,IB NDR,3200,1GiB", "-", "-", "the number of ranks is not given"},
		{"a,all_reduce,H100,-8,1,8,,,,1GiB", "D", "dgx-h100", `gpus_total "-8"`},
		{"a,all_reduce,H100,8.5,1,8,,,,1GiB", "D", "dgx-h100", `gpus_total "8.5"`},
		{"a,all_reduce,H100,16,2,8,,IB NDR,0,1GiB", "D", "dgx-h100", `inter_gbps_per_node "0"`},
		{"a,all_reduce,H100,16,2,8,,IB NDR,fast,1GiB", "D", "dgx-h100", `inter_gbps_per_node "fast"`},
		{"a,all_reduce,H100,16,2,8,,IB NDR,n/a,1GiB", "D", "dgx-h100", "rate is not given"},
		{"a,all_reduce,H100,16,2,8,,,,1GiB", "D", "dgx-h100", "network between nodes is not given"},
		{"a,all_reduce,,8,1,8,,,,1GiB", "D", "-", "the accelerator is not named"},
		{"a,all_reduce,Gaudi 3,8,1,8,,,,1GiB", "D", "gaudi3-8", "-"}, {"a,all_reduce,Gaudi2,16,2,8,,RoCE,2400,1GiB", "D", "gaudi2-hls2", "-"},
		{"a,all_reduce,Ascend 910B,16,2,8,HCCS,RoCE 8x200G,,1GiB", "D", "atlas-800t-a2", "-"}, {"a,all_reduce,Ascend910C,8,1,8,HCCS,,,1GiB", "D", "atlas-800t-a3", "-"},
		{"a,all_reduce,TPU v5p,8,2,4,ICI,,,1GiB", "D", "-", "network between nodes"}, {"a,all_reduce,Trainium2,32,2,16,NeuronLink,EFA,3200,1GiB", "D", "trn2-48xl", "-"},
		{"a,all_reduce,H100 NVL,8,1,8,NVLink bridge,,,1GiB", "D", "", "bridges join 2 cards"},
		{"a,all_reduce,A100-SXM4-80GB,16,2,8,,Omni-Path 100,,1GiB", "D", "jean-zay-a100", "rate is not given"},
		{"a,all_reduce,A100-SXM4-80GB,16,2,8,,EDR 100,,1GiB", "D", "hgx-a100-4nic", "rate is not given"},
		{"a,all_reduce,MI325X,8,1,8,,,,1GiB", "BC", "mi325x-8", "-"},
		{"a,reduce,H100,8,1,8,,,,1GiB", "C", "dgx-h100", "borrowed"}, {"a,sendrecv,H100,16,2,8,,IB NDR,3200,1GiB", "C", "dgx-h100", "borrowed"}, {"a,gather,H100,16,2,8,,IB NDR,3200,1GiB", "D", "dgx-h100", "borrowed"},
		{"a,all_reduce,H100,800000,100000,8,,IB NDR,3200,1GiB", "D", "dgx-h100", "extrapolation"},
		{"a,all_reduce,H100,8,1,8,,,,-1", "-", "-", "size_bytes"}, {"a,all_reduce,H100,8,1,8,,,,64G", "-", "-", "64GB"}, {"a,all_reduce,H100,8,1,8,,,,NaN", "-", "-", "size_bytes"}, {"a,all_reduce,H100,8,1,8,,,,1e300", "-", "-", "4 TiB"},
		{"a,all_reduce,H100,8,1,8,,,,1.5", "-", "-", "whole bytes"}, {"a,all_reduce,H100,8,1,8,,,,", "-", "-", "size_bytes is missing"}, {"a,gossip,H100,8,1,8,,,,8", "-", "-", `collective "gossip" is not known`},
		// Broken lines.
		{"a,all_reduce,H100,8", "-", "-", "size_bytes is missing"}, {"a,all_reduce,H100,8,1,8,,,,8,x,y", "BC", "dgx-h100", "2 cells more"}, {tableHead, "-", "-", "names the columns again"},
		{"\"a\nb\",all_reduce,\"H100\nSXM\",8,1,8,,,,8", "BC", "dgx-h100", "-"}, {`"a ""b""",all_reduce,H100,8,1,8,,,,8`, "BC", "dgx-h100", "-"}, {`a,all_reduce,H100 "SXM",8,1,8,,,,8`, "BC", "dgx-h100", "-"},
	} {
		rows, _, err := predictTable(t, tableHead+"\n"+c.row+"\n")
		if err != nil || len(rows) != 1 {
			t.Errorf("%q: %d rows, %v", c.row, len(rows), err)
			continue
		}
		r := rows[0]
		empty := func(text string) string {
			if text == "-" {
				return ""
			}
			return text
		}
		low, _ := strconv.ParseFloat(r["low_us"], 64)
		time, _ := strconv.ParseFloat(r["predicted_time_us"], 64)
		high, _ := strconv.ParseFloat(r["high_us"], 64)
		switch {
		case c.grade == "-" && (r["predicted_time_us"] != "" || r["grade"] != ""), c.grade != "-" && (r["grade"] == "" || !strings.Contains(c.grade, r["grade"]) || !(0 < low && low <= time && time <= high)),
			c.system != "" && r["system_id"] != empty(c.system), c.warns == "-" && r["warnings"] != "", !strings.Contains(r["warnings"], empty(c.warns)):
			t.Errorf("%q:\n %s us (%s to %s), %s, %q, %q; want %s, %q, %q", c.row, r["predicted_time_us"], r["low_us"], r["high_us"], r["grade"], r["system_id"], r["warnings"], c.grade, c.system, c.warns)
		}
	}
}

// TestTableForms: what spreadsheets make of a table changes no figure.
func TestTableForms(t *testing.T) {
	const row = "a,all_reduce,H100,16,2,8,,IB NDR,3200,1073741824"
	plain, _, err := predictTable(t, tableHead+"\n"+row+"\n")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"BOM": "\xef\xbb\xbf" + tableHead + "\n" + row + "\n", "CRLF": tableHead + "\r\n" + row + "\r\n", "no last line's end": tableHead + "\n" + row, "blank lines": tableHead + "\n\n" + row + "\n\n",
		"semicolons": strings.ReplaceAll(tableHead+"\n"+row, ",", ";"), "tabs": strings.ReplaceAll(tableHead+"\n"+row, ",", "\t"), "capitals": strings.ToUpper(tableHead) + "\n" + row, "blanks": strings.ReplaceAll(tableHead, ",", " , ") + "\n" + strings.ReplaceAll(row, ",", " , "),
		"more columns": "mine," + tableHead + ",algorithm\nx," + row + ",Ring", "another order": "size_bytes,id,collective,gpu,gpus_total,nodes,gpus_per_node,intra_link,inter_link,inter_gbps_per_node\n1073741824,a,all_reduce,H100,16,2,8,,IB NDR,3200",
	} {
		rows, out, err := predictTable(t, text)
		if err != nil || len(rows) != 1 || rows[0]["predicted_time_us"] == "" {
			t.Errorf("%s: %v\n%s", name, err, out)
			continue
		}
		for _, column := range added {
			if rows[0][column] != plain[0][column] {
				t.Errorf("%s: %s is %q; plainly %q", name, column, rows[0][column], plain[0][column])
			}
		}
	}
	if rows, _, err := predictTable(t, tableHead+",gpu\n"+row+",A100\n"); err != nil || rows[0]["predicted_time_us"] != plain[0]["predicted_time_us"] || !strings.Contains(rows[0]["warnings"], `the column gpu stands twice, here with "H100" and "A100"`) {
		t.Errorf("a column twice: %v, %v", rows, err)
	}
	for text, want := range map[string]string{"": "empty", "\xff\xfei\x00": "UTF-16", "a,b\n": "lacks the columns id, collective", strings.Replace(tableHead, "nodes,", "", 1) + "\n": "lacks the columns nodes; needed are"} {
		if _, _, err := predictTable(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v; want %q", text, err, want)
		}
	}
}

// TestLongTables: a hundred thousand rows take about as long each as ten
// thousand, so that a long table is a matter of seconds.
func TestLongTables(t *testing.T) {
	if raceEnabled {
		t.Skip("a matter of time alone")
	}
	take := func(rows int) time.Duration {
		var text strings.Builder
		text.WriteString(tableHead + "\n")
		for i := range rows {
			fmt.Fprintf(&text, "r%d,all_reduce,H100,%d,%d,8,,IB NDR 8x400G,,%d\n", i, 8*(1+i%64), 1+i%64, 1024*(1+i))
		}
		start := time.Now()
		if got, _, err := predictTable(t, text.String()); err != nil || len(got) != rows {
			t.Fatalf("%d rows, %v", len(got), err)
		}
		return time.Since(start)
	}
	few, many := take(10_000), take(100_000)
	t.Logf("10,000 rows in %v, 100,000 in %v", few, many)
	if many > 40*few {
		t.Errorf("100,000 rows take %v, 10,000 take %v", many, few)
	}
}
