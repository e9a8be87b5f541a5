package trained

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/sizing/train"
)

// Metric is what a table measures of a run.
type Metric string

// The metrics that a step's time, or its memory, gives.
const (
	StepTime    Metric = "step_time"
	Iteration   Metric = "iteration_time"
	Throughput  Metric = "throughput_per_gpu"
	ModelRate   Metric = "model_tflops_per_gpu"
	MachineRate Metric = "hardware_tflops_per_gpu"
	MFU         Metric = "mfu"
	TimeToTrain Metric = "time_to_train"
	GPUHours    Metric = "gpu_hours_pretrain"
	PeakMemory  Metric = "peak_memory"
)

// mlperfSteps is how many steps of a batch of 1,152 sequences the MLPerf
// Training benchmark of Llama 3.1 405B takes to its target: its logs' times to
// train by their steps' times, 245 to 300.
const mlperfSteps = 260

// measure is what a unit is a unit of.
type measure int

const (
	duration measure = iota + 1
	tokenRate
	sequenceRate
	operationRate
	share
	storage
)

// units are how many of each a base unit has: seconds, tokens, sequences or
// operations a second, the whole, bytes.
var units = map[string]struct {
	of    measure
	scale float64
}{
	"s": {duration, 1}, "sec": {duration, 1}, "seconds": {duration, 1}, "ms": {duration, 1e3}, "us": {duration, 1e6}, "min": {duration, 1.0 / 60},
	"minutes": {duration, 1.0 / 60}, "h": {duration, 1.0 / 3600}, "hours": {duration, 1.0 / 3600}, "gpu-hours": {duration, 1.0 / 3600}, "days": {duration, 1.0 / 86400},
	"tokens/s": {tokenRate, 1}, "tokens/sec": {tokenRate, 1}, "tok/s": {tokenRate, 1}, "samples/s": {sequenceRate, 1}, "sequences/s": {sequenceRate, 1},
	"tflop/s": {operationRate, 1e-12}, "tflops": {operationRate, 1e-12}, "tflops/s": {operationRate, 1e-12}, "pflop/s": {operationRate, 1e-15},
	"percent": {share, 100}, "%": {share, 100}, "fraction": {share, 1}, "": {share, 1},
	"gib": {storage, 1.0 / (1 << 30)}, "gb": {storage, 1e-9}, "mib": {storage, 1.0 / (1 << 20)}, "bytes": {storage, 1},
}

// measures are what a metric may be given in.
func (m Metric) measures(of measure) bool {
	switch m {
	case Throughput, "throughput":
		return of == tokenRate || of == sequenceRate
	case ModelRate, MachineRate:
		return of == operationRate
	case MFU:
		return of == share
	case PeakMemory:
		return of == storage
	}
	return of == duration
}

// scale is how many of the row's unit its metric's base unit has. ok is false
// for a unit that is not known, or not one of the metric.
func (r Run) scale() (s float64, of measure, ok bool) {
	unit := strings.ToLower(strings.TrimSpace(r.Row.Unit))
	for _, each := range []string{"/gpu", "/chip", "/accelerator", "/device"} {
		unit, _, _ = strings.Cut(unit, each)
	}
	u, known := units[unit]
	return u.scale, u.of, known && Metric(r.Row.Metric).measures(u.of)
}

// tokens is those of a step.
func (r Run) tokens() float64 { return r.Case.Layout.Global * r.Case.Layout.Sequence }

// operations is those of a step as the row's source counts them.
func (r Run) operations(recomputed bool) float64 {
	s, l := r.Case.Shape, r.Case.Layout
	each := s.Operations(l.Sequence, r.count.causal)
	if recomputed {
		// Another forward pass: 8 of 6 a parameter. The source's formula has the
		// head once.
		each = each*4/3 - 2*s.Hidden*s.Vocab
	}
	switch r.Source {
	case "dgxc":
		if strings.HasPrefix(r.Family, "nemotron4") {
			// Counts as many key and value heads as queries.
			each += 12 * s.Attends * s.Hidden * (s.Heads - s.KVHeads) * s.HeadDim
		}
		if r.Family == "llama3.1-405b" {
			each *= 1.009
		}
		if r.Kind != "" {
			each *= 0.89
		}
	case "mb":
		each *= r.countedByBridge()
	}
	if r.Kind == "lora" {
		each *= 2.0 / 3
	}
	return each * r.tokens()
}

