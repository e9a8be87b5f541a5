package sizing

// Model is a network whose gradients are exchanged, known by its size.
type Model struct {
	Key        string // as it stands in addresses
	Name       string // as its makers write it
	Parameters int64
	Source     string // where the shape that gives the count is published
}

// Models returns the presets in the order in which they are listed. The counts
// are computed from the published shapes, so they differ from the rounded names
// in the third digit.
func Models() []Model {
	return []Model{
		{"bert-large", "BERT-large", 335_141_888, "llm-analysis, model_configs/bert-large.json (encoder with pooler, without the head)"},
		{"llama3-8b", "Llama 3 8B", 8_030_261_248, "NVIDIA NeMo, llm/gpt/model/llama.py (Llama3Config8B)"},
		{"qwen2.5-32b", "Qwen2.5 32B", 32_763_876_352, "NVIDIA NeMo, llm/gpt/model/qwen2.py; LitGPT, litgpt/config.py"},
		{"llama3-70b", "Llama 3 70B", 70_553_706_496, "NVIDIA NeMo, llm/gpt/model/llama.py (Llama3Config70B)"},
		{"gpt3-175b", "GPT-3 175B", 174_604_259_328, "Megatron-LM, examples/gpt3/train_gpt3_175b_distributed.sh; Calculon, models/gpt3-175B.json"},
	}
}

// FindModel returns the preset of a key, or false.
func FindModel(key string) (Model, bool) {
	for _, m := range Models() {
		if m.Key == key {
			return m, true
		}
	}
	return Model{}, false
}
