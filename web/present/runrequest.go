package present

import (
	"errors"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/views/locale"
)

// Defaults of the form.
const (
	defaultSize = "64MiB"
	// watchedSeconds is how long a run that is paced for eyes should last.
	watchedSeconds = 15
)

// RunRequest is what the form for a run holds, as it was typed.
type RunRequest struct {
	Collective, Algorithm      string
	Ranks, Size                string
	Chunks, Iterations, Slices string // empty leaves it to the program
	Pace, Rate                 string // pace is none, rate or step
	notes                      []note
}

// note says that a value which came along was changed.
type note struct {
	message string
	values  locale.Values
}

// WrongField is what is wrong with a field of a RunRequest.
type WrongField struct {
	Message string        // id
	Values  locale.Values // of the message
	Fixes   []string      // values that would do
}

// ReadRunRequest reads a form. The pair of collective and algorithm comes in
// one field or in two.
func ReadRunRequest(form url.Values) RunRequest {
	get := func(name string) string { return strings.TrimSpace(form.Get(name)) }
	q := RunRequest{
		Collective: get("collective"), Algorithm: get("algorithm"), Ranks: get("n"), Size: get("size"), Chunks: get("chunks"),
		Iterations: get("iterations"), Slices: get("slices"), Pace: get("pace"), Rate: get("rate"),
	}
	if q.Ranks == "" { // as the command line calls it
		q.Ranks = get("ranks")
	}
	if _, err := unit.ParseRate(q.Pace); err == nil {
		q.Pace, q.Rate = "rate", q.Pace
	}
	if collective, algorithm, found := strings.Cut(get("pair"), "/"); found {
		q.Collective, q.Algorithm = collective, algorithm
	}
	return q
}

// Prefilled fills what is missing and brings what cannot be used to the
// nearest that can: a link from elsewhere never leads to an error. Most is the
// number of ranks that this machine offers.
func (q RunRequest) Prefilled(most int) RunRequest {
	change := func(field *string, to, message string, values locale.Values) {
		if *field != "" && *field != to {
			q.notes = append(q.notes, note{message, values})
		}
		*field = to
	}
	if !slices.ContainsFunc(runnable(), func(e schedule.Entry) bool { return string(e.Collective) == q.Collective }) {
		change(&q.Collective, string(schedule.AllReduce), "run.note.collective", locale.Values{"Given": q.Collective})
		if len(q.notes) > 0 { // the algorithm was one for what there is not
			q.Algorithm = ""
		}
	}
	if q.Algorithm == "" {
		q.Algorithm = q.first()
	} else if q.Algorithm != engine.Auto && !q.pairExists() {
		change(&q.Algorithm, q.first(), "run.note.algorithm", locale.Values{"Given": q.Algorithm})
	}
	if n, err := strconv.Atoi(q.Ranks); err != nil || n < 1 || n > most {
		nearest := most
		if err == nil && n < 1 {
			nearest = 1
		}
		change(&q.Ranks, strconv.Itoa(nearest), "run.note.ranks", locale.Values{"Given": q.Ranks, "Most": most, "Ranks": nearest})
	}
	if q.Size == "" {
		q.Size = defaultSize
	}
	if size, err := unit.ParseBytes(q.Size); err != nil || size > trace.MaxSize {
		change(&q.Size, defaultSize, "run.note.size", locale.Values{"Given": q.Size, "Size": defaultSize})
	} else if fixes := q.sizesNear(size); len(fixes) > 0 {
		change(&q.Size, fixes[len(fixes)-1], "run.note.size", locale.Values{"Given": q.Size, "Size": fixes[len(fixes)-1]})
	}
	for _, count := range []*string{&q.Chunks, &q.Iterations, &q.Slices} {
		if n, err := strconv.Atoi(*count); err != nil || n < 1 {
			*count = ""
		}
	}
	switch q.Pace {
	case "none", "step":
	case "rate":
		if _, err := unit.ParseRate(q.Rate); err != nil {
			q.Rate = q.watchable()
		}
	default:
		q.Pace = "rate"
		if _, err := unit.ParseRate(q.Rate); err != nil {
			q.Rate = q.watchable()
		}
		if q.Rate == "" { // nothing moves between ranks
			q.Pace = "none"
		}
	}
	return q
}

// runnable lists what hosts can carry out.
func runnable() []schedule.Entry {
	return slices.DeleteFunc(schedule.Catalog(), func(e schedule.Entry) bool { return !e.Executable })
}

