package present

import (
	"net/url"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/views"
	"lockstep/views/locale"
)

// collectivePath is the place of a collective's own page below the language.
func collectivePath(c schedule.Collective) string { return "learn/" + string(c) }

// kins are the collectives that one is made of or undoes, as its sentence in
// terms.zh.json and terms.en.json says.
var kins = map[schedule.Collective][]schedule.Collective{
	schedule.Broadcast:     {schedule.Scatter, schedule.AllGather, schedule.ReduceTo},
	schedule.Scatter:       {schedule.Gather, schedule.AllGather, schedule.Broadcast},
	schedule.Gather:        {schedule.Scatter, schedule.Broadcast, schedule.AllGather},
	schedule.AllGather:     {schedule.Gather, schedule.Broadcast, schedule.ReduceScatter},
	schedule.ReduceTo:      {schedule.ReduceScatter, schedule.Gather, schedule.Broadcast},
	schedule.ReduceScatter: {schedule.AllGather, schedule.AllReduce},
	schedule.AllReduce:     {schedule.ReduceScatter, schedule.AllGather, schedule.ReduceTo, schedule.Broadcast},
	schedule.AllToAll:      {schedule.AllGather},
	schedule.Barrier:       {schedule.AllReduce},
}

// collectiveAsk is what the page of a collective counts for, as its address
// says it, brought to what exists.
type collectiveAsk struct {
	collective schedule.Collective
	ranks      int
	perNode    int // 0 where no algorithm looks at nodes
	size       unit.Bytes
	network    lessonNetwork
	switches   bool
}

func readCollective(f Frame, c schedule.Collective, query url.Values) (collectiveAsk, []string) {
	r := &reader{l: f.Locale, query: query}
	a := collectiveAsk{collective: c, ranks: r.number(countField{"lesson.pick.ranks", "n", 1, lessonMaxRanks, lessonRanks}), switches: r.flag("switches")}
	for _, e := range schedule.Catalog() {
		if e.Collective == c && e.Nodes {
			a.perNode = r.number(countField{"lesson.pick.nodes", "G", 1, a.ranks, schedule.PerNode(a.ranks, 0)})
			break
		}
	}
	a.size, a.network = r.size(c, a.ranks), r.network()
	return a, r.notes
}

// query is the state as an address says it.
func (a collectiveAsk) query() url.Values {
	q := url.Values{"n": {strconv.Itoa(a.ranks)}, "net": {a.network.id}}
	if a.size > 0 {
		q.Set("size", compactBytes(a.size))
	}
	if a.perNode > 0 {
		q.Set("G", strconv.Itoa(a.perNode))
	}
	if a.switches {
		q.Set("switches", "1")
	}
	return q
}

// Collective presents the page of a collective. An error is the program's own.
func Collective(f Frame, c schedule.Collective, query url.Values, atlas *sizing.Atlas) (views.Collective, error) {
	ask, notes := readCollective(f, c, query)
	v := views.Collective{
		Page: f.page(collectiveName(f.Locale, c)), ID: string(c), Notes: notes, Action: f.homeURL() + collectivePath(c),
		Ranks: strconv.Itoa(ask.ranks), SizeName: f.Locale.T(sizeMessage(c)),
	}
	listed := learnCollective(f, c, schedule.Catalog(), Existing{Collective: true})
	v.Name, v.Other, v.Line, v.Use, v.Kin, v.Glyph = listed.Name, listed.Other, listed.Line, listed.Use, listed.Kin, listed.Glyph
	for _, k := range kins[c] {
		v.Kins = append(v.Kins, collectiveLink(f, k))
	}
	for _, o := range schedule.Collectives() {
		if o != c {
			v.Others = append(v.Others, collectiveLink(f, o))
		}
	}
	if ask.perNode > 0 {
		v.PerNode = strconv.Itoa(ask.perNode)
	}
	if c != schedule.Barrier {
		v.Size = ask.size.String()
	}
	if ask.switches {
		v.Keep = append(v.Keep, views.Hidden{Name: "switches", Value: "1"})
	}
	for _, n := range lessonNetworks() {
		v.Networks = append(v.Networks, views.StoryOption{Value: n.id, Name: f.Locale.T(n.message), Chosen: n.id == ask.network.id})
	}
	if c != schedule.Barrier {
		v.Counts = spoken(f.Locale, "collective.page.counts", "Count", ask.ranks, "Ranks", ask.ranks, "Size", sized(float64(ask.size), 3, decimalBytes), "Net", f.Locale.T(ask.network.message),
			"Held", f.Locale.T(collectiveMessage(c)+".held", locale.Values{"Ranks": ask.ranks}))
	} else {
		v.Counts = spoken(f.Locale, "collective.page.counts.barrier", "Count", ask.ranks, "Ranks", ask.ranks, "Net", f.Locale.T(ask.network.message))
	}
	v.Counts = spoken(f.Locale, "lesson.say.join", "First", v.Counts, "Next", f.Locale.T("collective.page.symbols"))
	if err := ask.list(f, &v); err != nil {
		return v, err
	}
	other := ask
	other.switches = !ask.switches
	var err error
	v.Which, err = which(f, planeAsk{collective: c, ranks: ask.ranks, perNode: ask.perNode, size: ask.size, network: ask.network.Network, networkID: ask.network.id,
		switches: ask.switches, toggle: v.Action + "?" + other.query().Encode() + "#which"}, atlas)
	return v, err
}

