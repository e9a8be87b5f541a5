package present

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views/locale"
)

// whole is what a size must be a multiple of: an element, in each of n blocks
// where the collective has blocks.
func (q RunRequest) whole() unit.Bytes {
	whole := unit.Bytes(max(schedule.DType(q.DType).Width(), 1))
	if q.DType == "" {
		whole = unit.Bytes(schedule.Float32.Width())
	}
	if n := number(q.Ranks); n > 0 && schedule.Collective(q.Collective).Blocks() {
		whole *= unit.Bytes(n)
	}
	return whole
}

// sizesNear returns the two sizes nearest to one that cannot be cut into
// elements and blocks, none if it can.
func (q RunRequest) sizesNear(size unit.Bytes) []string {
	whole := q.whole()
	below := size / whole * whole
	switch {
	case below == size || q.Collective == string(schedule.Barrier):
		return nil
	case below+whole > trace.MaxSize:
		return []string{compact(below)}
	}
	return []string{compact(below), compact(below + whole)}
}

// Spec returns what is asked for, or what is wrong with the fields, by name.
func (q RunRequest) Spec(most int) (trace.Spec, map[string]WrongField) {
	wrong := map[string]WrongField{}
	spec := trace.Spec{Collective: schedule.Collective(q.Collective), Algorithm: q.Algorithm}
	switch {
	case q.inNetwork():
		wrong["algorithm"] = WrongField{Message: "run.wrong.network", Values: locale.Values{"Given": q.Algorithm}}
	case q.Algorithm != engine.Auto && q.Algorithm != schedule.LibraryCall && !q.pairExists() || !spec.Collective.Known():
		wrong["algorithm"] = WrongField{Message: "run.wrong.pair"}
	}
	count := func(name, text string, least, most int) (n int) {
		n, err := strconv.Atoi(text)
		if text == "" && least == 0 {
			return 0
		}
		if err != nil || n < max(least, 1) || n > most {
			wrong[name] = WrongField{Message: "run.wrong.number", Values: locale.Values{"Given": text, "Least": max(least, 1), "Most": most}}
			if err == nil {
				wrong[name] = WrongField{Message: "run.wrong.number", Values: wrong[name].Values, Fixes: []string{strconv.Itoa(min(max(n, 1), most))}}
			}
		}
		return n
	}
	spec.Ranks = count("ranks", q.Ranks, 1, q.most(most))
	spec.Chunks = count("chunks", q.Chunks, 0, 1<<12)
	spec.Iterations = count("iterations", q.Iterations, 0, trace.MaxIterations)
	spec.Slices = count("slices", q.Slices, 0, trace.MaxSlices)
	q.apply(&spec, count, wrong)
	q.back(&spec, wrong)
	size, err := unit.ParseBytes(q.Size)
	switch {
	case spec.Collective == schedule.Barrier: // the field has no meaning
		size = 0
	case err != nil:
		wrong["size"] = WrongField{Message: "run.wrong.size", Values: locale.Values{"Given": q.Size}, Fixes: readings(q.Size)}
	case size > trace.MaxSize:
		wrong["size"] = WrongField{Message: "run.wrong.toolarge", Values: locale.Values{"Given": q.Size, "Most": trace.MaxSize.String()}}
	default:
		if fixes := q.sizesNear(size); len(fixes) > 0 {
			wrong["size"] = q.uneven(fixes)
		}
	}
	spec.Size = size
	switch q.Pace {
	case "", "none":
	case "step":
		spec.Pace.Step = true
	case "rate":
		spec.Pace.Rate, err = unit.ParseRate(q.Rate)
		if err != nil || spec.Pace.Rate < 1000 {
			wrong["rate"] = WrongField{Message: "run.wrong.rate", Values: locale.Values{"Given": q.Rate}, Fixes: rateReadings(q.Rate)}
		}
	default:
		wrong["pace"] = WrongField{Message: "run.wrong.pace"}
	}
	return spec, wrong
}

