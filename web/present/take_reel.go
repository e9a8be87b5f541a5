package present

import (
	"math"
	"time"
)

// selection is steps of a lesson, from the first to the last: all, or every
// so many where that would be too much.
type selection struct {
	steps []int
	every int
}

// choose takes at most so many of the steps 0 to last.
func choose(last, most int) selection {
	every := 1
	for (last+every-1)/every+1 > most {
		every++
	}
	s := selection{every: every}
	for step := 0; step < last; step += every {
		s.steps = append(s.steps, step)
	}
	s.steps = append(s.steps, last)
	return s
}

// Bounds on what leaves a lesson in one piece: stills or sheets, and the cells
// on all of them together, whose drawing takes the time and the bytes.
const (
	mostStills     = 64
	mostStillCells = 65_000
	mostSheets     = 64
	mostSheetCells = 60_000
)

// within is how many pictures of the lesson fit into the bounds.
func (t teller) fitting(most, cells int) int {
	return max(min(most, cells/max(t.f.grid.rows*t.f.schedule.Ranks, 1)), 2)
}

// sheets are the steps that a handout has.
func (t teller) sheets() selection {
	return choose(len(t.f.steps)-1, t.fitting(mostSheets, mostSheetCells))
}

// reel is the steps that a film has, with how long each stands.
type reel struct {
	selection
	rests []time.Duration
}

// How long stills stand: a step of ordinary cost takes the usual time, others
// in proportion as far as eyes allow, and the last long enough to be read.
const (
	usualRest  = 1200 * time.Millisecond
	leastRest  = 600 * time.Millisecond
	mostRest   = 2500 * time.Millisecond
	finalRest  = 3 * time.Second
	filmColour = 40
	filmFew    = 32 // colours of a film of heat maps
)

func (t teller) reel() reel {
	last := len(t.f.steps) - 1
	r := reel{selection: choose(last, t.fitting(mostStills, mostStillCells))}
	usual := float64(t.f.steps[last].end) / float64(len(r.steps)) // cost of an ordinary still
	before := 0.0
	for _, step := range r.steps {
		end := float64(t.f.steps[step].end)
		rest := usualRest
		if step > 0 && usual > 0 {
			rest = time.Duration(math.Round(float64(usualRest) * (end - before) / usual))
		}
		r.rests, before = append(r.rests, min(max(rest, leastRest), mostRest)), end
	}
	r.rests[len(r.rests)-1] = finalRest
	return r
}

// seconds is how long one round of the film takes.
func (r reel) seconds() int {
	var whole time.Duration
	for _, rest := range r.rests {
		whole += rest
	}
	return int(whole.Round(time.Second) / time.Second)
}

// Film is a lesson from its first step to its last, as stills to be painted.
type Film struct {
	Title, Source string
	Name          string // of a file, without its ending
	Hash          string // of the schedule
	Rests         []time.Duration
	Colours       int
	Still         func(i int) string // the drawing of one, SVG
}

// LessonFilm tells how a lesson becomes a film, in a style of PictureStyle.
func LessonFilm(f Frame, r LessonRequest, style string) (Film, error) {
	t, err := openLesson(f, r, everyStep)
	if err != nil {
		return Film{}, err
	}
	reel := t.reel()
	film := Film{
		Title: t.name(f.Locale), Source: r.Origin + t.plain().at(0).url(f, ""), Name: t.fileName("lesson"),
		Hash: t.f.schedule.Hash(), Rests: reel.rests, Colours: filmColour,
		Still: func(i int) string { return t.drawing(f, r, reel.steps[i], style).SVG },
	}
	if t.stage(0, false).Heat() {
		film.Colours = filmFew
	}
	return film, nil
}

// everyStep keeps the states of all steps.
func everyStep(int, int) bool { return true }
