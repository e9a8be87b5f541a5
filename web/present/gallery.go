package present

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"lockstep/engine/schedule"
	"lockstep/sizing"
	"lockstep/sizing/report"
	"lockstep/sizing/site"
	"lockstep/sizing/trained"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
)

// GalleryMaterial is what the gallery shows and does not make itself.
type GalleryMaterial struct {
	Tokens string // the style sheet that defines the colours
	Start  Start
	Desk   site.Desk // what sizes are made from
}

// galleryParts are the parts of the gallery by their anchors, with the
// messages of their names.
func galleryParts() []struct{ id, message string } {
	return []struct{ id, message string }{
		{"tokens", "gallery.part.tokens"}, {"controls", "gallery.part.controls"}, {"words", "gallery.part.words"},
		{"tables", "gallery.part.tables"}, {"blocks", "gallery.part.blocks"}, {"time", "gallery.part.time"},
		{"charts", "gallery.part.charts"}, {"lesson", "gallery.part.lesson"}, {"why", "gallery.part.why"}, {"course", "gallery.part.course"}, {"texts", "gallery.part.texts"}, {"runs", "gallery.part.runs"}, {"nodes", "gallery.part.nodes"},
		{"people", "gallery.part.people"},
		{"report", "gallery.part.report"},
		{"diagnose", "gallery.part.diagnose"},
		{"catalog", "catalog.title"},
		{"machines", "gallery.part.machines"},
		{"sweep", "gallery.part.sweep"},
	}
}

// Gallery presents every part that pages are made of. What it shows is made
// by the presenters of the pages themselves, so it cannot fall behind them.
func Gallery(f Frame, m GalleryMaterial) (views.Gallery, error) {
	l := f.Locale
	g := views.Gallery{
		Page: f.page(l.T("gallery.title")), Command: f.runCommand(),
		Home:    Home(f, m.Start),
		NoRuns:  RunList(f, RunsPage{}),
		Colours: galleryColours(l, m.Tokens), Sizes: galleryType(m.Tokens), Hues: galleryHues(),
		CellSizes: galleryCellNames(), Cells: galleryCells(l),
	}
	for _, part := range galleryParts() {
		g.Parts = append(g.Parts, views.Section{Name: l.T(part.message), URL: "#" + part.id})
	}
	for _, kind := range []struct{ kind, message string }{
		{"ok", "outcome.done"}, {"run", "outcome.running"}, {"off", "outcome.queued"}, {"bad", "outcome.failed"},
	} {
		g.Statuses = append(g.Statuses, views.Status{Kind: kind.kind, Word: l.T(kind.message)})
	}
	if err := galleryRunning(f, &g); err != nil {
		return g, err
	}
	galleryNodes(f, &g)
	galleryPeople(f, &g)
	if err := galleryLearning(f, &g); err != nil {
		return g, err
	}
	if err := galleryWhy(f, &g); err != nil {
		return g, err
	}
	if err := galleryCourse(f, &g); err != nil {
		return g, err
	}
	if err := galleryTexts(f, &g); err != nil {
		return g, err
	}
	if err := galleryDiagnose(f, &g, m.Desk); err != nil {
		return g, err
	}
	if err := galleryCatalog(f, &g, m.Desk); err != nil {
		return g, err
	}
	return g, gallerySizing(f, &g, m.Desk)
}

// galleryPlane is up to how many ranks the gallery's chart of all algorithms
// reaches.
const galleryPlane = 16