func (q RunRequest) pairExists() bool {
	return slices.ContainsFunc(runnable(), func(e schedule.Entry) bool {
		return string(e.Collective) == q.Collective && e.Algorithm == q.Algorithm
	})
}

// first is the algorithm that is offered for a collective: the ring, where
// there is one, because it is the one to see.
func (q RunRequest) first() string {
	first := engine.Auto
	for _, e := range runnable() {
		if string(e.Collective) != q.Collective {
			continue
		}
		if e.Algorithm == "ring" {
			return "ring"
		}
		if first == engine.Auto {
			first = e.Algorithm
		}
	}
	return first
}

// watchable returns the rate of the ports with which the run lasts about
// watchedSeconds, by the closed form of its bytes; empty where there are none.
func (q RunRequest) watchable() string {
	ranks, err1 := strconv.Atoi(q.Ranks)
	size, err2 := unit.ParseBytes(q.Size)
	if err1 != nil || err2 != nil {
		return ""
	}
	const rate = 1e9
	question := cost.Question{
		Collective: schedule.Collective(q.Collective), Ranks: ranks, Size: size, Network: cost.Network{Bandwidth: rate},
	}
	price, err := question.Fastest()
	if q.Algorithm != engine.Auto {
		price, err = question.Price(q.Algorithm)
	}
	if err != nil || price.Time <= 0 {
		return ""
	}
	perSecond := float64(price.Time) * rate / watchedSeconds
	// To two digits: nobody types more.
	unitOf := math.Pow(10, math.Floor(math.Log10(perSecond))-1)
	return strings.ReplaceAll(unit.Rate(max(1000, math.Round(perSecond/unitOf)*unitOf)).String(), " ", "")
}

// sizesNear returns the two sizes nearest to one that cannot be cut into
// elements and blocks, none if it can.
func (q RunRequest) sizesNear(size unit.Bytes) []string {
	whole := unit.Bytes(schedule.Float32.Width())
	if n, err := strconv.Atoi(q.Ranks); err == nil && n > 0 && schedule.Collective(q.Collective).Blocks() {
		whole *= unit.Bytes(n)
	}
	below := size / whole * whole
	if below == size {
		return nil
	}
	return []string{compact(below), compact(below + whole)}
}

// Spec returns what is asked for, or what is wrong with the fields, by name.
func (q RunRequest) Spec(most int) (trace.Spec, map[string]WrongField) {
	wrong := map[string]WrongField{}
	spec := trace.Spec{Collective: schedule.Collective(q.Collective), Algorithm: q.Algorithm}
	if q.Algorithm != engine.Auto && !q.pairExists() || !spec.Collective.Known() {
		wrong["algorithm"] = WrongField{Message: "run.wrong.pair"}
	}
	number := func(name, text string, least, most int) (n int) {
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
	spec.Ranks = number("ranks", q.Ranks, 1, most)
	spec.Chunks = number("chunks", q.Chunks, 0, 1<<12)
	spec.Iterations = number("iterations", q.Iterations, 0, trace.MaxIterations)
	spec.Slices = number("slices", q.Slices, 0, trace.MaxSlices)
	size, err := unit.ParseBytes(q.Size)
	switch {
	case err != nil:
		wrong["size"] = WrongField{Message: "run.wrong.size", Values: locale.Values{"Given": q.Size}, Fixes: readings(q.Size)}
	case size > trace.MaxSize:
		wrong["size"] = WrongField{Message: "run.wrong.toolarge", Values: locale.Values{"Given": q.Size, "Most": trace.MaxSize.String()}}
	default:
		if fixes := q.sizesNear(size); len(fixes) > 0 {
			wrong["size"] = WrongField{Message: "run.wrong.uneven", Values: locale.Values{"Given": q.Size}, Fixes: fixes}
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
	if field == "collective" {
		field = "algorithm"
	}
	return field, WrongField{Message: "run.wrong.refused", Values: locale.Values{"Reason": err.Error()}}, true
}

// query is the request as the query of /runs/new.
func (q RunRequest) query() url.Values {
	values := url.Values{"collective": {q.Collective}, "algorithm": {q.Algorithm}, "n": {q.Ranks}, "size": {q.Size}, "pace": {q.Pace}}
	for name, value := range map[string]string{"chunks": q.Chunks, "iterations": q.Iterations, "slices": q.Slices, "rate": q.Rate} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}
