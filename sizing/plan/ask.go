package plan

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/sizing/catalog"
	"lockstep/sizing/train"
	"lockstep/sizing/trained"
)

// Ask is what somebody wants to train, on what.
type Ask struct {
	Model     catalog.Model
	System    catalog.System
	Chip      catalog.Accelerator // the system's
	Fabric    *catalog.Fabric     // between nodes, in the place of the system's; nil for that
	Nodes     int
	Strategy  Strategy
	Sequence  int    // tokens; 0 for 4,096
	Batch     int    // sequences of a step; 0 for one that is usual for the cluster
	Precision string // a key of Precisions; empty for bf16
}

// Limits of an Ask.
const (
	MaxNodes    = 100_000
	MaxSequence = 10_000_000
	MaxBatch    = 10_000_000
)

var formats = map[string]train.Format{"bf16": train.Sixteen, "fp16": train.Sixteen, "fp8": train.Eight, "mxfp8": train.MXEight, "nvfp4": train.Four}

// Precisions lists what matrix products can be asked for in.
func Precisions() []string { return []string{"bf16", "fp16", "fp8", "mxfp8", "nvfp4"} }

func refuse(field, format string, args ...any) error {
	return &schedule.RequestError{Field: field, Message: fmt.Sprintf(format, args...)}
}

// check fills in what is usual and refuses what cannot be. Errors are
// *schedule.RequestError.
func (a *Ask) check() error {
	if a.Sequence == 0 {
		a.Sequence = 4096
	}
	if a.Precision == "" {
		a.Precision = "bf16"
	}
	format, known := formats[a.Precision]
	switch {
	case !known:
		return refuse("precision", "%q; accepted are %s", a.Precision, strings.Join(Precisions(), ", "))
	case a.Nodes < 1 || a.Nodes > MaxNodes:
		return refuse("nodes", "%d; accepted is 1 to %d", a.Nodes, MaxNodes)
	case a.Sequence < 1 || a.Sequence > MaxSequence:
		return refuse("seq_len", "%d tokens; accepted is 1 to %d", a.Sequence, MaxSequence)
	case a.Batch < 0 || a.Batch > MaxBatch:
		return refuse("global_batch", "%d sequences; accepted is 1 to %d", a.Batch, MaxBatch)
	case format == train.Four && a.Chip.FP4 == 0, (format == train.Eight || format == train.MXEight) && a.Chip.FP8 == 0:
		return refuse("precision", "%s cannot multiply in %s; accepted is bf16", a.Chip.Name, a.Precision)
	case format == train.MXEight && !strings.Contains(a.Chip.ID, "b"):
		return refuse("precision", "%s has no block scales; accepted are bf16 and fp8", a.Chip.Name)
	}
	return nil
}

// accelerators is how many there are.
func (a Ask) accelerators() int { return a.Nodes * max(1, a.System.PerNode) }

// run is the ask in a layout.
func (a Ask) run(l train.Layout) (trained.Run, error) {
	domain := float64(max(a.System.Domain, 1))
	if domain > float64(a.accelerators()) {
		domain = float64(a.accelerators())
	}
	// A power of two: groups of other sizes are not made.
	domain = math.Exp2(math.Floor(math.Log2(domain)))
	q := trained.Question{
		Model: a.Model, Accelerator: a.Chip, Format: formats[a.Precision], Layout: l, Domain: domain, Inside: a.inside() * 1e9, NIC: a.nic() * 1e9,
	}
	r, err := q.Run()
	if err != nil {
		return r, refuse("model", "%v", err)
	}
	return r, nil
}

// inside is the GB/s of one accelerator's scale-up links.
func (a Ask) inside() float64 {
	switch {
	case a.System.ScaleUpRate > 0:
		return a.System.ScaleUpRate
	case a.Chip.ScaleUpRate > 0:
		return a.Chip.ScaleUpRate
	}
	return 16 // through a host's bus
}

// nic is the GB/s between nodes that go with one accelerator.
func (a Ask) nic() float64 {
	if a.Fabric != nil {
		rate := a.Fabric.ByteRate
		if rate == 0 {
			rate = a.Fabric.Rate / 8
		}
		return rate * float64(max(1, a.System.NICs)) / float64(max(1, a.System.PerNode))
	}
	if a.System.Share > 0 {
		return a.System.Share
	}
	if a.System.NodeRate > 0 {
		return a.System.NodeRate / 8 / float64(max(1, a.System.PerNode))
	}
	return 12.5
}

// guessedNIC reports a system that does not tell how its nodes are joined.
func (a Ask) guessedNIC() bool {
	return a.Fabric == nil && a.System.Share == 0 && a.System.NodeRate == 0 && a.Nodes > 1
}

// Strategy is how a model is spread. A degree of 0 is to be found.
type Strategy struct {
	TP, PP, CP, EP, DP int
	Virtual, Micro     int
	Zero               int // 0 to 3; -1 to be found
	Recompute          string
}

// Auto leaves everything to be found.
func Auto() Strategy { return Strategy{Zero: -1} }

var recomputes = []string{"none", "selective", "full"}

// ParseStrategy reads "auto", or settings such as tp=8,pp=4,zero=1; what is not
// set is found.
func ParseStrategy(text string) (Strategy, error) {
	s := Auto()
	text = strings.ToLower(strings.TrimSpace(text))
	if text == "" || text == "auto" {
		return s, nil
	}
	into := map[string]*int{"tp": &s.TP, "pp": &s.PP, "cp": &s.CP, "ep": &s.EP, "dp": &s.DP, "vpp": &s.Virtual, "micro": &s.Micro, "zero": &s.Zero}
	const accepted = "accepted is auto, or some of tp=, pp=, cp=, ep=, dp=, vpp=, micro= with whole numbers from 1, zero=0 to 3, recompute=none, selective or full, separated by commas"
	for setting := range strings.SplitSeq(text, ",") {
		name, value, set := strings.Cut(strings.TrimSpace(setting), "=")
		if name == "recompute" && slices.Contains(recomputes, value) {
			s.Recompute = value
			continue
		}
		at, known := into[name]
		var n int
		if _, err := fmt.Sscanf(value, "%d", &n); !set || !known || err != nil || fmt.Sprint(n) != value || n < 0 || n == 0 && name != "zero" || name == "zero" && n > 3 || n > 1<<20 {
			return s, refuse("strategy", "%q; %s", setting, accepted)
		}
		*at = n
	}
	return s, nil
}
