package present

import (
	"strconv"
	"strings"

	"lockstep/engine/trace"
	"lockstep/sizing/diagnose"
	"lockstep/views"
	"lockstep/views/locale"
)

// findingID is where the messages of a finding begin: what it is about, what
// that means, the evidence, and what to check. A test holds them against
// diagnose.Forms.
func findingID(code diagnose.Code, why string) string {
	id := "finding." + string(code)
	if why != "" {
		id += "." + why
	}
	return id
}

// findingLesson is where a finding is explained.
type findingLesson struct{ path, message string }

// findingLessons are the lessons that explain findings.
var findingLessons = map[diagnose.Code]findingLesson{
	diagnose.CollectiveUnknown: {"learn/bandwidth#factors", "diagnose.lesson.factors"},
	diagnose.RanksUnknown:      {"learn/bandwidth#factors", "diagnose.lesson.factors"},
	diagnose.RankCount:         {"learn/bandwidth#factors", "diagnose.lesson.factors"},
	diagnose.SmallOnly:         {"learn/bandwidth#which", "diagnose.lesson.which"},
	diagnose.AsExpected:        {"learn/bandwidth#calculator", "diagnose.lesson.calculator"},
	diagnose.Slow:              {"learn/bandwidth#wire", "diagnose.lesson.wire"},
	diagnose.AverageMisread:    {"learn/bandwidth#confusions", "diagnose.lesson.confusions"},
	diagnose.AboveTheWire:      {"learn/bandwidth#wire", "diagnose.lesson.wire"},
	diagnose.Impossible:        {"learn/bandwidth#wire", "diagnose.lesson.wire"},
	diagnose.TooFast:           {"learn/bandwidth#wire", "diagnose.lesson.wire"},
	diagnose.NUMA:              {"learn/topology", "diagnose.lesson.topology"},
	diagnose.SocketFallback:    {"learn/libraries", "diagnose.lesson.libraries"},
	diagnose.OneRail:           {"learn/topology", "diagnose.lesson.topology"},
	diagnose.FewNICs:           {"learn/topology", "diagnose.lesson.topology"},
	diagnose.FlatTopology:      {"learn/all-reduce/hierarchical", "diagnose.lesson.hierarchical"},
	diagnose.Cliff:             {"learn/bandwidth#which", "diagnose.lesson.which"},
}

// severities are the words and marks of findings.
var severities = map[diagnose.Severity]struct{ kind, message string }{
	diagnose.Critical: {"bad", "diagnose.severity.critical"},
	diagnose.Warn:     {"warn", "diagnose.severity.warning"},
	diagnose.Info:     {"info", "diagnose.severity.info"},
}

// finding presents one; lines are those of its log.
func (f Frame) finding(found diagnose.Finding, lines []string) views.DiagnoseFinding {
	l := f.Locale
	id, values := findingID(found.Code, found.Values["why"]), findingValues(found.Values)
	s := severities[found.Severity]
	v := views.DiagnoseFinding{
		Kind: s.kind, Word: l.T(s.message),
		Title: l.T(id, values), Means: l.T(id+".means", values), Evidence: l.T(id+".evidence", values), Check: l.T(id+".check", values),
		Quotes: quotesOf(found.Values, lines),
	}
	for _, line := range found.Commands {
		v.Commands = append(v.Commands, strings.Fields(line))
	}
	if lesson, has := findingLessons[found.Code]; has {
		v.Lesson = views.LessonLink{URL: f.homeURL() + lesson.path, Name: l.T(lesson.message)}
	}
	return v
}

// findingValues are the values of a finding as messages name them, with times
// as pages write them.
func findingValues(values trace.Values) locale.Values {
	all := locale.Values{}
	for name, value := range values {
		if strings.HasSuffix(name, "time") {
			value = micro(value)
		}
		all[strings.ToUpper(name[:1])+name[1:]] = value
	}
	return all
}

// mostQuoted is how long a quoted line is at most, in bytes.
const mostQuoted = 160

// quotesOf are the lines of a log that a finding speaks of.
func quotesOf(values trace.Values, lines []string) []views.DiagnoseQuote {
	var quotes []views.DiagnoseQuote
	for _, name := range []string{"line", "peak_line", "last_line", "small_line", "large_line"} {
		n, err := strconv.Atoi(values[name])
		if err != nil || n < 1 || n > len(lines) {
			continue
		}
		text := strings.Join(strings.Fields(lines[n-1]), " ")
		if len(text) > mostQuoted {
			text = strings.ToValidUTF8(text[:mostQuoted], "") + "…"
		}
		quotes = append(quotes, views.DiagnoseQuote{Line: strconv.Itoa(n), Text: text})
	}
	return quotes
}

// logNotes say what had to be assumed or left out when a log was read. A test
// holds them against the sources.
var logNotes = map[string]doubtForm{
	"guessed-gpu":         {"", nil, "diagnose.note.gpu"},
	"guessed-accelerator": {"", []string{"accelerator"}, "diagnose.note.accelerator"},
	"guessed-network":     {"", nil, "diagnose.note.network"},
	"guessed-nic-rate":    {"", []string{"rate"}, "diagnose.note.nic-rate"},
	"guessed-nodes":       {"", []string{"per_node"}, "diagnose.note.nodes"},
	"guessed-per-node":    {"", []string{"per_node"}, "diagnose.note.nodes"},
	"guessed-shape":       {"", []string{"per_node"}, "diagnose.note.shape"},
	"guessed-link":        {"", nil, "diagnose.note.link"},
	"lines-skipped":       {"", []string{"count"}, "diagnose.note.lines"},
	"rows-dropped":        {"", nil, "diagnose.note.rows"},
	"time-and-bandwidth":  {"", []string{"factor"}, "diagnose.note.time"},
	"name-and-columns":    {"", []string{"named", "found"}, "diagnose.note.columns"},
	"size-per-peer":       {"", nil, "diagnose.note.per-peer"},
	"stated-otherwise":    {"", []string{"what", "stated", "read"}, "diagnose.note.stated"},
	"own-log":             {"", []string{"machine", "ranks", "small", "large", "before"}, "diagnose.note.own-log"},
	"own-log-unused":      {"", []string{"machine"}, "diagnose.note.own-log-unused"},
}

// stateables name what can be stated.
var stateables = map[string]string{"collective": "diagnose.fact.collective", "ranks": "diagnose.fact.ranks", "nodes": "diagnose.fact.nodes"}

// logNote says a warning of a log in the visitor's language; one of another
// version keeps its own words.
func logNote(l locale.Locale, w trace.Warning) string {
	form, has := logNotes[w.Code]
	if !has || !form.fits(w.Values) {
		return w.Message
	}
	values := findingValues(w.Values)
	if id, is := stateables[w.Values["what"]]; is {
		values["What"] = l.T(id)
	}
	return l.T(form.message, values)
}