// galleryLearning fills in what lessons, races and stories are made of.
func galleryLearning(f Frame, g *views.Gallery) error {
	ring, err := schedule.Find(schedule.AllReduce, "ring")
	if err != nil {
		return fmt.Errorf("find a lesson for the gallery: %w", err)
	}
	four := url.Values{"n": {"4"}, "step": {"3"}}
	g.Learn = learnCollective(f, schedule.AllToAll, schedule.Catalog(), Existing{})
	if g.Lesson, err = Lesson(f, LessonRequest{Entry: ring, Query: four, Runs: true, Race: true}); err != nil {
		return err
	}
	g.Lesson.Take.Open = true
	if g.Handout, err = LessonHandout(f, LessonRequest{Entry: ring, Query: four}); err != nil {
		return err
	}
	if g.Asks, err = galleryAsks(f, ring); err != nil {
		return err
	}
	if g.Broken, err = galleryBroken(f, ring); err != nil {
		return err
	}
	if g.Race, err = Race(f, ReadRace(url.Values{"t": {"7"}}), sizing.NewAtlas(galleryPlane)); err != nil {
		return err
	}
	wrong := url.Values{"workers": {"many"}, "rate": {"25GB/s"}, "back": {"1"}}
	flawed := CentralServer(f, ReadCollector(wrong))
	g.StoryFields, g.Switch = flawed.Fields, flawed.Back
	g.Story = CentralServer(f, ReadCollector(nil))
	if err := galleryStages(f, g); err != nil {
		return err
	}
	at, err := openLesson(f, LessonRequest{Entry: ring, Query: four}, shownOnly)
	if err != nil {
		return err
	}
	for _, step := range []int{0, 3, len(at.f.steps) - 1} {
		clock, track := at.clock(step, false), at.track(step)
		clock.ID = "gallery-clock-" + strconv.Itoa(step)
		name := at.count(step)
		g.Clocks = append(g.Clocks, views.GalleryPicture{Name: name, SVG: clock.SVG()})
		g.Tracks = append(g.Tracks, views.GalleryPicture{Name: name, SVG: track.SVG()})
	}
	long := draw.Track{Steps: 126, Step: 20, Phases: []draw.TrackPhase{
		{Name: f.Locale.T("collective.reduce-scatter"), Steps: 63}, {Name: f.Locale.T("collective.all-gather"), Steps: 63}}}
	g.Tracks = append(g.Tracks, views.GalleryPicture{Name: f.Locale.T("gallery.track.long"), SVG: long.SVG()})
	return nil
}

// galleryStages draws a step of each layout that the catalogue has, and those
// sizes of a ring between which its cells change, wide and narrow.
func galleryStages(f Frame, g *views.Gallery) error {
	type view struct {
		entry schedule.Entry
		ranks int
		step  int
	}
	var all []view
	shown := map[schedule.Layout]bool{}
	for _, e := range schedule.Catalog() {
		if shown[e.Layout] {
			continue
		}
		shown[e.Layout] = true
		all = append(all, view{e, 4, 1}, view{e, 8, 1})
		if e.Layout == schedule.Ring {
			all = append(all, view{e, 4, 0}, view{e, 16, 3}, view{e, 24, 9})
		}
	}
	for i, v := range all {
		query := url.Values{"n": {strconv.Itoa(v.ranks)}, "step": {strconv.Itoa(v.step)}}
		t, err := openLesson(f, LessonRequest{Entry: v.entry, Query: query}, shownOnly)
		if err != nil {
			return err
		}
		name := f.Locale.T("gallery.stage", locale.Values{"Name": t.name(f.Locale), "Ranks": t.f.schedule.Ranks, "Step": t.c.step})
		wide, narrow := t.stage(t.c.step, false), t.stage(t.c.step, true)
		wide.ID, narrow.ID = fmt.Sprintf("gallery-stage-%d", i), fmt.Sprintf("gallery-phone-%d", i)
		g.Stages = append(g.Stages, views.GalleryPicture{Name: name, SVG: wide.SVG()})
		if v.step > 0 && v.ranks == 8 || narrow.Heat() && v.ranks > 16 {
			g.Phones = append(g.Phones, views.GalleryPicture{Name: name, SVG: narrow.SVG()})
		}
	}
	return nil
}

