package trained

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/sizing/train"
)

// Run is a row understood: what was trained, how it was laid out, on what, and
// by which software.
type Run struct {
	Row     Row
	Source  string // key of a known source, empty for another
	Class   class
	Family  string // of the model
	Case    train.Case
	GPU     string // key of the accelerator
	Gen     generation
	Version string // of the software, as year and month; empty where nothing tells
	Kind    string // sft or lora; empty for pre-training
	Eager   bool   // without a compiler
	Async   bool   // tensor parallelism overlapped by kernels
	Drops   bool   // tokens that an expert has no room for
	Local   bool   // the micro-batch column is a rank's whole batch
	Guessed []Guess

	count  counting
	memory float64 // bytes of one accelerator
	peak   float64 // operations a second that MFU is of
}

// Guess is something that a row does not tell and that was taken from what is
// usual, by its code.
type Guess string

// The guesses.
const (
	GuessedModel    Guess = "model-from-size"
	GuessedGPU      Guess = "accelerator-unknown"
	GuessedSequence Guess = "sequence-guessed"
	GuessedBatch    Guess = "batch-guessed"
	GuessedLayout   Guess = "layout-guessed"
	GuessedSource   Guess = "software-never-measured"
)

// Unreadable is a row that cannot be understood, and what it lacks.
type Unreadable struct{ Lacks string }

func (u *Unreadable) Error() string { return "the row does not tell " + u.Lacks }

// Reader understands rows.
type Reader struct {
	catalog *catalog.Catalog
	shapes  shapes
}

// NewReader reads models and accelerators by a catalogue.
func NewReader(c *catalog.Catalog) *Reader { return &Reader{catalog: c, shapes: newShapes(c)} }

// Mixes reports whether the model has experts.
func (r Run) Mixes() bool { return r.Case.Shape.Experts.Count > 0 }

// Fine reports whether it has many small ones, which behave unlike a few large
// ones.
func (r Run) Fine() bool { return r.Case.Shape.Experts.Count >= 32 }

// Hybrid reports whether it has state-space layers.
func (r Run) Hybrid() bool { return r.Case.Shape.Scans.Layers > 0 }

var (
	version    = regexp.MustCompile(`@v(\d\d\.\d\d)|container (\d\d\.\d\d)|(\d\d\.\d\d)(?:\.\d+)? (?:nemo )?container|nemo (\d\d\.\d\d)|\((\d\d\.\d\d)\)`)
	stages     = regexp.MustCompile(`\b(?:vp|vpp|virtual[ _]stages|interleaving)\s*=\s*(\d+)`)
	shardGroup = regexp.MustCompile(`\bfsdp\s*=\s*(\d+)`)
	flushes    = regexp.MustCompile(`\bga\s*=\s*(\d+)`)
	microCount = regexp.MustCompile(`(\d+) microbatches|_mbc(\d+)`)
	tokensOf   = regexp.MustCompile(`tokens/batch\s*=\s*(\d+)\s*([mk])`)
)

// Read understands a row. Errors are *Unreadable.
func (rd *Reader) Read(row Row) (Run, error) {
	s := sourceOf(row)
	r := Run{Row: row, Source: s.key, Class: s.class, count: s.counting}
	if s.key == "" {
		r.Guessed = append(r.Guessed, GuessedSource)
	}
	text := strings.ToLower(row.Model + "; " + row.Notes + "; " + row.Address)
	if s.key == "dgxc" && (strings.Contains(text, "maxtext") || strings.Contains(text, "paxml")) {
		r.Class = jax
	}
	model, ok := rd.shapes.of(row)
	if !ok {
		return Run{}, &Unreadable{"which model it is: neither its name nor its size is known"}
	}
	r.Family, r.Case.Shape = model.family, model.shape
	if model.guessed {
		r.Guessed = append(r.Guessed, GuessedModel)
	}
	if row.GPUs < 1 {
		return Run{}, &Unreadable{"how many accelerators (gpus)"}
	}
	r.Case.Format = formatOf(row.Precision)
	which, ok := chipOf(row.GPU)
	if !ok {
		which, _ = chipOf("h100")
		which.generation = other
		r.Guessed = append(r.Guessed, GuessedGPU)
	}
	r.GPU, r.Gen = which.key, which.generation
	machine, accelerator, err := machineOf(rd.catalog, row, which, r.Case.Format)
	if err != nil {
		return Run{}, fmt.Errorf("read row %s: %w", row.ID, err)
	}
	if s.key == "vtrain" && row.GPUs == 64 {
		machine.Domain = 4 // tensor parallelism of eight is as slow there as of sixteen
	}
	r.Case.Machine, r.memory = machine, accelerator.Memory*giga
	r.peak = r.peakOf(accelerator)
	for _, m := range version.FindAllStringSubmatch(text, -1) {
		for _, v := range m[1:] {
			if v != "" && r.Version == "" {
				r.Version = v
			}
		}
	}
	r.tuning(text)
	r.layers(text)
	r.layout(text)
	r.recomputeToFit()
	return r, nil
}

