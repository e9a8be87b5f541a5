package present

import (
	"net/url"
	"slices"
	"strings"

	"lockstep/cluster/inventory"
	"lockstep/engine/trace"
	"lockstep/views"
	"lockstep/views/locale"
)

// Where a run can be, as the form says it.
const (
	onHere  = "here"
	onNodes = "nodes"
)

// readNodes reads the names of nodes: a field for each, as boxes are sent, or
// one with commas, as the command line has it.
func readNodes(form url.Values) []string {
	var names []string
	for _, value := range append(slices.Clone(form["node"]), strings.Split(form.Get("nodes"), ",")...) {
		if name := strings.TrimSpace(value); name != "" && !slices.Contains(names, name) && len(names) < trace.MaxRanks {
			names = append(names, name)
		}
	}
	return names
}

// whereTo adds where the run is to be to a query.
func (q RunRequest) whereTo(values url.Values) {
	if q.Where == "" {
		return
	}
	values.Set("where", q.Where)
	if len(q.Nodes) > 0 {
		values["node"] = slices.Clone(q.Nodes)
	}
	if q.Encryption != "" {
		values.Set("encryption", q.Encryption)
	}
}

// most is the most ranks that can be asked for, given how many this machine
// offers. How many a node takes it says itself.
func (q RunRequest) most(here int) int {
	if q.Where == onNodes {
		return trace.MaxRanks
	}
	return here
}

// place fills in where the ranks are to be.
func (q RunRequest) place(spec *trace.Spec, wrong map[string]WrongField) {
	switch q.Where {
	case "", onHere:
		return
	case onNodes:
	default:
		wrong["nodes"] = WrongField{Message: "run.wrong.choice", Values: locale.Values{"Given": q.Where}}
		return
	}
	if len(q.Nodes) == 0 {
		wrong["nodes"] = WrongField{Message: "nodes.where.none"}
	}
	spec.Nodes = q.Nodes
	switch spec.Encryption = trace.Encryption(q.Encryption); spec.Encryption {
	case "", trace.Sealed, trace.Plain:
	default:
		wrong["encryption"] = WrongField{Message: "run.wrong.choice", Values: locale.Values{"Given": q.Encryption}}
	}
}

// runWhere offers the machines that a run can be on, nil where there is this
// one alone and nothing else was asked for.
func (f Frame) runWhere(d RunDraft) *views.RunWhere {
	if len(d.Nodes) == 0 && d.Request.Where != onNodes {
		return nil
	}
	l, q := f.Locale, d.Request
	w := &views.RunWhere{Label: l.T("nodes.where"), NodesLabel: l.T("nodes.title"), EncLabel: l.T("nodes.where.encryption")}
	for _, place := range []struct{ value, label string }{{onHere, "nodes.where.here"}, {onNodes, "nodes.where.nodes"}} {
		w.Places = append(w.Places, views.Choice{
			Value: place.value, Label: l.T(place.label), Hint: l.T(place.label+".text", locale.Values{"Most": d.LocalRanks}),
			Chosen: q.Where == place.value || q.Where == "" && place.value == onHere})
	}
	for _, m := range d.Nodes {
		w.Nodes = append(w.Nodes, nodeChoice(l, q, m))
	}
	for _, name := range q.Nodes { // what was asked for and is not there any more
		if !slices.ContainsFunc(d.Nodes, func(m inventory.Member) bool { return m.Name == name }) {
			w.Nodes = append(w.Nodes, views.Choice{Value: name, Label: name, Hint: l.T("nodes.where.gone"), Chosen: true})
		}
	}
	for _, c := range []struct {
		value trace.Encryption
		label string
	}{{trace.Sealed, "nodes.where.sealed"}, {trace.Plain, "nodes.where.plain"}} {
		w.Encryption = append(w.Encryption, views.Choice{
			Value: string(c.value), Label: l.T(c.label), Hint: l.T(c.label + ".text"),
			Chosen: q.Encryption == string(c.value) || q.Encryption == "" && c.value == trace.Sealed})
	}
	if wrong, bad := d.Wrong["nodes"]; bad {
		w.Wrong = l.T(wrong.Message, wrong.Values)
	}
	if wrong, bad := d.Wrong["encryption"]; bad {
		w.EncWrong = l.T(wrong.Message, wrong.Values)
	}
	return w
}

// nodeChoice is a node in the form; one that takes no runs cannot be chosen.
func nodeChoice(l locale.Locale, q RunRequest, m inventory.Member) views.Choice {
	c := views.Choice{Value: m.Name, Label: m.Name, Chosen: slices.Contains(q.Nodes, m.Name), Barred: m.Standing != inventory.Ready}
	var has []string
	for _, standing := range standings {
		if c.Barred && standing.of == m.Standing {
			has = append(has, l.T(standing.word))
		}
	}
	if m.Node.CPUs > 0 {
		has = append(has, l.T("nodes.topology.cpus", locale.Values{"Count": m.Node.CPUs}))
	}
	if m.Node.Memory > 0 {
		has = append(has, memory(m.Node.Memory))
	}
	if limits := limitWords(l, m.Limits); limits != "" {
		has = append(has, limits)
	}
	c.Hint = joined(l, has)
	return c
}
