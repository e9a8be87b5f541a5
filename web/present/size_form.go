package present

import (
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/catalog"
	"lockstep/sizing/measured"
	"lockstep/sizing/site"
)

// sizeNames are the fields of the sizing form in their order, as they stand in
// addresses.
var sizeNames = [...]string{
	"model", "params", "bytes", "system", "machine", "nodes", "per_node", "fabric", "nics", "rate", "alpha", "rails", "oversubscription", "in_switch",
	"compute", "collective", "size",
}

// sizeDefaults are the fields that an address leaves out: the article's case,
// with ten seconds of computing as an example. What is empty follows from the
// system, or else from the fabric.
func sizeDefaults(name string) string {
	switch name {
	case "model":
		return ownModel
	case "params":
		return "300M"
	case "bytes":
		return "4"
	case "nodes":
		return "10"
	case "compute":
		return "10"
	case "collective":
		return string(schedule.AllReduce)
	}
	return ""
}

// exampleCompute is the computing that the form starts with.
func exampleCompute() unit.Seconds {
	seconds, _ := strconv.ParseFloat(sizeDefaults("compute"), 64)
	return unit.Seconds(seconds)
}

// articleFabric is that of whoever chooses neither a system nor a fabric.
const articleFabric = "article"

// ownModel is the choice of a model by its number of parameters.
const ownModel = "custom"

// sizeWidths are the bytes of a gradient that can be chosen, widest first.
var sizeWidths = [...]int{4, 2, 1}

// SizeForm is what a visitor has asked to be sized, read as far as it can be:
// a field that cannot be read stands at its default meanwhile, one that is out
// of range at the nearest value.
type SizeForm struct {
	Step       sizing.Step
	Ask        site.Ask // where the step runs
	Site       site.Site
	Collective schedule.Collective // that is asked for beside the step
	Size       unit.Bytes          // of its buffer; that of the gradients where none is given
	kept       []measured.Kept     // machines that can be chosen
	given      map[string]string   // as the fields show it
	notes      map[string]sizeNote
	wrong      map[string]sizeWrong
}

// sizeNote says what was taken instead of what was given.
// Used is what takes the place of what was given, or, of a choice that there is
// not, what is accepted.
type sizeNote struct{ message, given, used string }

// sizeWrong says what cannot be read, and what would be.
type sizeWrong struct {
	message, given, fix string
	readings            [2]string // of what can be read in two ways
}

// ReadSizeForm reads the fields of an address or of a form; known is what can
// be chosen by its ID.
func ReadSizeForm(values url.Values, known *catalog.Catalog) SizeForm {
	f := SizeForm{given: map[string]string{}, notes: map[string]sizeNote{}, wrong: map[string]sizeWrong{}}
	for _, name := range sizeNames {
		f.given[name] = sizeDefaults(name)
		if values.Has(name) {
			text := strings.TrimSpace(strings.ToValidUTF8(values.Get(name), ""))
			f.given[name] = cut(text, maxSizeText)
		}
	}
	f.readModel(known)
	f.Step.Width = f.readWidth()
	f.readSite(known)
	f.readCompute()
	f.readCollective()
	return f
}

// maxSizeText is as long as the longest name, and more than any number needs.
const maxSizeText = measured.MaxMachineName

func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most])
	}
	return text
}

// Sound reports whether everything could be read.
func (f SizeForm) Sound() bool { return len(f.wrong) == 0 }

// Values returns the fields as they go into an address.
func (f SizeForm) Values() url.Values {
	values := url.Values{}
	for _, name := range sizeNames {
		values.Set(name, f.given[name])
	}
	return values
}

// SizeValues returns the address of a step that is already known.
func SizeValues(s sizing.Step) url.Values {
	values := url.Values{
		"model":    {ownModel},
		"params":   {strconv.FormatInt(s.Parameters, 10)},
		"bytes":    {strconv.Itoa(s.Width)},
		"nodes":    {strconv.Itoa(s.Nodes)},
		"per_node": {strconv.Itoa(s.PerNode)},
		"fabric":   {s.Fabric.Key},
		"compute":  {""},
	}
	if s.Model != "" {
		values.Set("model", s.Model)
	}
	if s.Compute > 0 {
		values.Set("compute", strconv.FormatFloat(float64(s.Compute), 'f', -1, 64))
	}
	return values
}

