package present

import (
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
	"lockstep/views"
	"lockstep/views/locale"
)

// CourseRequest asks for a path, a lab or the list of labs.
type CourseRequest struct {
	ID       string // of the path or lab
	Answers  bool   // open the answers, so that they are printed too
	Existing Existing
}

// Path presents a path, or false where there is none of that name.
func Path(f Frame, r CourseRequest) (views.Path, bool, error) {
	p, found := findPath(r.ID)
	if !found {
		return views.Path{}, false, nil
	}
	l := f.Locale
	values, err := pathFigures()
	if err != nil {
		return views.Path{}, true, err
	}
	v := views.Path{
		Page: f.page(l.T(p.message())), Name: l.T(p.message()), Other: f.Other.T(p.message()), What: l.T(p.message() + ".what"),
		Minutes: minutes(l, p.minutes()), BackURL: f.homeURL() + "learn",
	}
	from := 0
	for i, stop := range p.stops {
		message := p.message() + "." + stop.key
		name, see, ask := message, message+".see", message+".ask"
		if stop.lab != "" {
			name, see, ask = "lab."+stop.lab, "lab."+stop.lab+".goal", "lab."+stop.lab+".ask"
		}
		s := views.PathStop{
			Number: strconv.Itoa(i + 1), When: spoken(l, "paths.when", "From", from, "To", from+stop.minutes), Minutes: minutes(l, stop.minutes),
			Name: l.T(name), SeeName: l.T("paths.see"), See: l.T(see, values), Say: l.T(message+".say", values), Ask: l.T(ask),
		}
		if stop.lab != "" {
			s.SeeName = l.T("labs.goal")
		}
		for _, link := range stop.links {
			if r.Existing.page(link.path) {
				s.URL, s.Label = link.url(f), link.label(f)
				if link.path != "size" && r.Existing.presents(link.path) {
					s.PresentURL = link.with("present", "1").url(f)
				}
				break
			}
		}
		from += stop.minutes
		v.Stops = append(v.Stops, s)
	}
	return v, true, nil
}

// pathFigures are the figures that paths say, computed as the pages that they
// lead to compute them.
func pathFigures() (locale.Values, error) {
	price := func(algorithm string, ranks int, size, network string) (cost.Price, error) {
		return labPrice(schedule.AllReduce, algorithm, ranks, size, network)
	}
	two, err := price("central", 2, labSize, labNetwork)
	if err != nil {
		return nil, err
	}
	ten, err := price("central", 10, labSize, labNetwork)
	if err != nil {
		return nil, err
	}
	ring, err := price("ring", 10, labSize, labNetwork)
	if err != nil {
		return nil, err
	}
	slow, err := price("ring", 8, "64MB", "tcp-10g")
	if err != nil {
		return nil, err
	}
	fast, err := price("ring", 8, "64MB", "ib-400g")
	if err != nil {
		return nil, err
	}
	at, err := meetingSize(labCrossRival, "ring", 8, "ib-400g")
	if err != nil {
		return nil, err
	}
	return locale.Values{
		"Two": duration(two.Terms[0].Time), "Ten": duration(ten.Terms[0].Time), "Both": duration(ten.Time), "Ring": duration(ring.Time),
		"Slow": duration(slow.Time), "Fast": duration(fast.Time), "Times": significant(float64(slow.Time/fast.Time), 2),
		"Cross": sized(float64(at), 2, byteSteps()), "Compute": sizeTime(customerBase().Compute),
	}, nil
}

// spacedSize prints a size as it stands in an address with its unit apart.
func spacedSize(text string) string {
	size, err := unit.ParseBytes(text)
	if err != nil {
		return text
	}
	return size.String()
}

func minutes(l locale.Locale, n int) string { return l.T("paths.minutes", locale.Values{"Count": n}) }

// Labs presents the list of labs.
func Labs(f Frame) views.Labs {
	l := f.Locale
	v := views.Labs{Page: f.page(l.T("labs.title")), BackURL: f.homeURL() + "learn"}
	sum := 0
	for i, lab := range labs() {
		sum += lab.minutes
		v.Labs = append(v.Labs, views.LabLink{
			Number: strconv.Itoa(i + 1), URL: f.homeURL() + lab.path(), Name: l.T(lab.message()), Other: f.Other.T(lab.message()),
			Goal: l.T(lab.message() + ".goal"), Minutes: minutes(l, lab.minutes),
		})
	}
	v.Minutes = minutes(l, sum)
	return v
}

// Lab presents a sheet, or false where there is none of that name.
func Lab(f Frame, r CourseRequest) (views.Lab, bool, error) {
	lab, found := findLab(r.ID)
	if !found {
		return views.Lab{}, false, nil
	}
	l := f.Locale
	v := views.Lab{
		Page: f.page(l.T(lab.message())), Name: l.T(lab.message()), Other: f.Other.T(lab.message()),
		Goal: l.T(lab.message() + ".goal"), Minutes: minutes(l, lab.minutes), Question: l.T(lab.message() + ".ask"),
		Open: r.Answers, URL: f.homeURL() + lab.path(), AllURL: f.homeURL() + labsPath,
	}
	v.AnswerURL = v.URL + "?answer=1"
	for i, step := range lab.steps {
		s := views.LabStep{Number: strconv.Itoa(i + 1), Text: l.T(lab.message() + "." + step.key)}
		switch {
		case step.link.path == "":
		case r.Existing.page(step.link.path):
			s.URL, s.Label = step.link.url(f), step.link.label(f)
		case step.link.path == runPath: // no runs from pages here: the command line has them
			q := step.link.query
			s.Command = f.command("run", "--collective "+q.Get("collective"), "--algorithm "+q.Get("algorithm"), "--ranks "+q.Get("n"), "--size "+q.Get("size"))
		}
		for _, at := range step.more {
			if r.Existing.page(at.link.path) {
				s.More = append(s.More, views.LessonLink{URL: at.link.url(f), Name: spacedSize(at.size)})
			}
		}
		v.Steps = append(v.Steps, s)
	}
	if lab.runs() && r.Existing.page(runPath) {
		v.Login = l.T("labs.login")
	}
	answer, err := lab.answer(labAnswers{l})
	if err != nil {
		return v, true, err
	}
	v.Sheet, v.Answer = answer.sheet(), views.LabTable{Head: answer.head, Rows: answer.rows}
	v.Says = l.T(lab.message()+".answer", answer.values)
	before, after := neighbours(lab.id)
	if before != "" {
		v.Before = views.LessonLink{URL: f.homeURL() + labsPath + "/" + before, Name: l.T("lab." + before)}
	}
	if after != "" {
		v.After = views.LessonLink{URL: f.homeURL() + labsPath + "/" + after, Name: l.T("lab." + after)}
	}
	return v, true, nil
}

// neighbours are the labs before and after one.
func neighbours(id string) (before, after string) {
	all := labs()
	for i, lab := range all {
		if lab.id != id {
			continue
		}
		if i > 0 {
			before = all[i-1].id
		}
		if i+1 < len(all) {
			after = all[i+1].id
		}
	}
	return before, after
}

// sheet is the table to fill in: what is asked about, and room.
func (a labAnswer) sheet() views.LabTable {
	t := views.LabTable{Head: a.head}
	for _, row := range a.rows {
		blank := make([]string, len(row))
		copy(blank, row[:a.asked])
		t.Rows = append(t.Rows, blank)
	}
	return t
}
