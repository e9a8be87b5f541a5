package present

import (
	"strconv"

	"lockstep/views"
	"lockstep/views/locale"
)

// LessonHandout presents a lesson to be printed: a step a sheet, with room for
// notes.
func LessonHandout(f Frame, r LessonRequest) (views.Handout, error) {
	t, err := openLesson(f, r, everyStep)
	if err != nil {
		return views.Handout{}, err
	}
	link := t.plain().at(0)
	code, err := t.code(f, r, 0)
	if err != nil {
		return views.Handout{}, err
	}
	chosen := t.sheets()
	v := views.Handout{
		Page: f.page(t.l.T("take.handout.title", locale.Values{"Name": t.name(f.Locale)})),
		Name: t.name(f.Locale), Other: t.name(f.Other), What: t.what(), Summary: t.summary(), Notes: t.c.notes,
		BackURL: link.url(f, ""), Link: r.Origin + link.url(f, ""), Code: code,
		Lead: t.l.T("take.handout.lead", locale.Values{"Pages": len(chosen.steps)}),
		Foot: t.l.T("take.handout.foot", locale.Values{"Hash": t.f.schedule.Hash()[:16]}),
	}
	if chosen.every > 1 {
		v.Notes = append(v.Notes, t.l.T("take.handout.every", locale.Values{"Every": chosen.every, "Steps": len(t.f.steps) - 1}))
	}
	if t.c.broken != nil {
		v.Notes = append(v.Notes, t.l.T("take.broken"))
	}
	for i, at := range chosen.steps {
		stage := t.stage(at, false)
		stage.ID = "stage-" + strconv.Itoa(at)
		place, phase, _ := t.phase(at)
		sheet := views.HandoutSheet{
			Count: t.count(at), Phase: place, PhaseName: phase, Stage: stage.SVG(),
			Narration: t.narration(at), Costs: t.costs(at),
			Page: t.l.T("take.handout.page", locale.Values{"Page": i + 1, "Pages": len(chosen.steps)}),
		}
		sheet.SumLabel, sheet.Sum = t.worked(at)
		for _, holds := range t.invariants(at) {
			if holds.Text != "" {
				sheet.Invariants = append(sheet.Invariants, holds)
			}
		}
		v.Sheets = append(v.Sheets, sheet)
	}
	return v, nil
}
