package present

import (
	"strings"

	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/locale"
)

// records say what the program has put on record of a failure, one message for
// where the step is known and one for where it is not. The sentence in the
// document is English and counts raw rounds; this one counts steps as the page
// does.
var records = map[trace.FailureKind][2]string{
	trace.ProcessDied:    {"run.record.died.step", "run.record.died"},
	trace.ProcessFrozen:  {"run.record.frozen.step", "run.record.frozen"},
	trace.LinkStalled:    {"run.record.stalled.step", "run.record.stalled"},
	trace.WrongResult:    {"run.record.wrong", "run.record.wrong"},
	trace.StartFailed:    {"run.record.nostart", "run.record.nostart"},
	trace.AgentLost:      {"run.record.lost.step", "run.record.lost"},
	trace.NodeLimit:      {"run.record.limit.step", "run.record.limit"},
	trace.Unreachable:    {"run.record.unreachable", "run.record.unreachable"},
	trace.LibraryFailed:  {"run.record.library", "run.record.library"},
	trace.ConsoleStopped: {"run.record.stopped", "run.record.stopped"},
	trace.Internal:       {"run.record.internal", "run.record.internal"},
}

// verbatim are the kinds whose reason only the sentence in the document tells,
// unless it is one that pages have words for.
var verbatim = map[trace.FailureKind]bool{trace.StartFailed: true, trace.AgentLost: true, trace.Unreachable: true}

// leadingOn are the messages of those kinds where that sentence follows.
var leadingOn = map[string]string{
	"run.record.nostart":      "run.record.nostart.words",
	"run.record.lost":         "run.record.lost.words",
	"run.record.lost.step":    "run.record.lost.step.words",
	"run.record.lost.unheard": "run.record.lost.unheard.words",
	"run.record.unreachable":  "run.record.unreachable.words",
}

// recordDetails are the messages for the values of a failure, by the names of
// those that each needs.
var recordDetails = []doubtForm{
	{"queued", nil, "run.record.unbegun"},
	{"", []string{"how"}, "run.record.how"},
	{"", []string{"element", "got", "want"}, "run.record.element"},
}

// record says what stands on record of the failure, in the visitor's language.
func (s *sight) record() views.RunEvidence {
	l, f := s.Locale, s.Run.Failure
	messages, known := records[f.Kind]
	if !known {
		messages = records[trace.Internal]
	}
	message := messages[1]
	values := locale.Values{"Who": s.who(), "After": duration(unit.Seconds(f.DetectedAfter))}
	if step, known := s.failedStep(); known {
		message, values["Step"] = messages[0], step
	}
	why, told := reason(l, f.Values["why"], f.Values)
	if lostUnheard(f) {
		message = "run.record.lost.unheard"
	}
	if verbatim[f.Kind] && !told {
		message = leadingOn[message]
	}
	text := []string{l.T(message, values)}
	if told {
		text = append(text, why)
	}
	for _, detail := range recordDetails {
		if detail.fits(f.Values) {
			text = append(text, l.T(detail.message, said(l, f.Values)))
		}
	}
	seen := views.RunEvidence{What: sentences(l, text...)}
	if verbatim[f.Kind] && !told || messages == records[trace.Internal] {
		seen.Verbatim = f.Message // what to report, or what the system said
	}
	return seen
}

// failedStep returns the counted step in which the run failed, as the page
// numbers them.
func (s *sight) failedStep() (int, bool) {
	if f := s.Run.Failure; f.Step >= 0 && s.Schedule != nil {
		if i := s.Schedule.Index(f.Step); i >= 0 {
			return countedRounds(s.Schedule)[i], true
		}
	}
	return 0, false
}

// sentences joins sentences as the language does.
func sentences(l locale.Locale, all ...string) string {
	between := " "
	if l.Lang() == locale.Chinese {
		between = ""
	}
	return strings.Join(all, between)
}

// clauses joins parts of a sentence.
func clauses(l locale.Locale, all ...string) string {
	between := "; "
	if l.Lang() == locale.Chinese {
		between = "；"
	}
	return strings.Join(all, between)
}
