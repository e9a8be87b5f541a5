package present

import (
	"maps"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/views"
	"lockstep/views/locale"
)

// called reports whether an MPI library shall carry the collective out by a call
// of its own.
func (q RunRequest) called() bool {
	return q.Backend == string(trace.MPI) && (q.Algorithm == schedule.LibraryCall || q.Algorithm == engine.Auto)
}

// offerOf finds what is known of a back end; nil where there is none.
func offerOf(offers []trace.Offer, backend string) *trace.Offer {
	at := slices.IndexFunc(offers, func(o trace.Offer) bool { return string(o.Backend) == backend })
	if at < 0 {
		return nil
	}
	return &offers[at]
}

// Backed brings the back end that a link asks for to one that there is. It goes
// before Prefilled.
func (q RunRequest) Backed(offers []trace.Offer) RunRequest {
	if q.Backend == "" && q.Algorithm == schedule.LibraryCall { // nobody else has one
		q.Backend = string(trace.MPI)
	}
	if q.Backend == "" || q.Backend == string(trace.Host) {
		return q
	}
	offer := offerOf(offers, q.Backend)
	switch {
	case offer == nil:
		var accepted []trace.Backend
		for _, o := range offers {
			accepted = append(accepted, o.Backend)
		}
		if len(accepted) == 0 {
			accepted = []trace.Backend{trace.Host}
		}
		q.notes = append(q.notes, note{message: "run.note.dtype", values: locale.Values{"Given": clipped(q.Backend), "Accepted": listOf(accepted), "Now": trace.Host}})
	case offer.Missing != "":
		why := lacking(*offer)
		q.notes = append(q.notes, note{message: "run.note.backend", why: &why})
	case q.Where == onNodes:
		q.notes = append(q.notes, note{message: "run.note.backend", why: &note{message: "run.backend.mpi.here"}})
	default:
		return q
	}
	q.Backend = string(trace.Host)
	if q.Algorithm == schedule.LibraryCall {
		q.Algorithm = ""
	}
	return q
}

// Unbacked says why the request's back end cannot carry it out on this console;
// false if it can.
func (q RunRequest) Unbacked(offers []trace.Offer) (WrongField, bool) {
	if q.Backend == "" || q.Backend == string(trace.Host) {
		return WrongField{}, false
	}
	offer := offerOf(offers, q.Backend)
	switch {
	case offer == nil:
		return WrongField{Message: "run.wrong.choice", Values: locale.Values{"Given": q.Backend}}, true
	case offer.Missing != "":
		why := lacking(*offer)
		return WrongField{Message: why.message, Values: why.values}, true
	}
	return WrongField{}, false
}

// lacking says why a back end is not there.
func lacking(o trace.Offer) note {
	said := o.Said
	if runes := []rune(said); len(runes) > 160 { // the loader's words on every place where it looked
		said = string(runes[:160]) + "…"
	}
	id := map[trace.Missing]string{
		trace.NoSystem: "run.backend.missing.system", trace.NoLauncher: "run.backend.missing.launcher", trace.OddLauncher: "run.backend.missing.kind",
		trace.DumbLauncher: "run.backend.missing.unanswered", trace.RefusesRoot: "run.backend.missing.root", trace.NoLibrary: "run.backend.missing.library",
	}[o.Missing]
	return note{message: id, values: locale.Values{"Said": strings.TrimSpace(said)}}
}

// runBackend offers those who can move the bytes; nil where nobody says which there are.
func (f Frame) runBackend(d RunDraft) *views.RunBackend {
	if len(d.Offers) == 0 {
		return nil
	}
	l, q := f.Locale, d.Request
	b := &views.RunBackend{Label: l.T("run.backend")}
	for _, o := range d.Offers {
		c := views.Choice{
			Value: string(o.Backend), Label: l.T("run.backend.host"), Hint: l.T("run.backend.host.text"),
			Chosen: q.Backend == string(o.Backend) || q.Backend == "" && o.Backend == trace.Host,
		}
		if o.Backend == trace.MPI {
			c.Label, c.Hint = l.T("run.backend.mpi"), l.T("run.backend.mpi.text")
			if o.Library != nil {
				c.Label = l.T("run.backend.mpi.by", locale.Values{"Library": libraryWords(*o.Library)})
			}
			if len(d.Nodes) > 0 || q.Where == onNodes {
				c.Hint = sentences(l, c.Hint, l.T("run.backend.mpi.here"))
			}
		}
		if o.Missing != "" {
			c.Hint = lacking(o).says(l)
			c.Barred = !c.Chosen // else it would be lost with the next click
		}
		b.Choices = append(b.Choices, c)
	}
	if w, bad := d.Wrong["backend"]; bad {
		b.Wrong = l.T(w.Message, w.Values)
		for _, fix := range w.Fixes {
			query := q.query()
			query.Set("backend", fix)
			label := l.T("run.backend.host")
			if fix == string(trace.MPI) {
				label = l.T("run.backend.mpi")
			}
			b.Fixes = append(b.Fixes, views.Fix{URL: f.homeURL() + "runs/new?" + query.Encode(), Label: l.T("run.fix", locale.Values{"Value": label})})
		}
	}
	return b
}

