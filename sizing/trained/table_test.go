package trained

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"lockstep/sizing/catalog"
)

func tabled(t *testing.T, text string) [][]string {
	t.Helper()
	known, err := catalog.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	model, err := Embedded()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := model.PredictTable(strings.NewReader(text), &out, NewReader(known)); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(out.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// TestTableSpeaksTheUnitsOfItsRows blanks what the kept table measures and asks
// for it.
func TestTableSpeaksTheUnitsOfItsRows(t *testing.T) {
	text, err := os.ReadFile("data/throughput.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := tabled(t, string(text))
	header := lines[0]
	at := func(name string) int {
		for i, h := range header {
			if h == name {
				return i
			}
		}
		t.Fatalf("no column %s in %v", name, header)
		return 0
	}
	value, predicted, low, high, unit := at("value"), at("predicted"), at("low"), at("high"), at("predicted_unit")
	empty := 0
	for _, line := range lines[1:] {
		if line[predicted] == "" {
			empty++
			continue
		}
		var v [4]float64
		for i, c := range []int{value, predicted, low, high} {
			if v[i], err = strconv.ParseFloat(line[c], 64); err != nil {
				t.Fatalf("row %s: %v", line[0], err)
			}
		}
		if v[1]/v[0] < 0.5 || v[1]/v[0] > 2 || v[2] > v[1] || v[3] < v[1] || line[unit] != line[at("unit")] {
			t.Errorf("row %s: measured %v %s, predicted %v (%v to %v) %s", line[0], v[0], line[at("unit")], v[1], v[2], v[3], line[unit])
		}
	}
	if empty > 1 { // hours of a training that does not tell its tokens
		t.Errorf("%d rows are not predicted", empty)
	}
}

// TestTablesAsOthersWriteThem asks for models, machines and software that the
// kept table has not, and for rows that tell too little.
func TestTablesAsOthersWriteThem(t *testing.T) {
	const header = "row,source,url_or_repo_path,model,params_b,gpu,gpus,tp,pp,dp,ep,cp,seq_len,global_batch,micro_batch,precision,metric,value,unit,notes\n"
	for _, c := range []struct {
		name, row string
		low, high float64 // predicted; 0 and 0 for a row that must stay empty
		grade     string
		warning   string
	}{
		{"a new family on known software", "1,NVIDIA Megatron-Bridge performance summary,,Qwen3 32B,32,H100,64,4,2,8,,1,4096,512,1,BF16,throughput_per_gpu,,tokens/s/GPU,container 26.02; VP=4", 1200, 3500, "C", ""},
		{"a shape that is spelled out", "1,vTrain ground truth (MICRO 2024),,GPT h=4096 L=32 heads=32,,A100,8,8,1,1,,1,2048,16,2,FP16,iteration_time,,ms,", 1000, 20000, "C", ""},
		{"a size alone", "1,Somebody's blog,,MyGPT 13B,13,H100,64,1,1,64,,1,4096,256,1,BF16,mfu,,percent,PyTorch FSDP", 25, 60, "D", "software-never-measured; model-from-size"},
		{"another maker's accelerator", "1,Somebody's blog,,Llama 3.1 8B,8,MI300X,8,1,1,8,,1,8192,16,2,BF16,throughput_per_gpu,,tokens/s/GPU,FSDP full AC", 3000, 20000, "D", "software-never-measured"},
		{"an accelerator that is not known", "1,x,,Llama 3.1 8B,8,ZX-9000,8,1,1,8,,1,8192,16,2,BF16,step_time,,s,", 0.5, 60, "D", "software-never-measured; accelerator-unknown"},
		{"memory", "1,torchtitan benchmarks,,Llama 3.1 8B,8.03,H100,16,1,1,16,,1,8192,32,2,BF16,peak_memory,,GiB,FSDP compile; selective AC", 50, 90, "B", ""},
		{"no accelerators", "1,x,,Llama 3.1 8B,8,H100,,1,1,8,,1,8192,16,2,BF16,step_time,,s,", 0, 0, "", "the row does not tell how many accelerators (gpus)"},
		{"no model", "1,x,,Enigma,,H100,8,1,1,8,,1,8192,16,2,BF16,step_time,,s,", 0, 0, "", "the row does not tell which model it is: neither its name nor its size is known"},
		{"a metric of another kind", "1,x,,Llama 3.1 8B,8,H100,8,1,1,8,,1,8192,16,2,BF16,power,,W,", 0, 0, "", `unit "W" is not one of metric "power"; known are s, ms, min, GPU-hours, tokens/s/GPU, TFLOP/s/GPU, percent, GiB`},
		{"no number", "1,x,,Llama 3.1 8B,8,H100,eight,1,1,8,,1,8192,16,2,BF16,step_time,,s,", 0, 0, "", "no number in gpus"},
	} {
		lines := tabled(t, header+c.row+"\n")
		got := lines[1][len(lines[0])-6:]
		if c.high == 0 {
			if got[0] != "" || got[5] != c.warning {
				t.Errorf("%s: %q", c.name, got)
			}
			continue
		}
		v, err := strconv.ParseFloat(got[0], 64)
		if err != nil || v < c.low || v > c.high || got[4] != c.grade || got[5] != c.warning {
			t.Errorf("%s: %q; expected %v to %v, grade %s, warnings %q", c.name, got, c.low, c.high, c.grade, c.warning)
		}
	}
}

func TestTableThatIsNone(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "read the table's header: EOF",
		"a,b\n1,2\n":                         "read the table's header: no column model, gpu, gpus, metric, unit; needed are at least model, gpu, gpus, metric, unit",
		"model,gpu,gpus,metric,unit,model\n": `read the table's header: column "model" stands twice`,
	} {
		if _, err := ReadTable(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestOddRowsGiveFiguresOrReasons mixes what tables hold at random: every row
// has a finite figure within its interval, or a reason.
func TestOddRowsGiveFiguresOrReasons(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	small := func() string { return pick("", "0", "1", "2", "3", "7", "8", "64", "1e9") }
	var text strings.Builder
	text.WriteString("source,model,params_b,gpu,gpus,tp,pp,dp,ep,cp,seq_len,global_batch,micro_batch,precision,metric,unit,notes\n")
	for range 3000 {
		text.WriteString(strings.Join([]string{
			pick("", "NVIDIA Megatron-Bridge performance summary", "torchtitan benchmarks", "MaxText config READMEs", "vTrain ground truth", "SimuMax", "a blog"),
			pick("Llama 3.1 8B", "DeepSeekV3", "Nemotron_3_Nano", "GPT h=1 L=1 heads=1", "GPT h=64 L=2 heads=3", "x 5B", "x", "gpt 900t", "Mixtral 8x22B", "32B MaxText"),
			pick("", "7", "0.0001", "9999"), pick("H100", "TPU v5p", "V100", "MI355X", "", "RTX 4090", "B300", "GB200 NVL72"),
			pick("1", "2", "7", "8", "100000"), small(), small(), small(), small(), small(), pick("", "1", "4096", "10000000"), small(), small(),
			pick("", "BF16", "FP8", "NVFP4", "MXFP8", "rowwise"),
			pick("step_time", "iteration_time", "throughput_per_gpu", "model_tflops_per_gpu", "hardware_tflops_per_gpu", "mfu", "peak_memory", "time_to_train", "gpu_hours_total", "loss"),
			pick("s", "ms", "tokens/s/GPU", "TFLOP/s/GPU", "percent", "GiB", "", "furlongs"),
			pick("", "VP=4", "VP=0", "FSDP=8", "GA=4", "layers=1 hidden=2", "full AC", "1 Gb/s per GPU", "0 Gb/s per GPU", "14.8T tokens"),
		}, ",") + "\n")
	}
	lines := tabled(t, text.String())
	for _, line := range lines[1:] {
		got := line[len(lines[0])-6:]
		if got[0] == "" {
			if got[5] == "" {
				t.Errorf("%q: neither figure nor reason", line)
			}
			continue
		}
		var v [3]float64
		for i := range v {
			var err error
			if v[i], err = strconv.ParseFloat(got[i], 64); err != nil || math.IsInf(v[i], 0) || math.IsNaN(v[i]) || v[i] < 0 {
				t.Fatalf("%q: %v", line, got)
			}
		}
		if v[1] > v[0] || v[2] < v[0] {
			t.Errorf("%q: %v", line, got)
		}
	}
}
