package present

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/engine/sweep"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views/locale"
)

// Ways of a comparison, as the form names them.
const (
	wayHost    = "host"    // our executor
	wayLibrary = "library" // MPI's own call
	wayOurs    = "ours"    // our schedule over MPI's sends
)

// Range of a comparison where nothing else is asked for: from what latency
// decides to what bandwidth decides.
const defaultFrom, defaultTo, defaultFactor = "1KiB", "16MiB", "4"

// SweepRequest is what the form for a comparison holds, as it was typed.
type SweepRequest struct {
	Run              RunRequest // what all runs have in common
	From, To, Factor string
	Ways             []string
}

// ReadSweepRequest reads a form.
func ReadSweepRequest(form url.Values) SweepRequest {
	get := func(name string) string { return strings.TrimSpace(form.Get(name)) }
	q := SweepRequest{Run: ReadRunRequest(form), From: get("from"), To: get("to"), Factor: strings.TrimPrefix(get("factor"), "x")}
	q.Run.Backend = "" // the ways say
	for _, way := range form["way"] {
		if slices.Contains([]string{wayHost, wayLibrary, wayOurs}, way) && !slices.Contains(q.Ways, way) {
			q.Ways = append(q.Ways, way)
		}
	}
	return q
}

// Prefilled fills what is missing and brings what cannot be used to the nearest
// that can. Most is the number of ranks that this machine offers.
func (q SweepRequest) Prefilled(most int) SweepRequest {
	if q.Run.Collective == string(schedule.Barrier) { // it moves nothing
		q.Run.Collective, q.Run.Algorithm = "", ""
	}
	if q.Run.Algorithm == "" || q.Run.Algorithm == schedule.LibraryCall {
		q.Run.Algorithm = string(trace.Auto)
	}
	q.Run.Size = "" // a size that came along is no range
	q.Run = q.Run.Prefilled(most)
	for field, value := range map[*string]string{&q.From: defaultFrom, &q.To: defaultTo, &q.Factor: defaultFactor} {
		if *field == "" {
			*field = value
		}
	}
	if len(q.Ways) == 0 {
		q.Ways = []string{wayHost, wayLibrary, wayOurs}
	}
	return q
}

// query is the request as a query of the form's address.
func (q SweepRequest) query() url.Values {
	values := url.Values{"pair": {q.Run.Collective + "/" + q.Run.Algorithm}, "n": {q.Run.Ranks}, "from": {q.From}, "to": {q.To}, "factor": {q.Factor}, "way": q.Ways}
	for name, value := range map[string]string{"dtype": q.Run.DType, "op": q.Run.Op, "root": q.Run.Root, "link": q.Run.Link} {
		if value != "" {
			values.Set(name, value)
		}
	}
	return values
}

// Request returns what is asked for, or what is wrong with the fields, by name.
func (q SweepRequest) Request(most int) (sweep.Request, map[string]WrongField) {
	common := q.Run
	common.Size, common.Pace, common.Where, common.Nodes = "0", "none", "", nil // sizes are the range's
	base, wrong := common.Spec(most)
	r := sweep.Request{Base: base}
	for _, bound := range []struct {
		name, text string
		into       *unit.Bytes
	}{{"from", q.From, &r.Range.First}, {"to", q.To, &r.Range.Last}} {
		size, err := unit.ParseBytes(bound.text)
		switch {
		case err != nil:
			wrong[bound.name] = WrongField{Message: "run.wrong.size", Values: locale.Values{"Given": bound.text}, Fixes: readings(bound.text)}
		case size > trace.MaxSize:
			wrong[bound.name] = WrongField{Message: "run.wrong.toolarge", Values: locale.Values{"Given": bound.text, "Most": trace.MaxSize.String()}}
		case size < 1:
			wrong[bound.name] = WrongField{Message: "sweep.wrong.least", Values: locale.Values{"Given": bound.text}}
		}
		*bound.into = size
	}
	var err error
	if r.Range.Factor, err = strconv.Atoi(q.Factor); err != nil || r.Range.Factor < 2 {
		wrong["factor"] = WrongField{Message: "sweep.wrong.factor", Values: locale.Values{"Given": q.Factor}}
	}
	for _, way := range q.Ways {
		switch way {
		case wayHost:
			r.Ways = append(r.Ways, sweep.Way{Backend: trace.Host, Algorithm: q.Run.Algorithm})
		case wayLibrary:
			r.Ways = append(r.Ways, sweep.Way{Backend: trace.MPI, Algorithm: schedule.LibraryCall})
		case wayOurs:
			r.Ways = append(r.Ways, sweep.Way{Backend: trace.MPI, Algorithm: sweep.Named(base.Collective, q.Run.Algorithm)})
		}
	}
	if len(r.Ways) == 0 {
		wrong["way"] = WrongField{Message: "sweep.wrong.ways"}
	}
	if len(wrong) > 0 {
		return r, wrong
	}
	if r.Range.Last < r.Range.First {
		wrong["to"] = WrongField{Message: "sweep.wrong.order", Values: locale.Values{"From": q.From, "Given": q.To}, Fixes: []string{q.From}}
	} else if _, err := r.Resolve(); err != nil {
		field, refused, ok := Refused(err)
		switch {
		case !ok:
			field, refused = "algorithm", WrongField{Message: "run.wrong.refused", Values: locale.Values{"Reason": err.Error()}}
		case field == "sweep":
			field, refused = "factor", WrongField{Message: "sweep.wrong.many", Values: locale.Values{"Most": sweep.MaxSizes}}
		case base.Collective == schedule.Barrier:
			refused = WrongField{Message: "sweep.wrong.barrier"}
		}
		wrong[field] = refused
	}
	return r, wrong
}

// again is the request that a comparison was made of.
func again(c sweep.Comparison) SweepRequest {
	b := c.Request.Base
	q := SweepRequest{
		Run:  RunRequest{Collective: string(b.Collective), Algorithm: string(trace.Auto), Ranks: strconv.Itoa(b.Ranks), DType: string(b.DType), Op: string(b.Op), Link: string(b.Link)},
		From: compact(c.Request.Range.First), To: compact(c.Request.Range.Last), Factor: strconv.Itoa(c.Request.Range.Factor),
	}
	if b.Collective.Rooted() {
		q.Run.Root = strconv.Itoa(b.Root)
	}
	for _, way := range c.Request.Ways {
		switch {
		case way.Backend == trace.Host:
			q.Run.Algorithm = way.Algorithm
			q.Ways = append(q.Ways, wayHost)
		case way.Algorithm == schedule.LibraryCall:
			q.Ways = append(q.Ways, wayLibrary)
		default:
			q.Ways = append(q.Ways, wayOurs)
		}
	}
	return q
}