// apply fills in the fields that only some pairs look at; what stands in the
// others is not looked at here either.
func (q RunRequest) apply(spec *trace.Spec, count func(name, text string, least, most int) int, wrong map[string]WrongField) {
	if q.Backend != string(trace.MPI) { // which chooses by itself
		spec.Link = trace.Link(q.Link)
	}
	if spec.Link != "" && !slices.Contains(trace.Links(), spec.Link) {
		wrong["link"] = WrongField{Message: "run.wrong.choice", Values: locale.Values{"Given": q.Link}}
	}
	spec.DType = schedule.DType(q.DType)
	if q.DType != "" && !slices.Contains(schedule.DTypes(), spec.DType) {
		wrong["dtype"] = WrongField{Message: "run.wrong.choice", Values: locale.Values{"Given": q.DType}}
	}
	if spec.Collective.Reduces() {
		spec.Op = schedule.ReduceOp(q.Op)
		if q.Op != "" && !slices.Contains(schedule.ReduceOps(), spec.Op) {
			wrong["op"] = WrongField{Message: "run.wrong.choice", Values: locale.Values{"Given": q.Op}}
		}
	}
	if spec.Collective.Rooted() && q.Root != "" {
		root, err := strconv.Atoi(q.Root)
		if last := max(spec.Ranks-1, 0); err != nil || root < 0 || root > last {
			wrong["root"] = WrongField{
				Message: "run.wrong.number", Values: locale.Values{"Given": q.Root, "Least": 0, "Most": last}, Fixes: []string{strconv.Itoa(min(max(root, 0), last))}}
		}
		spec.Root = root
	}
	q.place(spec, wrong)
	if q.nodes() || q.Where == onNodes {
		spec.PerNode = count("ranks_per_node", q.PerNode, 0, trace.MaxRanks)
	}
}

// nodes reports whether an algorithm that may be taken looks at nodes.
func (q RunRequest) nodes() bool {
	return !q.called() && slices.ContainsFunc(runnable(), func(e schedule.Entry) bool {
		return e.Nodes && string(e.Collective) == q.Collective && (e.Algorithm == q.Algorithm || q.Algorithm == engine.Auto)
	})
}

// uneven says why a size cannot be cut.
func (q RunRequest) uneven(fixes []string) WrongField {
	values := locale.Values{"Given": q.Size, "Width": int(q.whole()), "Ranks": q.Ranks, "Whole": int(q.whole())}
	if schedule.Collective(q.Collective).Blocks() {
		return WrongField{Message: "run.wrong.blocks", Values: values, Fixes: fixes}
	}
	return WrongField{Message: "run.wrong.uneven", Values: values, Fixes: fixes}
}

// readings are the two sizes that a prefix without unit may mean.
func readings(given string) (sizes []string) {
	for _, suffix := range []string{"B", "iB"} {
		if text := strings.ReplaceAll(given, " ", "") + suffix; given != "" {
			if _, err := unit.ParseBytes(text); err == nil {
				sizes = append(sizes, text)
			}
		}
	}
	return sizes
}

// rateReadings are the rates that a number without a full unit may mean.
func rateReadings(given string) (rates []string) {
	for _, suffix := range []string{"/s", "B/s", "b/s", "MB/s"} {
		if text := strings.ReplaceAll(given, " ", "") + suffix; given != "" {
			if _, err := unit.ParseRate(text); err == nil {
				rates = append(rates, text)
			}
		}
	}
	return rates[:min(len(rates), 2)]
}

// Refused says which field the engine has refused, and why, in its own words;
// false if the error is about no field.
func Refused(err error) (field string, wrong WrongField, ok bool) {
	var bad *trace.FieldError
	var unbuilt *schedule.RequestError
	switch {
	case errors.As(err, &bad):
		field = bad.Field
	case errors.As(err, &unbuilt):
		field = unbuilt.Field
	default:
		return "", WrongField{}, false
	}
	switch field {
	case "collective":
		field = "algorithm"
	case "ranks-per-node":
		field = "ranks_per_node"
	}
	return field, WrongField{Message: "run.wrong.refused", Values: locale.Values{"Reason": err.Error()}}, true
}
