package main

import (
	"encoding/json"
	"strings"
	"testing"
)

const (
	ownAccelerator = `{"id": "npu-x1", "name": "NPU X1", "memory_gb": 96, "memory_bandwidth_gbytes_per_s": 3200, "bf16_dense_tflops": 640,
		"scaleup_bandwidth_gbytes_per_s_per_direction": 210, "source": "data sheet", "basis": "stated"}`
	ownSystem = `{"id": "lab-8x1", "name": "Lab node", "accelerator": "npu-x1", "accelerators_per_node": 8, "scaleup_domain_size": 8,
		"nics_per_node": 8, "nic_gbits_per_s_each": 200, "nic_type": "RoCE", "source": "offer", "basis": "assumed"}`
	ownConfig = `{"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32, "num_hidden_layers": 32,
		"num_key_value_heads": 8, "vocab_size": 128256, "max_position_embeddings": 8192, "tie_word_embeddings": false}`
)

func TestOwnEntriesOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	ask := func(want int, args ...string) string {
		t.Helper()
		status, out, errs := console(t, dir, args...)
		if status != want {
			t.Fatalf("%q: status %d, %s", args, status, errs)
		}
		return out + errs
	}
	accelerator, system := written(t, "a.json", ownAccelerator), written(t, "s.json", ownSystem)
	for _, step := range []struct {
		status int
		says   string
		args   []string
	}{
		{2, "none of the accelerators", []string{"catalog", "add", "systems", system}},
		{0, "added accelerators npu-x1", []string{"catalog", "add", "accelerators", accelerator}},
		{1, "--replace", []string{"catalog", "add", "accelerators", accelerator}},
		{0, "added", []string{"catalog", "add", "accelerators", accelerator, "--replace"}},
		{0, "added systems lab-8x1", []string{"catalog", "add", "systems", system}},
		{0, "8.03 B parameters by its shape", []string{"catalog", "add", "models", written(t, "config.json", ownConfig), "--id", "ours", "--name", "Ours"}},
		{2, "models ours-2: name: not given", []string{"catalog", "add", "models", written(t, "config.json", ownConfig), "--id", "ours-2"}},
		{2, "lacks num_hidden_layers", []string{"catalog", "add", "models", written(t, "config.json", `{"model_type": "llama", "hidden_size": 8}`)}},
		{2, "accepted are models", []string{"catalog", "add", "cars", system}},
		{0, "own, assumed: offer", []string{"catalog", "systems"}},
		{0, "on 2 × Lab node", []string{"predict", "--collective", "all-reduce", "--size", "1GiB", "--system", "lab-8x1", "--nodes", "2"}},
		{1, "made of it", []string{"catalog", "remove", "accelerators", "npu-x1"}},
		{2, "no own entry", []string{"catalog", "remove", "systems", "dgx-h100"}},
		{0, "removed systems lab-8x1", []string{"catalog", "remove", "systems", "lab-8x1"}},
		{0, "removed accelerators npu-x1", []string{"catalog", "remove", "accelerators", "npu-x1"}},
	} {
		if said := ask(step.status, step.args...); !strings.Contains(said, step.says) {
			t.Errorf("%q says %q, want %q", step.args, said, step.says)
		}
	}
	var document struct {
		Version int
		Models  []struct {
			ID     string
			Own    bool
			Params float64 `json:"computed_params"`
		}
	}
	if err := json.Unmarshal([]byte(ask(0, "catalog", "models", "--json")), &document); err != nil {
		t.Fatal(err)
	}
	last := document.Models[len(document.Models)-1]
	if document.Version != 1 || last.ID != "ours" || !last.Own || last.Params != 8_030_261_248 {
		t.Errorf("the last model is %+v", last)
	}
}
