package present

import (
	"maps"
	"strings"

	"lockstep/engine/trace"
	"lockstep/views/locale"
)

// doubtForm says in which message a warning is said. A code may have several
// cases: the one that counts is the first whose "why", if it names one, is that
// of the warning, and all of whose values are there.
type doubtForm struct {
	why     string
	values  []string // which the message needs
	message string
}

// runDoubts are the forms of all codes. A test holds them against the sources.
var runDoubts = map[string][]doubtForm{
	"assumed-latency": {{"", []string{"latency"}, "run.doubt.latency"}},
	"assumed-network": {{"", []string{"latency", "bandwidth", "algorithm"}, "run.doubt.network"}},
	"fitted": {
		{"", []string{"latency", "bandwidth", "runs", "percent", "ranks", "least", "most"}, "run.doubt.fit.ranks.outside"},
		{"", []string{"latency", "bandwidth", "runs", "percent", "least", "most"}, "run.doubt.fit.any.outside"},
		{"", []string{"latency", "bandwidth", "runs", "percent", "ranks"}, "run.doubt.fit.ranks"},
		{"", []string{"latency", "bandwidth", "runs", "percent"}, "run.doubt.fit.any"},
	},
	"calibrated": {
		{"same", []string{"made", "link", "low", "high"}, "run.doubt.calibrated.same"},
		{"beyond", []string{"made", "link", "low", "high"}, "run.doubt.calibrated.beyond"},
		{"ranks", []string{"made", "link", "low", "high"}, "run.doubt.calibrated.ranks"},
		{"others", []string{"made", "link", "low", "high"}, "run.doubt.calibrated.others"},
		{"unlike", []string{"made", "link", "low", "high"}, "run.doubt.calibrated.unlike"},
	},
	"no-prediction": {
		{"step", nil, "run.doubt.none.step"},
		{"single", nil, "run.doubt.none.single"},
		{"too-few", []string{"sizes", "needed"}, "run.doubt.none.few"},
		{"alike", nil, "run.doubt.none.alike"},
		{"no-bytes", []string{"percent"}, "run.doubt.none.bytes"},
		{"disagree", []string{"percent"}, "run.doubt.none.disagree"},
		{"library", nil, "run.doubt.none.library"},
		{"kept", nil, "run.doubt.none.kept"},
		{"unread", []string{"reason"}, "run.doubt.none.unread"},
		{"unprobed", nil, "run.doubt.none.unprobed"},
		{"uncalibrated", []string{"node"}, "run.doubt.none.uncalibrated"},
	},
	"probed": {
		{"", []string{"latency", "bandwidth", "from", "to", "made"}, "run.doubt.probed.narrow"},
		{"", []string{"latency", "bandwidth", "made"}, "run.doubt.probed"},
	},
	"physics-only": {{"", []string{"least", "most"}, "run.doubt.physics"}},
	"rough-form":   {{"", nil, "run.doubt.rough"}},
	"slow-rank":    {{"", []string{"rank", "seconds", "own", "others"}, "run.slow"}},
	"not-saved":    {{"", []string{"reason"}, "run.doubt.unsaved"}},
	"unreadable":   {{"", []string{"reason"}, "run.doubt.unreadable"}},
}

func (s *sight) doubts() []string { return doubts(s.Locale, s.Run.Warnings) }

func doubts(l locale.Locale, warnings []trace.Warning) []string {
	var all []string
	for _, w := range warnings {
		all = append(all, doubt(l, w))
	}
	return all
}

// doubt says one warning in the visitor's language.
func doubt(l locale.Locale, w trace.Warning) string {
	for _, form := range runDoubts[w.Code] {
		if form.fits(w.Values) {
			return l.T(form.message, said(l, w.Values))
		}
	}
	// One of another version. Its own words are English, so elsewhere is said
	// where they stand.
	reason := w.Message
	if l.Lang() != locale.English {
		reason = l.T("run.doubt.words")
	}
	return l.T("run.doubt.other", locale.Values{"Reason": reason})
}

func (f doubtForm) fits(values trace.Values) bool {
	if f.why != "" && f.why != values["why"] {
		return false
	}
	for _, name := range f.values {
		if _, there := values[name]; !there {
			return false
		}
	}
	return true
}

// said are the values of a warning or a failure as messages name them, with a
// capital, and its rank and its algorithm as pages name those.
func said(l locale.Locale, values trace.Values) locale.Values {
	all := locale.Values{}
	for name, value := range maps.All(values) {
		switch name {
		case "":
			continue
		case "rank":
			value = l.T("run.rank", locale.Values{"Rank": value})
		case "algorithm":
			value = l.T("algorithm." + value)
		default:
			value = micro(value)
		}
		all[strings.ToUpper(name[:1])+name[1:]] = value
	}
	return all
}

// lags names the slow ranks of a run under way.
func (s *sight) lags() (texts []string) {
	for _, w := range s.Run.Warnings {
		if w.Code == "slow-rank" && !s.Run.Outcome.Final() {
			texts = append(texts, doubt(s.Locale, w))
		}
	}
	return texts
}
