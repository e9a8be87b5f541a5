package trained

import (
	"regexp"
	"strings"
)

// class is a kind of training software whose runs behave alike.
type class string

const (
	nemo    class = "nv"  // Megatron-Core and what stands on it
	torch   class = "pt"  // PyTorch with FSDP
	jax     class = "jax" // MaxText, Paxml
	early   class = "old" // Megatron of 2020, and DeepSpeed's
	middle  class = "meg" // Megatron of 2021 and 2022
	simumax class = "sm"  // Megatron without fused kernels
)

// old reports whether attention writes its scores and little is overlapped.
func (c class) old() bool { return c == early || c == middle }

// counting is how a source counts the operations that its rates are of.
type counting struct {
	causal    bool // half of the attention
	recompute bool // what is computed again counts too
}

// source is where a table's rows come from, and what its pages say about all of
// them.
type source struct {
	key     string
	pattern *regexp.Regexp
	class   class
	counting
}

// sources are those whose runs are known. What their columns mean differs; that
// is read in run.go.
var sources = []source{
	{"dgxc", regexp.MustCompile(`dgx cloud|dgxc`), nemo, counting{}},
	{"mb", regexp.MustCompile(`megatron.?bridge`), nemo, counting{causal: true}},
	{"foundry", regexp.MustCompile(`foundry|mosaic`), torch, counting{}},
	{"titan", regexp.MustCompile(`torchtitan`), torch, counting{causal: false}},
	{"automodel", regexp.MustCompile(`automodel`), torch, counting{causal: true}},
	{"vtrain", regexp.MustCompile(`vtrain`), early, counting{}},
	{"simumax", regexp.MustCompile(`simumax`), simumax, counting{causal: true}},
	{"meg20", regexp.MustCompile(`tables? \(2020\)`), early, counting{recompute: true}},
	{"meg21", regexp.MustCompile(`april.?2021|2104\.04473`), middle, counting{recompute: true}},
	{"seqpar", regexp.MustCompile(`reducing activation`), middle, counting{}},
	{"megw", regexp.MustCompile(`megatron.*weak scaling|megatron.*core`), nemo, counting{}},
	{"megs", regexp.MustCompile(`megatron.*strong scaling`), nemo, counting{}},
	{"nemoug", regexp.MustCompile(`nemo user guide|nemo.*performance`), nemo, counting{}},
	{"mlperf", regexp.MustCompile(`mlperf`), nemo, counting{}},
	{"maxtext", regexp.MustCompile(`maxtext`), jax, counting{}},
	{"llama3", regexp.MustCompile(`llama 3 paper`), torch, counting{causal: true}},
	{"megascale", regexp.MustCompile(`megascale`), nemo, counting{}},
}

// told reads the software that an unknown source or its notes name.
var told = []struct {
	pattern *regexp.Regexp
	class   class
}{
	{regexp.MustCompile(`maxtext|paxml|\bjax\b|\bxla\b|\btpu\b`), jax},
	{regexp.MustCompile(`fsdp|torchtitan|pytorch|\bzero-?3\b|foundry|composer|accelerate|hugging ?face|deepspeed`), torch},
	{regexp.MustCompile(`nemo|megatron|transformer.?engine`), nemo},
}

// sourceOf finds a row's source. A source that is not known has no key, and the
// class that its texts name or its layout suggests.
func sourceOf(r Row) source {
	text := strings.ToLower(r.Source)
	for _, s := range sources {
		if s.pattern.MatchString(text) {
			return s
		}
	}
	text += " " + strings.ToLower(r.Address+" "+r.Notes)
	for _, t := range told {
		if t.pattern.MatchString(text) {
			return source{class: t.class}
		}
	}
	if r.TP > 1 || r.PP > 1 {
		return source{class: nemo}
	}
	return source{class: torch}
}