// collectiveLink leads to the page of a collective.
func collectiveLink(f Frame, c schedule.Collective) views.LessonLink {
	listed := learnCollective(f, c, nil, Existing{})
	return views.LessonLink{URL: f.homeURL() + collectivePath(c), Name: listed.Name, Other: listed.Other, What: listed.Line, Glyph: listed.Glyph}
}

// list fills in the table: every algorithm for what is asked.
func (a collectiveAsk) list(f Frame, v *views.Collective) error {
	reigns, err := sizing.Fastest(a.collective, a.ranks, a.perNode, true)
	if err != nil {
		return err
	}
	best, _ := sizing.ReignAt(reigns, sizing.InAlphaB(a.size, a.network.Network))
	for _, e := range schedule.Catalog() {
		if e.Collective != a.collective {
			continue
		}
		price, err := a.question().PriceOf(e)
		if err != nil {
			return err
		}
		row := views.CollectiveAlgorithm{
			Name: capital(algorithmName(f.Locale, e.Algorithm)), URL: a.lessonURL(f, e), When: pairWhen(f.Locale, a.collective, e.Algorithm),
			Formula: typeset(f.Locale, e.Rounds, a.ranks), Time: duration(price.Time), Rough: price.Rough, Best: a.ranks > 1 && e.Algorithm == best.Algorithm,
		}
		vars := e.Vars(a.ranks, a.perNode, 0)
		vars["S"] = 1
		rounds, err := e.Rounds.Eval(vars)
		if err != nil {
			return err
		}
		row.Rounds = significant(rounds, 4)
		if a.collective != schedule.Barrier {
			busiest := 0.0
			for _, form := range []schedule.Expr{e.Sent, e.Received} {
				times, err := form.Eval(vars)
				if err != nil {
					return err
				}
				busiest = max(busiest, times)
			}
			row.Bytes, row.Times = sized(busiest*float64(a.size), 3, decimalBytes), spoken(f.Locale, "learn.times", "Times", significant(busiest, 3))
		}
		row.Note = pairNote(f.Locale, e)
		if rival := a.rival(e, best.Algorithm); rival != "" {
			row.RaceURL = a.raceURL(f, e.Algorithm, rival)
			row.RaceName = spoken(f.Locale, "collective.page.against", "Name", algorithmName(f.Locale, rival))
		}
		v.Algorithms = append(v.Algorithms, row)
	}
	if first := v.Algorithms[0]; first.RaceURL != "" {
		v.RaceURL, v.RaceName = a.raceURL(f, "", ""), spoken(f.Locale, "collective.page.race.all")
	}
	return nil
}

func (a collectiveAsk) question() cost.Question {
	return cost.Question{Collective: a.collective, Ranks: a.ranks, RanksPerNode: a.perNode, Size: a.size, Network: a.network.Network}
}

// rival is whom an algorithm races: the fastest, which itself races the usual
// rival or whoever is first; empty where it is alone.
func (a collectiveAsk) rival(of schedule.Entry, best string) string {
	if of.Algorithm != best {
		return best
	}
	first := ""
	for _, name := range raceable(a.collective) {
		if name != of.Algorithm && (first == "" || name == raceRival) {
			first = name
		}
	}
	return first
}

func (a collectiveAsk) lessonURL(f Frame, e schedule.Entry) string {
	q := a.query()
	q.Del("switches")
	if !e.Nodes {
		q.Del("G")
	}
	return f.homeURL() + lessonPath(e) + "?" + q.Encode()
}

func (a collectiveAsk) raceURL(f Frame, one, other string) string {
	q := a.query()
	q.Set("collective", string(a.collective))
	if one != "" {
		q.Set("a", one)
		q.Set("b", other)
	}
	return f.homeURL() + racePath + "?" + q.Encode()
}
