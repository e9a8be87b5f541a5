package present

import (
	"fmt"
	"net/url"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/views"
	"lockstep/views/locale"
)

// defect reads how a lesson's schedule is to be broken, and at which move; -1
// for none in particular.
func (r *reader) defect() (word string, at int) {
	word = r.query.Get("break")
	if word == "" {
		return "", -1
	}
	if _, err := schedule.ParseDefect(word); err != nil {
		r.unmet(&unmet{reason: ignored, label: "break.title", given: word, accepted: listOf(defectIDs())})
		return "", -1
	}
	given := r.query.Get("at")
	at, err := strconv.Atoi(given)
	if err == nil && at >= 0 {
		return word, at
	}
	if given != "" && !isPlace(given) {
		r.unmet(&unmet{reason: ignored, field: "at", given: given, accepted: "0, 1, 2 …"})
	}
	return word, -1
}

// defectIDs are the ways to break a schedule as they stand in addresses.
func defectIDs() []string {
	var ids []string
	for _, d := range schedule.Defects() {
		ids = append(ids, d.String())
	}
	return ids
}

// breakUp breaks the schedule of the choice as it asks for, and returns what is
// to be played: s itself, with a note, where that cannot be done.
func (c *choice) breakUp(s *schedule.Schedule, r *reader) *schedule.Schedule {
	if c.defect == "" {
		return s
	}
	d, err := schedule.ParseDefect(c.defect)
	if err != nil {
		return s // read before: this one is known
	}
	b, err := s.Break(d, c.defectAt)
	if err != nil {
		r.notes = append(r.notes, r.l.T("break.note.cannot", locale.Values{"Way": r.l.T(wordsOfDefect(d).name), "Reason": unbreakable(r.l, err)}))
		c.defect, c.defectAt = "", -1
		return s
	}
	if c.defectAt >= 0 {
		if at := s.Index(c.defectAt); at < 0 || c.defectAt != b.Edit.Was.ID && !within(b.Edit.Early, s.Steps[at].Round) {
			r.note("break.note.at", strconv.Itoa(c.defectAt), strconv.Itoa(b.Edit.Was.ID))
		}
		c.defectAt = b.Edit.Was.ID
	}
	c.broken = b
	return b.Schedule
}

// within reports whether a round is one of those that have changed places.
func within(rounds [2]int, round int) bool { return round >= rounds[0] && round <= rounds[1] }

// breaking is the choice with a defect, at a move or, with -1, at one that is
// chosen.
func (c choice) breaking(d schedule.Defect, at, step int) choice {
	c.defect, c.defectAt, c.step = d.String(), at, step
	return c
}

// repaired is the choice with the right schedule, at the step that is shown.
func (c choice) repaired() choice {
	c.defect, c.defectAt = "", -1
	if c.broken != nil {
		c.step = min(c.broken.RightPosition(c.step), c.broken.Right.Rounds())
	}
	return c
}

// right is the schedule that the choice asks for, before anything is broken.
func (t teller) right() *schedule.Schedule {
	if t.c.broken != nil {
		return t.c.broken.Right
	}
	return t.f.schedule
}

// formula is a closed form with what it comes to; without, where the schedule
// is broken and need not come to that, or where it is a number itself.
func (t teller) formula(e schedule.Expr, value string) string {
	form := typeset(t.l, e, t.c.ranks)
	if t.c.broken != nil || form == value {
		return form
	}
	return form + " = " + value
}

// fingerprint is the beginning of the schedule's hash; of a broken one it says
// so.
func (t teller) fingerprint() string {
	const shown = 16
	hash := t.f.schedule.Hash()[:shown]
	if b := t.c.broken; b != nil {
		return t.l.T("break.hash", locale.Values{"Hash": hash, "Right": b.Right.Hash()[:shown]})
	}
	return hash
}

// pictureNotes say what a picture shows that leaves the page: the choice, and
// what is broken.
func (t teller) pictureNotes() []string {
	notes := []string{t.summary()}
	if t.c.broken != nil {
		notes = append(notes, t.editText())
	}
	return notes
}

// breakInto fills in the panel that breaks the schedule; on a broken one it
// takes away what is said of the right one only.
func (t teller) breakInto(f Frame, v *views.Lesson) {
	if !v.Hidden["break"] {
		v.Break.Lead = t.l.T("break.lead")
		v.Break.Ways = t.breakWays(f)
	}
	b := t.c.broken
	if b == nil {
		return
	}
	v.RunURL, v.RunReason = "", t.l.T("break.norun")
	if v.Libraries != nil {
		v.Libraries.Try = views.LessonLink{}
	}
	v.Bound = ""
	v.Break.Alert = t.l.T("break.alert", locale.Values{"Edit": t.editText()})
	v.Break.Fails, v.Break.More = t.fails(f)
	v.Break.Check = b.Fault.Error()
	v.Break.Moved, v.Break.Missing = t.f.edit.now != nil, b.Defect == schedule.Dropped && !t.f.edit.gone
	if apart := t.f.edit.apart; apart >= 0 {
		v.Break.Apart, v.Break.ApartURL = t.l.T("break.apart", locale.Values{"Step": apart}), t.c.at(apart).url(f, "")
	}
	if next := b.Next(); next != b.Edit.Was.ID {
		v.Break.Elsewhere = t.c.breaking(b.Defect, next, b.Right.Position(next)).url(f, "")
	}
	v.Break.Repair = t.c.repaired().url(f, "")
}

// breakWays are the ways to break the schedule, each with where it leads or why
// it leads nowhere.
func (t teller) breakWays(f Frame) []views.BreakWay {
	var ways []views.BreakWay
	for _, d := range schedule.Defects() {
		words := wordsOfDefect(d)
		way := views.BreakWay{Name: t.l.T(words.name), What: t.l.T(words.what)}
		switch b, err := t.right().Break(d, -1); {
		case err != nil:
			way.What = unbreakable(t.l, err)
		default:
			way.Chosen = t.c.broken != nil && t.c.broken.Defect == d
			way.URL = t.c.breaking(d, -1, min(b.Edit.Position, b.Schedule.Rounds())).url(f, "")
		}
		ways = append(ways, way)
	}
	return ways
}

// galleryBroken breaks a lesson of four ranks in every way, at the step where it
// shows.
func galleryBroken(f Frame, entry schedule.Entry) ([]views.Lesson, error) {
	var all []views.Lesson
	for _, d := range schedule.Defects() {
		v, err := Lesson(f, LessonRequest{Entry: entry, Query: url.Values{"n": {"4"}, "break": {d.String()}, "step": {"2"}}})
		if err != nil {
			return nil, fmt.Errorf("break a lesson for the gallery: %w", err)
		}
		all = append(all, v)
	}
	return all, nil
}
