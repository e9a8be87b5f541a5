package present

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/sizing/catalog"
	"lockstep/sizing/plan"
	"lockstep/sizing/train"
	"lockstep/sizing/trained"
	"lockstep/views/locale"
)

// stepNames are the fields of the form about a training step in their order, as
// they stand in addresses; stepDegrees those of its strategy.
var (
	stepNames   = append([]string{"model", "seq_len", "global_batch", "precision", "system", "nodes", "fabric"}, stepDegrees...)
	stepDegrees = []string{"tp", "pp", "cp", "ep", "dp", "vpp", "micro", "zero", "recompute"}
)

// stepDefaults stand in fields that an address leaves out or that cannot be
// read; the rest are empty, and found.
var stepDefaults = map[string]string{"model": "llama3-70b", "system": "dgx-h100", "nodes": "16", "precision": "bf16"}

// stepMost bounds the fields with whole numbers from 1.
var stepMost = map[string]int64{
	"nodes": plan.MaxNodes, "seq_len": plan.MaxSequence, "global_batch": plan.MaxBatch,
	"tp": 1 << 20, "pp": 1 << 20, "cp": 1 << 20, "ep": 1 << 20, "dp": 1 << 20, "vpp": 1 << 20, "micro": 1 << 20,
}

// stepChoices bounds the fields with few values; empty is among them where it
// is the default.
var stepChoices = map[string][]string{"precision": plan.Precisions(), "zero": {"", "0", "1", "2", "3"}, "recompute": {"", "none", "selective", "full"}}

// StepForm is a training step that a visitor asks about. What cannot be read, or
// what the engine refuses, stands in wrong and counts as not given.
type StepForm struct {
	given map[string]string // as the fields show it
	used  map[string]string // as it counts
	wrong map[string]stepWrong
}

type stepWrong struct {
	message string
	values  locale.Values
}

// ReadStepForm reads the fields of an address or of a form; known is what can be
// chosen by its ID.
func ReadStepForm(values url.Values, known *catalog.Catalog) StepForm {
	f := StepForm{given: map[string]string{}, used: map[string]string{}, wrong: map[string]stepWrong{}}
	for _, name := range stepNames {
		text := stepDefaults[name]
		if values.Has(name) {
			text = cut(strings.TrimSpace(strings.ToValidUTF8(values.Get(name), "")), maxSizeText)
		}
		f.given[name], f.used[name] = text, text
		f.read(name, known)
	}
	return f
}

// read checks one field by itself.
func (f *StepForm) read(name string, known *catalog.Catalog) {
	text := f.given[name]
	refuse := func(message string, values locale.Values) {
		values["Given"] = text
		f.wrong[name], f.used[name] = stepWrong{message, values}, stepDefaults[name]
	}
	if most, whole := stepMost[name]; whole {
		if text == "" && stepDefaults[name] == "" {
			return
		}
		number, ok := readQuantity(text, countUnits)
		if !ok || !number.IsInt() || wholeOf(number) < 1 || wholeOf(number) > most {
			refuse("step.wrong.whole", locale.Values{"Most": sizeGrouped(most)})
			return
		}
		f.used[name] = strconv.FormatInt(wholeOf(number), 10)
		return
	}
	if choices, few := stepChoices[name]; few {
		if !slices.Contains(choices, text) {
			refuse("step.wrong.choice", locale.Values{"Choices": strings.TrimPrefix(strings.Join(choices, ", "), ", ")})
		}
		return
	}
	var err error
	switch {
	case name == "model":
		_, err = known.Model(text)
	case name == "system":
		_, err = known.System(text)
	case name == "fabric" && text != "":
		_, err = known.Fabric(text)
	}
	if err != nil {
		refuse("step.wrong.unknown", locale.Values{})
	}
}

// Sound reports whether everything counts as it was given.
func (f StepForm) Sound() bool { return len(f.wrong) == 0 }

// Values returns the fields as they go into an address; empty ones are left out.
func (f StepForm) Values() url.Values {
	values := url.Values{}
	for _, name := range stepNames {
		if f.given[name] != "" {
			values.Set(name, f.given[name])
		}
	}
	return values
}

// with is the address of the same step with other fields, name by name.
func (f StepForm) with(changes ...string) url.Values {
	values := url.Values{}
	for _, name := range stepNames {
		if f.used[name] != "" {
			values.Set(name, f.used[name])
		}
	}
	for i := 0; i+1 < len(changes); i += 2 {
		values.Set(changes[i], changes[i+1])
	}
	return values
}

// Ask is what counts of the form. Errors are *schedule.RequestError.
func (f StepForm) Ask(known *catalog.Catalog) (plan.Ask, error) {
	var strategy []string
	for _, name := range stepDegrees {
		if f.used[name] != "" {
			strategy = append(strategy, name+"="+f.used[name])
		}
	}
	whole := func(name string) int {
		n, _ := strconv.Atoi(f.used[name]) // read has seen to it
		return n
	}
	return plan.Request{
		Model: f.used["model"], System: f.used["system"], Nodes: whole("nodes"), Fabric: f.used["fabric"], Strategy: strings.Join(strategy, ","),
		Sequence: whole("seq_len"), Batch: whole("global_batch"), Precision: f.used["precision"],
	}.Ask(known, nil)
}

// Estimate prices the step. What the engine refuses is marked as wrong and left
// out until the rest can be priced.
func (f *StepForm) Estimate(m *trained.Model, known *catalog.Catalog) (plan.Ask, plan.Estimate, error) {
	for {
		a, err := f.Ask(known)
		var e plan.Estimate
		if err == nil {
			e, err = a.Estimate(m)
		}
		var refused *schedule.RequestError
		if err == nil || !errors.As(err, &refused) || !f.refused(a, refused) {
			return a, e, err
		}
	}
}

// refused marks the field that a refusal is about, and reports whether that
// changes what counts.
func (f *StepForm) refused(a plan.Ask, r *schedule.RequestError) bool {
	name, message := r.Field, stepRefusals[r.Field]
	if r.Field == "strategy" {
		name = f.degree(r.Message)
	}
	if name == "" || message == "" || f.used[name] == stepDefaults[name] {
		return false
	}
	values := locale.Values{"Given": f.used[name], "Ranks": sizeGrouped(int64(a.Nodes * max(1, a.System.PerNode))), "Chip": a.Chip.Name, "DP": f.used["dp"]}
	if shape, ok := train.ShapeOf(a.Model); ok {
		if shape.Experts.Count == 0 && r.Field == "strategy" {
			message = "step.wrong.strategy.dense"
		}
		values["Heads"], values["Layers"], values["Experts"] = int(shape.Heads), a.Model.Layers, int(shape.Experts.Count)
	}
	f.wrong[name] = stepWrong{message, values}
	f.used[name] = stepDefaults[name]
	return true
}

// degree is the field of the strategy that a refusal speaks of, or the last that
// was set.
func (f *StepForm) degree(message string) string {
	first, _, _ := strings.Cut(message, "=")
	last := ""
	for _, name := range stepDegrees {
		if f.used[name] == "" {
			continue
		}
		if last = name; name == first {
			break
		}
	}
	return last
}

// stepRefusals are what refusals of the engine say, by their field.
var stepRefusals = map[string]string{
	"model": "step.wrong.model", "system": "step.wrong.system", "precision": "step.wrong.precision", "global_batch": "step.wrong.batch", "strategy": "step.wrong.strategy",
}