// back fills in who moves the bytes, and refuses what an MPI library's own call
// does not have. What a library decides by itself, such as the link, is not
// looked at.
func (q RunRequest) back(spec *trace.Spec, wrong map[string]WrongField) {
	switch spec.Backend = trace.Backend(q.Backend); spec.Backend {
	case "", trace.Host:
		if q.Algorithm == schedule.LibraryCall {
			wrong["backend"] = WrongField{Message: "run.wrong.backend.library", Fixes: []string{string(trace.MPI)}}
		}
		return
	case trace.MPI:
	default:
		wrong["backend"] = WrongField{Message: "run.wrong.choice", Values: locale.Values{"Given": q.Backend}}
		return
	}
	if q.Where == onNodes {
		wrong["backend"] = WrongField{Message: "run.wrong.backend.nodes", Fixes: []string{string(trace.Host)}}
	}
	maps.Copy(wrong, q.lacks())
}

// lacks says what MPI's own call does not have of what is asked for, by field.
func (q RunRequest) lacks() map[string]WrongField {
	if !q.called() {
		return nil
	}
	wrong := map[string]WrongField{}
	c := schedule.Collective(q.Collective)
	if c.Reduces() {
		switch t := schedule.DType(q.DType); t {
		case schedule.Float16, schedule.BFloat16:
			wrong["dtype"] = WrongField{Message: "run.wrong.mpi.dtype", Values: locale.Values{"Given": t, "Accepted": listOf(mpiDTypes())}}
		}
		if schedule.ReduceOp(q.Op) == schedule.Avg {
			wrong["op"] = WrongField{Message: "run.wrong.mpi.op", Values: locale.Values{"Accepted": listOf(mpiOps())}}
		}
	}
	if q.Pace != "" && q.Pace != "none" {
		wrong["pace"] = WrongField{Message: "run.wrong.mpi.pace"}
	}
	if number(q.Chunks) > 0 {
		wrong["chunks"] = WrongField{Message: "run.wrong.mpi.chunks"}
	}
	if number(q.Slices) > 1 && (c == schedule.ReduceScatter || c == schedule.Barrier) {
		wrong["slices"] = WrongField{Message: "run.wrong.mpi.slices", Fixes: []string{"1"}}
	}
	return wrong
}

// mpiDTypes are the types that MPI's own reductions have.
func mpiDTypes() []schedule.DType {
	return slices.DeleteFunc(schedule.DTypes(), func(t schedule.DType) bool { return t == schedule.Float16 || t == schedule.BFloat16 })
}

// mpiOps are the reductions that MPI has.
func mpiOps() []schedule.ReduceOp {
	return slices.DeleteFunc(schedule.ReduceOps(), func(op schedule.ReduceOp) bool { return op == schedule.Avg })
}

// suited brings what a link asks of MPI's own call to what it has.
func (q RunRequest) suited() RunRequest {
	wrong := q.lacks()
	for _, f := range []struct {
		name    string
		of      *string
		now     string
		message string
	}{
		{"dtype", &q.DType, string(schedule.Float32), "run.note.mpi"}, {"op", &q.Op, string(schedule.Sum), "run.note.mpi"},
		{"pace", &q.Pace, "none", "run.note.mpi.pace"}, {"chunks", &q.Chunks, "", "run.note.mpi.empty"}, {"slices", &q.Slices, "1", "run.note.mpi"},
	} {
		if why, bad := wrong[f.name]; bad {
			*f.of = f.now
			q.notes = append(q.notes, note{message: f.message, values: locale.Values{"Now": f.now}, why: &note{message: why.Message, values: why.Values}})
		}
	}
	if q.called() && q.Pace == "" {
		q.Pace = "none"
	}
	return q
}

// libraryWords is a library by name and version.
func libraryWords(library trace.Library) string {
	return strings.TrimSpace(library.Name + " " + library.Version)
}