// tuning reads what is trained and by which tricks.
func (r *Run) tuning(text string) {
	switch {
	case strings.Contains(text, "lora") || r.Source == "automodel" && strings.Contains(text, "triton"):
		r.Kind = "lora"
	case strings.Contains(text, "sft") || strings.Contains(text, "finetun"):
		r.Kind = "sft"
	}
	r.Eager = strings.Contains(text, "eager")
	r.Async = strings.Contains(text, "async")
	r.Drops = strings.Contains(text, "tokendrop") || strings.Contains(text, "token drop")
}

// layers cuts a model where a row says that it has fewer.
func (r *Run) layers(text string) {
	m := cutName.FindStringSubmatch(text)
	if m == nil && r.Source == "dgxc" {
		m = cutNotes.FindStringSubmatch(text)
	}
	if m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		r.Case.Shape = cut(r.Case.Shape, n)
	}
}

// layout reads how the model is spread and what a step holds.
func (r *Run) layout(text string) {
	row, l := r.Row, train.Layout{TP: max(1, r.Row.TP), PP: max(1, r.Row.PP), CP: max(1, r.Row.CP), EP: max(1, r.Row.EP), Virtual: 1, Flushes: 1}
	if total, _ := r.Case.Shape.Parameters(); r.Source == "" && r.Class == torch && total > 1e11 && row.TP == 0 && row.PP == 0 {
		r.Class = nemo // so much is not spread by sharding alone
	}
	sharded := r.Class == torch || r.Class == jax
	if r.Class == jax {
		l.TP, l.PP, l.CP = 1, 1, 1
	}
	if r.staleLayout(text) {
		l.TP, l.PP = 2, 4
	}
	if row.TP == 0 && row.PP == 0 && row.DP == 0 && !sharded {
		r.Guessed = append(r.Guessed, GuessedLayout)
		r.guessLayout(&l)
	}
	l.DP = math.Max(1, row.GPUs/(l.TP*l.PP*l.CP))
	l.Sequence = row.Sequence
	if l.Sequence == 0 {
		l.Sequence = r.usualSequence(text)
	}
	if strings.Contains(text, "seq") && r.Source == "simumax" {
		if m := regexp.MustCompile(`_seq(\d+)`).FindStringSubmatch(text); m != nil {
			l.Sequence, _ = strconv.ParseFloat(m[1], 64)
		}
	}
	r.batch(&l, text)
	r.sharding(&l, text)
	r.recomputing(&l, text)
	layers := r.Case.Shape.Attends + r.Case.Shape.Scans.Layers
	if m := stages.FindStringSubmatch(text); m != nil {
		l.Virtual, _ = strconv.ParseFloat(m[1], 64)
		l.Virtual = math.Max(1, l.Virtual)
	} else if l.PP > 1 && (r.Class == nemo || r.Source == "llama3") && !r.Mixes() {
		// Few run a pipeline of dense layers without interleaving; tables leave
		// it out.
		l.Virtual = math.Max(1, math.Floor(layers/l.PP/2))
	}
	if l.PP == 1 {
		l.Virtual = 1
	}
	l.SequenceParallel = l.TP > 1 && !r.Class.old() || strings.Contains(text, "sequence parallel")
	l.Adapters = r.Kind == "lora"
	r.Case.Layout = l
	r.Case.Fused = !r.Class.old()
}

// staleLayout reports rows of adapters that carry the layout and the batch of
// full fine-tuning.
func (r *Run) staleLayout(text string) bool {
	return r.Source == "dgxc" && r.Kind == "lora" && r.Row.PP > 1 && strings.Contains(text, "first of 2 candidate rows")
}

