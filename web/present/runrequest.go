package present

import (
	"net/url"
	"strings"

	"lockstep/engine/unit"
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
	Backend                    string // empty for host
	Ranks, Size                string
	Root, PerNode              string // empty for rank 0 and for two nodes
	DType, Op                  string // empty for float32 and sum
	Link                       string // empty for auto
	Chunks, Iterations, Slices string // empty leaves it to the program
	Pace, Rate                 string // pace is none, rate or step
	Where                      string // here or nodes
	Nodes                      []string
	Encryption                 string // empty for on
	notes                      []note
}

// note says that a value which came along was changed.
type note struct {
	message string
	values  locale.Values
	why     *note // which comes first; nil where the message says it
}

func (n note) says(l locale.Locale) string {
	text := l.T(n.message, n.values)
	if n.why != nil {
		text = sentences(l, n.why.says(l), text)
	}
	return text
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
		Root: get("root"), PerNode: get("ranks-per-node"), DType: get("dtype"), Op: get("op"), Link: get("link"),
		Where: get("where"), Encryption: get("encryption"), Backend: get("backend"),
	}
	q.Nodes = readNodes(form)
	if q.Where == "" && len(q.Nodes) > 0 {
		q.Where = onNodes
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

// query is the request as the query of /runs/new.
func (q RunRequest) query() url.Values {
	values := url.Values{"collective": {q.Collective}, "algorithm": {q.Algorithm}, "n": {q.Ranks}, "size": {q.Size}, "pace": {q.Pace}}
	for name, value := range map[string]string{
		"chunks": q.Chunks, "iterations": q.Iterations, "slices": q.Slices, "rate": q.Rate,
		"root": q.Root, "ranks-per-node": q.PerNode, "dtype": q.DType, "op": q.Op, "link": q.Link, "backend": q.Backend,
	} {
		if value != "" {
			values.Set(name, value)
		}
	}
	q.whereTo(values)
	return values
}
