package present

import (
	"fmt"

	"lockstep/cluster/inventory"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
	"lockstep/engine/unit"
	"lockstep/views"
	"lockstep/views/draw"
	"lockstep/views/locale"
	"lockstep/web/account"
)

// Article holds the figures of the article that the console takes its first
// example from: an all-reduce by a central collector, and the same by a ring.
type Article struct {
	Ranks   int
	Size    unit.Bytes   // of each rank's data
	Rate    unit.Rate    // of each link, per direction
	Collect unit.Seconds // until the collector has everything: all that the article counts
	Return  unit.Seconds // until everyone has the result back
	Ring    unit.Seconds
}

// Start is what the home page is about.
type Start struct {
	Article    *Article // nil for none
	Machine    inventory.Node
	LocalRanks int
	CanRun     bool        // whether runs are started from pages
	Runs       []trace.Run // newest first; looked at only with a session
}

// Home presents the first page.
func Home(f Frame, s Start) views.Home {
	v := views.Home{
		Page:       f.page(f.Locale.T("home.short")),
		Doors:      doors(f, s.CanRun),
		Paths:      pathLinks(f),
		Search:     f.searchForm(""),
		Primitives: presentPrimitives(f),
		Article:    presentArticle(f, s.Article),
		Machine:    presentMachine(f.Locale, s.Machine, s.LocalRanks),
		Runs:       presentRuns(f, s.Runs),
	}
	if f.Session && f.Runs {
		v.NodesURL = f.nodesURL()
	}
	return v
}

func (f Frame) runCommand() views.Command {
	return f.command("run", "--collective all-reduce", "--algorithm ring", "--ranks 4", "--size 64MiB")
}

// doors lead to the three things to do; a console that starts no runs says how
// the command does.
func doors(f Frame, canRun bool) []views.Door {
	door := func(verb, title, other, text, path string) views.Door {
		return views.Door{
			Verb: f.Locale.T(verb), Title: f.Locale.T(title), Other: f.Other.T(other), Text: f.Locale.T(text), URL: f.homeURL() + path,
		}
	}
	run := door("home.run.verb", "home.run.title", "home.run.verb", "home.run.text", "runs/new")
	if !canRun {
		run.URL, run.Command = "", f.runCommand()
	} else if f.Barred(account.Presenter) {
		run.URL = f.homeURL() + "runs"
	}
	return []views.Door{
		door("home.see.verb", "home.see.title", "home.see.verb", "home.see.text", "learn"),
		run,
		door("home.size.verb", "home.size.title", "home.size.verb", "home.size.text", "size"),
	}
}

func presentArticle(f Frame, a *Article) *views.Article {
	if a == nil {
		return nil
	}
	l := f.Locale
	both := a.Collect + a.Return
	full := float64(max(both, a.Ring))
	return &views.Article{
		StoryURL: f.homeURL() + centralServerPath,
		RaceURL:  f.homeURL() + racePath,
		Setting:  l.T("home.article.setting", locale.Values{"Ranks": a.Ranks, "Size": a.Size.String(), "Rate": a.Rate.String()}),
		Rows: []views.ArticleRow{
			{
				Name: l.T("home.article.central"),
				Bar: draw.Bar(full, draw.Segment{Length: float64(a.Collect), Class: "g-solid"},
					draw.Segment{Length: float64(a.Return), Class: "g-light"}),
				Figure: a.Collect.String(),
				Note:   l.T("home.article.central.note", locale.Values{"Both": both.String()}),
			},
			{
				Name:   l.T("home.article.ring"),
				Bar:    draw.Bar(full, draw.Segment{Length: float64(a.Ring), Class: "g-solid"}),
				Figure: a.Ring.String(),
				Note:   l.T("home.article.ring.note"),
			},
		},
	}
}

// presentMachine lists what is known; what is not known has no row.
func presentMachine(l locale.Locale, n inventory.Node, localRanks int) []views.Fact {
	var facts []views.Fact
	add := func(message string, values ...string) {
		if len(values) > 0 && values[0] != "" {
			facts = append(facts, views.Fact{Name: l.T(message), Values: values})
		}
	}
	system := ""
	if n.OS != "" {
		system = n.OS + "/" + n.Arch
	}
	if n.Kernel != "" {
		system = l.T("home.machine.kernel", locale.Values{"System": system, "Kernel": n.Kernel})
	}
	add("home.machine.host", n.Host)
	add("home.machine.system", system)
	add("home.machine.cpu", n.CPU)
	if n.CPUs > 0 {
		add("home.machine.cpus", fmt.Sprint(n.CPUs))
	}
	if n.Memory > 0 {
		add("home.machine.memory", memory(n.Memory))
	}
	add("home.machine.ranks", l.T("home.machine.ranks.count", locale.Values{"Count": localRanks}))
	var nics []string
	for _, nic := range n.NICs {
		nics = append(nics, presentNIC(l, nic))
	}
	add("home.machine.networks", nics...)
	return facts
}

func presentNIC(l locale.Locale, nic inventory.NIC) string {
	switch {
	case !nic.Up:
		return l.T("home.machine.nic.down", locale.Values{"Name": nic.Name})
	case nic.Rate == 0:
		return l.T("home.machine.nic.unknown", locale.Values{"Name": nic.Name})
	}
	return l.T("home.machine.nic", locale.Values{"Name": nic.Name, "Bits": bits(nic.Rate), "Bytes": nic.Rate.String()})
}

func presentRuns(f Frame, runs []trace.Run) views.Runs {
	if !f.Session {
		return views.Runs{Command: f.command("key")}
	}
	open := views.Runs{Open: true, Command: f.runCommand()}
	for _, r := range runs {
		row := views.RunRow{
			ID:      r.ID,
			What:    describeRun(f.Locale, r),
			Outcome: views.Status{Kind: outcomeKinds[r.Outcome], Word: f.Locale.T("outcome." + string(r.Outcome))},
		}
		switch {
		case r.Paced && r.BusBW > 0: // for eyes: its bandwidth says nothing about the machine
			row.BusBW = f.Locale.T("home.runs.paced")
		case r.BusBW > 0:
			row.BusBW = unit.Rate(r.BusBW * 1e9).String()
		}
		open.Rows = append(open.Rows, row)
	}
	return open
}

// outcomeKinds gives each outcome its shape.
var outcomeKinds = map[trace.Outcome]string{
	trace.Queued:    "off",
	trace.Running:   "run",
	trace.Done:      "ok",
	trace.Failed:    "bad",
	trace.Cancelled: "off",
}

func describeRun(l locale.Locale, r trace.Run) string {
	values := locale.Values{
		"Collective": l.T(collectiveMessage(r.Collective)),
		"Algorithm":  runAlgorithm(l, r),
		"Count":      r.Ranks,
		"Ranks":      r.Ranks,
		"Size":       r.Size.String(),
	}
	if r.Size == 0 { // a barrier moves nothing
		return l.T("home.runs.what.plain", values)
	}
	return l.T("home.runs.what.text", values)
}

// runAlgorithm names what a run carries out: an imported schedule by the name
// that stands in its file.
func runAlgorithm(l locale.Locale, r trace.Run) string {
	if r.Imported {
		return l.T("run.imported", locale.Values{"Name": r.Algorithm})
	}
	if r.Algorithm == schedule.LibraryCall && r.Backend == trace.MPI {
		return l.T("run.call")
	}
	return algorithmName(l, r.Algorithm)
}