// countedByBridge is what Megatron-Bridge's tables count more or less than the
// plain formula: the layer that predicts further tokens, and the parts of
// hybrids. From rows that state both tokens and operations a second.
func (r Run) countedByBridge() float64 {
	name := strings.ToLower(r.Row.Model)
	switch {
	case r.Family == "deepseek-v3" && !strings.Contains(name, "w/o mtp"):
		return 1.038
	case strings.Contains(name, "lightning"):
		return 1.354
	case r.Family == "nemotron3-nano":
		return 1.066
	case r.Family == "nemotron3-super":
		return 1.119
	case r.Family == "nemotron3-ultra":
		return 1.085
	case r.Family == "dsv4-flash":
		return 0.817
	}
	return 1
}

// peakOf is the peak that a row's MFU is a share of.
func (r Run) peakOf(a catalog.Accelerator) float64 {
	notes := strings.ToLower(r.Row.Notes)
	eight := r.Case.Format != train.Sixteen
	if strings.Contains(notes, "peak of fp8") {
		eight = true
	}
	if strings.Contains(notes, "peak of bf16") {
		eight = false
	}
	if r.Source == "dgxc" && r.GPU == "gb200" {
		if eight {
			return 4900 * tera
		}
		return 2450 * tera
	}
	if eight && a.FP8 > 0 {
		return a.FP8 * tera
	}
	return max(a.BF16, a.FP16) * tera
}

var trainedOn = regexp.MustCompile(`(\d+(?:\.\d+)?)\s*t tokens`)

// Seconds is the step's time that a measured value means. ok is false for a
// metric that does not tell it.
func (r Run) Seconds(value float64) (s float64, ok bool) {
	of, measure, ok := r.scale()
	if !ok || value <= 0 {
		return 0, false
	}
	return r.convert(value/of, Metric(r.Row.Metric), measure)
}

// Value is what a step's time is in the row's metric and unit.
func (r Run) Value(seconds float64) (v float64, ok bool) {
	of, measure, ok := r.scale()
	if !ok || seconds <= 0 {
		return 0, false
	}
	v, ok = r.convert(seconds, Metric(r.Row.Metric), measure)
	return v * of, ok
}

// convert turns a step's time into a metric's base unit, and back: each is
// proportional to the time or to its reciprocal.
func (r Run) convert(x float64, m Metric, of measure) (float64, bool) {
	gpus, held := r.Row.GPUs, r.tokens()
	if of == sequenceRate {
		held = r.Case.Layout.Global
	}
	switch m {
	case StepTime, Iteration:
		return x, true
	case Throughput:
		return held / gpus / x, true
	case "throughput":
		return held / x, true
	case ModelRate:
		return r.operations(false) / gpus / x, true
	case MachineRate:
		return r.operations(r.Case.Layout.Recompute == train.All) / gpus / x, true
	case MFU:
		return r.operations(false) / gpus / r.peak / x, true
	}
	return 0, false
}

// long is what a whole training takes: minutes to a benchmark's target, or
// hours of all accelerators for so many tokens. ok is false where the row does
// not tell how long it is.
func (r Run) long(seconds float64) (v float64, ok bool) {
	switch {
	case r.Row.Metric == string(TimeToTrain) && r.Source == "mlperf":
		return seconds * mlperfSteps * 1152 / r.Case.Layout.Global, true
	case strings.HasPrefix(r.Row.Metric, "gpu_hours"):
		m := trainedOn.FindStringSubmatch(strings.ToLower(r.Row.Notes))
		if m == nil {
			return 0, false
		}
		t, _ := strconv.ParseFloat(m[1], 64)
		return math.Ceil(t*1e12/r.tokens()) * seconds * r.Row.GPUs, true
	}
	return 0, false
}
