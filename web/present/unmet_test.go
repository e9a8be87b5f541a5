package present

import (
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/schedule"
)

// A note about a choice that there is not lists what there is, the likeliest
// first where there is much.
func TestUnknownChoicesNameTheAcceptedOnes(t *testing.T) {
	for query, want := range map[string]string{
		"in_switch=maybe":        "on, off",
		"collective=all-redcue":  "all-reduce",
		"fabric=roce-20g":        "roce-200g",
		"model=llama-3-7b":       "llama",
		"system=dgx-h10":         "dgx-h100",
		"fabric=" + nine("ab c"): "…",
	} {
		form := sizedForm(t, query).Form
		field, _, _ := strings.Cut(query, "=")
		note := form.notes[field]
		if note.message != "size.note.unknown" || !strings.Contains(note.used, want) || len(note.used) > 400 {
			t.Errorf("%s: %+v, want one that names %q", query, note, want)
		}
	}
}

func nine(text string) string { return strings.Repeat(text, 9) }

func TestUnknownPlacesOnTheTimeLineNameTheAcceptedOnes(t *testing.T) {
	for lang, f := range frames(t) {
		for query, want := range map[string]string{"topic=gpu": "libraries", "at=nccl-99": "nccl"} {
			values, err := url.ParseQuery(query)
			if err != nil {
				t.Fatal(err)
			}
			v, err := Libraries(f, ReadLibraries(values))
			if err != nil || !strings.Contains(v.Note, want) {
				t.Errorf("%s: %s: %q, %v", lang, query, v.Note, err)
			}
		}
	}
}

// What cannot be the number of a move, or a stop of the race's slider, is said.
func TestPlacesOutOfRangeAreSaid(t *testing.T) {
	f := frames(t)["en"]
	e, err := schedule.Find(schedule.AllReduce, "ring")
	if err != nil {
		t.Fatal(err)
	}
	for at, noted := range map[string]bool{"-1": true, "x": true, "": false, "0": false, "0.1.3": false} {
		v, err := Lesson(f, LessonRequest{Entry: e, Query: url.Values{"n": {"4"}, "break": {"drop"}, "at": {at}}})
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Contains(strings.Join(v.Notes, "\n"), "at: "); said != noted {
			t.Errorf("at=%s: %q", at, v.Notes)
		}
	}
	for tenth, noted := range map[string]bool{"-1": true, "9999": true, "x": true, "60": false, "": false} {
		r := ReadRace(url.Values{"tenth": {tenth}})
		if said := len(r.notes) > 0; said != noted {
			t.Errorf("tenth=%s: %+v", tenth, r.notes)
		}
	}
}