// readModel takes the count from the catalogue, if a model is chosen: what
// stands in the field for the count is then that of the model.
func (f *SizeForm) readModel(known *catalog.Catalog) {
	i := slices.IndexFunc(known.Models, func(m catalog.Model) bool { return m.ID == f.given["model"] && sizeCount(m) > 0 })
	if i < 0 && f.given["model"] != ownModel {
		f.notes["model"] = sizeNote{"size.note.unknown", clipped(f.given["model"]), fewOf(append(sizeModelIDs(known), ownModel), f.given["model"])}
		f.given["model"] = ownModel
	}
	if i >= 0 {
		m := known.Models[i]
		f.Step.Model, f.Step.ModelName, f.Step.ModelSource, f.Step.Parameters = m.ID, m.Name, m.Source, sizeCount(m)
		f.given["params"] = strconv.FormatInt(f.Step.Parameters, 10)
		return
	}
	f.Step.Parameters = f.readNumber("params", 1, sizing.MaxParameters, "size.wrong.params")
}

// sizeCount is a model's number of parameters; 0 for one that cannot be priced.
func sizeCount(m catalog.Model) int64 {
	if p := math.Round(m.Parameters()); p >= 1 && p <= sizing.MaxParameters {
		return int64(p)
	}
	return 0
}

func (f *SizeForm) readWidth() int {
	asked := f.readNumber("bytes", 1, sizing.MaxWidth, "size.wrong.whole")
	nearest := sizeWidths[0]
	for _, w := range sizeWidths { // of two as near, the wider
		if sizeDistance(int64(w)-asked) < sizeDistance(int64(nearest)-asked) {
			nearest = w
		}
	}
	if _, noted := f.notes["bytes"]; int64(nearest) != asked && !noted {
		f.notes["bytes"] = sizeNote{"size.note.nearest", f.given["bytes"], strconv.Itoa(nearest)}
	}
	f.given["bytes"] = strconv.Itoa(nearest)
	return nearest
}

func sizeDistance(v int64) int64 { return max(v, -v) }

// readNumber reads a whole number and takes the nearest between low and high.
// What cannot be read counts as the default.
func (f *SizeForm) readNumber(name string, low, high int64, wrong string) int64 {
	given := f.given[name]
	number, ok := readQuantity(given, countUnits)
	if !ok {
		f.wrong[name] = sizeWrong{message: wrong, given: given, fix: f.likely(name, countUnits)}
		if number, ok = readQuantity(sizeDefaults(name), countUnits); !ok {
			return 0 // what is empty by default is left out
		}
		return wholeOf(number)
	}
	value := min(max(wholeOf(number), low), high)
	if number.IsInt() && number.Num().IsInt64() && number.Num().Int64() == value {
		return value
	}
	used := strconv.FormatInt(value, 10)
	f.notes[name] = sizeNote{"size.note.nearest", given, used}
	f.given[name] = used
	return value
}

func (f *SizeForm) readCompute() {
	given := f.given["compute"]
	if given == "" {
		return // not given, which is fine
	}
	seconds, ok := readQuantity(given, timeUnits)
	if !ok {
		f.wrong["compute"] = sizeWrong{message: "size.wrong.compute", given: given, fix: f.likely("compute", timeUnits)}
		seconds, _ = readQuantity(sizeDefaults("compute"), timeUnits)
	}
	value, _ := seconds.Float64()
	f.Step.Compute = unit.Seconds(min(max(value, 0), float64(sizing.MaxCompute)))
	if ok && float64(f.Step.Compute) != value {
		used := strconv.FormatFloat(float64(f.Step.Compute), 'f', -1, 64)
		f.notes["compute"] = sizeNote{"size.note.nearest", given, used}
		f.given["compute"] = used
	}
}

// likely is what was probably meant by something that cannot be read: the
// number in it, if there is one, else the default.
func (f *SizeForm) likely(name string, units map[string]string) string {
	text := strings.Map(func(r rune) rune {
		switch {
		case r >= '０' && r <= '９': // typed with a Chinese keyboard
			return r - '０' + '0'
		case r == '。' || r == '．' || r == ',' || r == '，':
			return '.'
		case r >= '0' && r <= '9' || r == '.':
			return r
		}
		return -1
	}, f.given[name])
	if number, ok := readQuantity(text, units); ok && number.Sign() > 0 {
		return text
	}
	return sizeDefaults(name)
}