// guessLayout spreads a model as its size asks for: experts over up to 64 ranks,
// dense layers over the ranks of a domain, and what is left over stages.
func (r *Run) guessLayout(l *train.Layout) {
	total, _ := r.Case.Shape.Parameters()
	experts := r.Case.Shape.Mixing * r.Case.Shape.Experts.Count * r.Case.Shape.Weights().Expert
	gpus := r.Row.GPUs
	if r.Mixes() {
		for l.EP < 64 && math.Mod(r.Case.Shape.Experts.Count, 2*l.EP) == 0 && 2*l.EP <= gpus {
			l.EP *= 2
		}
	} else {
		for l.TP < math.Min(8, r.Case.Machine.Domain) && total*18/l.TP > r.memory*4 && 2*l.TP <= gpus {
			l.TP *= 2
		}
	}
	held := func() float64 { return 6 * ((total-experts)/l.TP + experts/l.EP) / l.PP }
	for held() > r.memory/2 && 2*l.TP*l.PP <= gpus && 2*l.PP <= r.Case.Shape.Attends {
		l.PP *= 2
	}
}

// usualSequence is the length where a row has none.
func (r *Run) usualSequence(text string) float64 {
	switch {
	case r.Source == "meg20":
		return 1024
	case r.Source == "maxtext" && strings.Contains(text, "llama"):
		return 4096
	case r.Source == "maxtext" || strings.Contains(text, "paxml"):
		return 2048
	case r.Source == "dgxc" || r.Source == "simumax":
		return 4096
	}
	r.Guessed = append(r.Guessed, GuessedSequence)
	return 4096
}

// batch reads micro-batches and the batch of a step.
func (r *Run) batch(l *train.Layout, text string) {
	row := r.Row
	l.Micro, l.Global = row.Micro, row.Global
	if r.Source == "dgxc" && l.Global == 1204 {
		l.Global = 1024
	}
	if r.staleLayout(text) {
		l.Global = 4 * row.GPUs
	}
	if l.Micro == 0 {
		l.Micro = 1
		switch {
		case r.Class == jax && l.Global > 0:
			l.Micro = math.Max(1, l.Global/row.GPUs)
		case r.Class == jax:
			l.Micro = 4
		}
	}
	if r.Source == "titan" {
		r.Local = true
	}
	if r.Local && l.PP > 1 {
		l.Micro = math.Max(1, l.Micro/l.PP)
	}
	if l.Global > 0 {
		if l.Micro*l.DP > l.Global {
			l.Micro = math.Max(1, l.Global/l.DP)
		}
		return
	}
	if m := microCount.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseFloat(m[1]+m[2], 64)
		l.Global = n * l.DP * l.Micro
		return
	}
	if m := tokensOf.FindStringSubmatch(text); m != nil {
		n, _ := strconv.ParseFloat(m[1], 64)
		l.Global = n * map[string]float64{"m": 1 << 20, "k": 1 << 10}[m[2]] / l.Sequence
		return
	}
	n := 1.0
	if l.PP > 1 {
		n = 8 * l.PP
	}
	if r.Class != jax {
		r.Guessed = append(r.Guessed, GuessedBatch)
	}
	l.Global = n * l.DP * l.Micro
}

// sharding reads what data-parallel ranks divide among themselves.
func (r *Run) sharding(l *train.Layout, text string) {
	switch {
	case strings.Contains(text, "shard_grad_op"):
		l.Shards = train.Gradients
	case strings.Contains(text, "no_shard"):
		l.Shards = train.Replicated
	case r.Class == torch || r.Class == jax:
		l.Shards = train.Parameters
	case r.Class.old():
		l.Shards = train.Replicated
	default:
		l.Shards = train.OptimizerState
	}
	if m := shardGroup.FindStringSubmatch(text); m != nil && r.Class == nemo {
		if n, _ := strconv.ParseFloat(m[1], 64); n > 1 {
			l.Shards = train.Parameters
		}
	}
	if l.Shards == train.Parameters && l.PP > 1 {
		if m := flushes.FindStringSubmatch(text); m != nil {
			l.Flushes, _ = strconv.ParseFloat(m[1], 64)
		}
	}
}

// recomputing reads which activations are computed again.
func (r *Run) recomputing(l *train.Layout, text string) {
	switch {
	case strings.Contains(text, "act_ckpt=true") || strings.Contains(text, "full ac") || strings.Contains(text, "full recompute") || strings.Contains(text, "full checkpointing") || strings.Contains(text, "full activation recomputation"):
		l.Recompute = train.All
	case strings.Contains(text, "selective recompute"):
		l.Recompute = train.Attention
	case strings.Contains(text, "selective ac") || strings.Contains(text, "sac"):
		l.Recompute = train.EveryOp
	case r.Source == "meg20" || r.Source == "meg21" || r.Source == "maxtext":
		l.Recompute = train.All
	case r.Source == "titan":
		l.Recompute = train.EveryOp
	}
}
