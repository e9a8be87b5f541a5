package present

import (
	"strings"

	"lockstep/engine/schedule"
	"lockstep/views/locale"
)

// The names of the domain in a language. Every page that says one takes it
// from here; the messages stand in terms.zh.json and terms.en.json.

func collectiveMessage(c schedule.Collective) string { return "collective." + string(c) }

func collectiveName(l locale.Locale, c schedule.Collective) string {
	return l.T(collectiveMessage(c))
}

func algorithmName(l locale.Locale, algorithm string) string { return l.T("algorithm." + algorithm) }

// pairName is a collective by one of its algorithms, as a heading.
func pairName(l locale.Locale, c schedule.Collective, algorithm string) string {
	switch string(c) + "/" + algorithm {
	case "all-to-all/pairwise":
		return l.T("lesson.pairwise.name")
	case "send-recv/direct":
		return l.T("lesson.shift.name")
	}
	return capital(l.T("lesson.name", locale.Values{"Algorithm": algorithmName(l, algorithm), "Collective": collectiveName(l, c)}))
}

// pairWhen says when a pair is the right one.
func pairWhen(l locale.Locale, c schedule.Collective, algorithm string) string {
	return capital(l.T("pair." + string(c) + "." + algorithm))
}

// pairWhat says in two sentences what a pair does, and how.
func pairWhat(l locale.Locale, c schedule.Collective, algorithm string) string {
	return l.T("lesson.what", locale.Values{"Collective": l.T(collectiveMessage(c) + ".line"), "Algorithm": l.T("algorithm." + algorithm + ".line")})
}

// phaseTerm names a phase by its key.
func phaseTerm(l locale.Locale, key string) string { return l.T("phase." + key) }

// invariantTerm says what an invariant promises; root is that of the schedule.
func invariantTerm(l locale.Locale, s *schedule.Schedule, i schedule.Invariant) string {
	id := "invariant." + i.String()
	if i == schedule.OwnBlock && s.Root > 0 && s.Collective != schedule.Scatter {
		id += ".root"
	}
	if s.Collective == schedule.Barrier {
		id += ".barrier"
	}
	return l.T(id, locale.Values{"Root": max(s.Root, 0), "Ranks": s.Ranks})
}

// portTerm names the port at which the bytes of a term queue.
func portTerm(l locale.Locale, p schedule.Port) string {
	return l.T("port." + strings.ReplaceAll(p.String(), " ", "-"))
}
