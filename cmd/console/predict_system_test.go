package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestPredictATable(t *testing.T) {
	table := "\xef\xbb\xbfid,library,collective,gpu,gpus_total,nodes,gpus_per_node,intra_link,inter_link,inter_gbps_per_node,size_bytes,mine\n" +
		`a,nccl-tests,all_reduce,H100-SXM5-80GB,8,1,8,NVLink4 NVSwitch,,,1073741824,"x, y"` + "\n" +
		"b,nccl-tests,AllGather,8x NVIDIA B200,16,2,8,,RoCE CX7,3200,1GiB,\n" +
		"c,,sendrecv,something,4,,,,,,64MiB,\n" +
		"d,,,H100,8,1,8,,,,1024,\n" +
		"e,,all_reduce,H100,,,,,,,1024,\n" +
		"f,,all_reduce,H100,8,1,8,,,,,\n" +
		"g,OSU osu_alltoall,all_to_all,GH200,4,4,1,,IB NDR,400,1024\n"
	status, out, errs := console(t, t.TempDir(), "predict", "--csv", written(t, "in.csv", table))
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Join(rows[0], ",")
	if head != "id,library,collective,gpu,gpus_total,nodes,gpus_per_node,intra_link,inter_link,inter_gbps_per_node,size_bytes,mine,"+
		"predicted_time_us,low_us,high_us,predicted_busbw_gbytes_per_s,algorithm,system_id,grade,warnings" {
		t.Errorf("header %s", head)
	}
	cell := func(row int, name string) string {
		for i, n := range rows[0] {
			if n == name {
				return rows[row][i]
			}
		}
		return "no such column"
	}
	number := func(row int, name string) float64 {
		v, err := strconv.ParseFloat(cell(row, name), 64)
		if err != nil {
			t.Errorf("row %d, %s: %q", row, name, cell(row, name))
		}
		return v
	}
	if bus := number(1, "predicted_busbw_gbytes_per_s"); bus < 400 || bus > 520 || cell(1, "grade") != "B" || cell(1, "mine") != "x, y" || cell(1, "algorithm") != "in-network" || cell(1, "warnings") != "" {
		t.Errorf("8 × H100: %q", rows[1])
	}
	if cell(2, "grade") == "D" || cell(2, "system_id") == "" || number(2, "low_us") >= number(2, "predicted_time_us") || number(2, "high_us") <= number(2, "predicted_time_us") {
		t.Errorf("2 × 8 B200: %q", rows[2])
	}
	if cell(3, "grade") != "D" || !strings.Contains(cell(3, "warnings"), "something") || number(3, "predicted_time_us") <= 0 {
		t.Errorf("an unknown accelerator: %q", rows[3])
	}
	for row, warning := range map[int]string{4: "collective", 5: "ranks", 6: "size_bytes"} {
		if cell(row, "predicted_time_us") != "" || !strings.Contains(cell(row, "warnings"), warning) {
			t.Errorf("without its %s: %q", warning, rows[row])
		}
	}
	if len(rows) != 8 || number(7, "predicted_time_us") <= 0 {
		t.Errorf("%q", rows[len(rows)-1])
	}

	for text, want := range map[string]string{
		"": "empty", "a,b\n1,2\n": "lacks the columns id, collective, gpu",
	} {
		if status, _, errs := console(t, t.TempDir(), "predict", "--csv", written(t, "bad.csv", text)); status != 2 || !strings.Contains(errs, want) {
			t.Errorf("%q: status %d, %s", text, status, errs)
		}
	}
	if status, _, errs := console(t, t.TempDir(), "predict", "--csv", "x", "--size", "8"); status != 2 || !strings.Contains(errs, "--size") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestPredictOnASystem(t *testing.T) {
	status, out, errs := console(t, t.TempDir(), "predict", "--collective", "all-reduce", "--size", "1GiB", "--system", "dgx-h100", "--nodes", "4", "--json")
	if status != 0 {
		t.Fatalf("status %d: %s", status, errs)
	}
	var doc struct {
		Version      int     `json:"version"`
		Ranks        int     `json:"ranks"`
		Time         float64 `json:"time_s"`
		Low, High    float64
		BusBW        float64                      `json:"busbw_gbytes_per_s"`
		Grade        string                       `json:"grade"`
		Terms        []struct{ Seconds float64 }  `json:"terms"`
		Alternatives []struct{ Algorithm string } `json:"alternatives"`
		Nearest      []struct{ ID, URL string }   `json:"nearest"`
		Warnings     *[]any                       `json:"warnings"`
	}
	if err := json.Unmarshal([]byte(out), &doc); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for _, term := range doc.Terms {
		sum += term.Seconds
	}
	if doc.Version != 1 || doc.Ranks != 32 || doc.BusBW < 250 || doc.BusBW > 500 || len(doc.Nearest) != 3 || doc.Nearest[0].URL == "" || sum/doc.Time < 0.999 || sum/doc.Time > 1.001 || doc.Warnings == nil {
		t.Errorf("%s", out)
	}
	if status, out, _ := console(t, t.TempDir(), "predict", "--collective", "all-to-all", "--size", "64MiB", "--system", "p5.48xlarge", "--nodes", "2"); status != 0 || !strings.Contains(out, "NEAREST MEASURED") {
		t.Errorf("status %d: %s", status, out)
	}
	for _, bad := range []struct {
		want string
		args []string
	}{
		{"known are", []string{"--system", "nothing", "--nodes", "2", "--collective", "all-reduce", "--size", "8"}},
		{"--nodes", []string{"--system", "dgx-h100", "--collective", "all-reduce", "--size", "8"}},
		{"--ranks", []string{"--system", "dgx-h100", "--nodes", "2", "--ranks", "4", "--collective", "all-reduce", "--size", "8"}},
		{"accepted are", []string{"--system", "dgx-h100", "--nodes", "2", "--collective", "all", "--size", "8"}},
		{"--size", []string{"--collective", "all-reduce"}},
		{"--nics: 0; accepted is 1 to 128", []string{"--system", "dgx-h100", "--nodes", "2", "--collective", "all-reduce", "--size", "8", "--nics", "0"}},
		{"--rails: 3 rails for 8 NICs", []string{"--system", "dgx-h100", "--nodes", "2", "--collective", "all-reduce", "--size", "8", "--rails", "3"}},
		{"--oversubscription: 0.5:1", []string{"--system", "dgx-h100", "--nodes", "2", "--collective", "all-reduce", "--size", "8", "--oversubscription", "0.5"}},
		{"--in-switch: on: neither", []string{"--system", "srv-8xl40s", "--nodes", "2", "--collective", "all-reduce", "--size", "8", "--in-switch", "on"}},
		{"--in-switch", []string{"--system", "dgx-h100", "--nodes", "2", "--collective", "all-reduce", "--size", "8", "--in-switch", "maybe"}},
		{"--rails: only together with --system", []string{"--collective", "all-reduce", "--size", "8", "--ranks", "4", "--bandwidth", "1GB/s", "--latency", "0s", "--rails", "2"}},
	} {
		if status, _, errs := console(t, t.TempDir(), append([]string{"predict"}, bad.args...)...); status != 2 || !strings.Contains(errs, bad.want) {
			t.Errorf("%q: status %d, %s", bad.args, status, errs)
		}
	}
}

// TestPredictOnAnotherNetwork: NICs, rails, oversubscription and switches that
// add up change what a system takes, and how sure that is.
func TestPredictOnAnotherNetwork(t *testing.T) {
	type document struct {
		Time     float64 `json:"time_s"`
		Grade    string  `json:"grade"`
		Warnings []struct{ Code string }
	}
	ask := func(more ...string) document {
		t.Helper()
		args := append([]string{"predict", "--collective", "all-reduce", "--size", "1GiB", "--system", "dgx-h100", "--nodes", "8", "--json"}, more...)
		status, out, errs := console(t, t.TempDir(), args...)
		var d document
		if err := json.Unmarshal([]byte(out), &d); status != 0 || err != nil {
			t.Fatalf("%q: status %d, %s", more, status, errs)
		}
		return d
	}
	base := ask()
	for _, c := range []struct {
		args     []string
		slower   bool
		grade    string
		warnings string
	}{
		{[]string{"--nics", "8", "--oversubscription", "1"}, false, base.Grade, ""},
		{[]string{"--nics", "4"}, true, "C", "shape-nics"},
		{[]string{"--oversubscription", "2"}, true, "D", "shape-oversubscribed"},
		{[]string{"--oversubscription", "2", "--rails", "8"}, false, "D", "shape-below-leaf"},
		{[]string{"--oversubscription", "2", "--rails", "1"}, true, "D", "shape-oversubscribed"},
		{[]string{"--in-switch", "off"}, true, base.Grade, ""},
	} {
		got := ask(c.args...)
		codes := ""
		for _, w := range got.Warnings {
			codes += w.Code
		}
		if got.Time > base.Time*1.0001 != c.slower || got.Grade != c.grade || codes != c.warnings {
			t.Errorf("%q: %v s, grade %s, warnings %q; before %v s, grade %s", c.args, got.Time, got.Grade, codes, base.Time, base.Grade)
		}
	}
	if status, out, errs := console(t, t.TempDir(), "predict", "--collective", "all-to-all", "--size", "1GiB", "--system", "dgx-h100", "--nodes", "8", "--nics", "4", "--oversubscription", "4"); status != 0 ||
		!strings.Contains(out, "8 × DGX H100, 4 NICs of 400 Gb/s a node, 4:1 oversubscribed") || !strings.Contains(out, "4:1 oversubscription divides") {
		t.Errorf("status %d: %s%s", status, out, errs)
	}
}

func TestCatalogPrintsEveryKind(t *testing.T) {
	for kind, id := range map[string]string{"models": "llama3-70b", "systems": "dgx-h100", "accelerators": "h100-sxm5", "fabrics": "roce-400g"} {
		if status, out, errs := console(t, t.TempDir(), "catalog", kind); status != 0 || !strings.Contains(out, id) {
			t.Errorf("%s: status %d, %s", kind, status, errs)
		}
		status, out, _ := console(t, t.TempDir(), "catalog", kind, "--json")
		var document map[string]json.RawMessage
		var entries []map[string]any
		err := errors.Join(json.Unmarshal([]byte(out), &document), json.Unmarshal(document[kind], &entries))
		if status != 0 || err != nil || len(entries) < 40 || string(document["version"]) != "1" {
			t.Errorf("%s: status %d, version %s, %d entries, %v", kind, status, document["version"], len(entries), err)
		}
		for _, e := range entries {
			if e["source"] == nil || e["source"] == "" {
				t.Errorf("%s: %v has no source", kind, e["id"])
			}
		}
	}
	if status, _, errs := console(t, t.TempDir(), "catalog", "cars"); status != 2 || !strings.Contains(errs, "accepted are models") {
		t.Errorf("status %d: %s", status, errs)
	}
}

func TestImportLogs(t *testing.T) {
	const sick = "../../sizing/benchlog/testdata/logs/h100_8x2_allreduce_unhealthy_gdrlevel_debuginfo.txt"
	const well = "../../sizing/benchlog/testdata/logs/h100_8x1_allreduce_sidework_header.txt"
	status, out, errs := console(t, t.TempDir(), "import", well, sick, "--json")
	var doc struct {
		Version int `json:"version"`
		Files   []struct {
			File, Tool, Collective string
			Ranks                  int
			Rows                   []map[string]any
			Expected               map[string]any
			Findings               []struct{ Code, Severity, Message, Evidence string }
			Warnings               *[]any
		}
	}
	if err := json.Unmarshal([]byte(out), &doc); status != 0 || err != nil || len(doc.Files) != 2 {
		t.Fatalf("status %d, %v: %s", status, err, errs)
	}
	f := doc.Files[1]
	if doc.Version != 1 || f.Tool != "nccl-tests" || f.Collective != "all-reduce" || f.Ranks != 16 || len(f.Rows) != 18 || f.Findings[0].Code != "slow" || f.Expected["system_id"] == "" || f.Warnings == nil {
		t.Errorf("%+v", f)
	}
	for _, field := range []string{"size_bytes", "count", "in_place", "time_us", "algbw_gbytes_per_s", "busbw_gbytes_per_s", "wrong"} {
		if _, found := f.Rows[0][field]; !found {
			t.Errorf("a row without %s: %v", field, f.Rows[0])
		}
	}
	if status, out, _ := console(t, t.TempDir(), "import", sick); status != 0 || !strings.Contains(out, "only 19 %") {
		t.Errorf("status %d: %s", status, out)
	}
	if status, out, errs := console(t, t.TempDir(), "import", well, written(t, "empty.txt", "nothing\n")); status != 2 || !strings.Contains(errs, "empty.txt holds no measurement") || !strings.Contains(out, "480.2 GB/s") {
		t.Errorf("status %d: %s", status, errs)
	}
}