// gallerySizing fills in what the sizing page and reports are made of.
func gallerySizing(f Frame, g *views.Gallery, desk site.Desk) error {
	large, err := ReadSized(url.Values{"model": {"gpt3-175b"}, "bytes": {"2"}, "nodes": {"128"}, "system": {"dgx-h100"}, "nics": {"4"}, "compute": {"4000"}}, desk)
	if err != nil {
		return err
	}
	g.Size = Size(f, large, desk.Known).Result
	trainer, err := trained.Embedded()
	if err != nil {
		return err
	}
	if g.Step, err = Step(f, ReadStepForm(url.Values{"model": {"mixtral-8x7b"}, "nodes": {"8"}}, desk.Known), trainer, desk.Known); err != nil {
		return err
	}
	flawed, err := ReadSized(url.Values{"params": {"0.3G"}, "nodes": {"ten"}, "per_node": {"2000"}}, desk)
	if err != nil {
		return err
	}
	for _, group := range Size(f, flawed, desk.Known).Groups {
		g.SizeFields = append(g.SizeFields, group.Fields...)
	}
	if len(g.Size.Doubts) == 0 {
		g.Size.Doubts = []string{f.Locale.T("gallery.notice.warn")}
	}
	cover := report.Cover{
		Title: f.Locale.T("gallery.report.title"), Customer: f.Locale.T("gallery.report.customer"), Notes: f.Locale.T("gallery.report.notes"),
	}
	long := cover
	long.Author = strings.Repeat("Lockstep ", report.MaxLine/8)
	draft := NewReport(f, Draft{Sized: large, Cover: long, Flaws: long.Flaws()})
	g.ReportFields, g.ReportLogo = draft.Fields, draft.Logo
	saved := report.Report{
		ID: "0001", Version: 1, Latest: 1, Saved: galleryMoment(), Cover: cover,
		Content: report.NewDocument(f.Version, large.Estimate, map[string]report.Words{f.Locale.Lang(): SizeWords(f.Locale, large)}),
	}
	saved.Content.Study = large.Study
	g.Report = Report(f, f.Locale, f.Other, saved)
	share, _ := report.NewShare(saved, f.Locale.Lang(), "ada", galleryMoment(), report.UsualShare)
	shares := ReportShares(f, f.Locale, saved, []report.Share{share}, "http://127.0.0.1/r/…")
	g.Report.Shares, g.Sheet = &shares, paperOf(f.Locale, saved, sheetOf(f.Locale, saved))
	// The same tables stand on this page as those of /size; no two regions of a
	// page have one name.
	for i := range g.Sheet.Blocks {
		g.Sheet.Blocks[i].Table.Name = g.Sheet.Title + ": " + g.Sheet.Blocks[i].Table.Name
	}
	small, err := ReadSized(url.Values{"model": {"gpt3-175b"}, "bytes": {"2"}, "nodes": {"64"}, "compute": {"4000"}}, desk)
	if err != nil {
		return err
	}
	other := saved
	other.ID, other.Content = "0002", report.NewDocument(f.Version, small.Estimate, map[string]report.Words{f.Locale.Lang(): SizeWords(f.Locale, small)})
	g.Compare = CompareReports(f, []report.Report{saved, other}, &other, &saved)
	g.Reports, g.NoReports = Reports(f, []report.Report{saved}, false), Reports(f, nil, false)
	return nil
}

// galleryFrame puts a drawing of so many units into an svg of that size.
func galleryFrame(class, title string, width, height float64, drawing string) string {
	size := strconv.FormatFloat(width, 'f', -1, 64) + `" height="` + strconv.FormatFloat(height, 'f', -1, 64)
	box := strings.Replace(size, `" height="`, " ", 1)
	return fmt.Sprintf(`<svg class="%s" viewBox="0 0 %s" width="%s" role="img" aria-label="%s" focusable="false">%s</svg>`, class, box, size, title, drawing)
}
