package present

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/cost"
	"lockstep/sizing/sim"
	"lockstep/views"
	"lockstep/views/draw"
)

// bandwidthPath is the page's place below the language.
const bandwidthPath = "learn/bandwidth"

// bandwidthLatency is the latency that the page assumes where one is needed.
const (
	bandwidthLatency     = 10 * time.Microsecond
	bandwidthLatencyText = "10us" // in addresses
)

// Bandwidth presents the words of bandwidth for a state of the calculator.
func Bandwidth(f Frame, a BandwidthAsk) (views.Bandwidth, error) {
	p := newBandwidthPage(f, a)
	path := f.homeURL() + bandwidthPath
	v := views.Bandwidth{
		Page: f.page(f.Locale.T("bandwidth.title")), Action: path, Reset: path,
		Fields: p.fields(), Say: p.say(), Figures: p.figures(), Over: p.over(), Units: p.units(),
		Factors: p.factors(), Ranks: p.t("bandwidth.factors.ranks", "Ranks", a.Ranks),
		Wire: p.wire(), WireSays: p.wireSays(),
		Choices:     p.choices(),
		ChoicesSays: p.t("bandwidth.which.says", "Collective", collectiveName(f.Locale, a.Collective), "Ranks", a.Ranks, "Wire", a.Wire.String(), "Latency", duration(unit.FromDuration(bandwidthLatency))),
		ChoicesLink: []views.LessonLink{
			{URL: f.homeURL() + racePath, Name: p.t("bandwidth.which.more")},
			{URL: f.homeURL() + "learn", Name: p.t("bandwidth.which.index")},
		},
		Confusions: p.confusions(),
		Notes:      []string{p.t("bandwidth.note.definition"), p.t("bandwidth.note.model"), p.t("bandwidth.note.measured")},
	}
	if p.err != nil {
		return views.Bandwidth{}, fmt.Errorf("present the words of bandwidth: %w", p.err)
	}
	return v, nil
}

// bandwidthPage is a state that is being presented. It remembers the first
// question that could not be priced.
type bandwidthPage struct {
	f   Frame
	ask BandwidthAsk
	err error

	ring, layered unit.Rate // bus bandwidths across nodes; see crossing
}

func newBandwidthPage(f Frame, a BandwidthAsk) *bandwidthPage {
	p := &bandwidthPage{f: f, ask: a}
	p.ring, p.layered = p.crossing("ring"), p.crossing("hierarchical")
	return p
}

func (p *bandwidthPage) t(id string, values ...any) string {
	return spoken(p.f.Locale, id, together(values)...)
}

// together keeps a number and its unit on one line.
func together(values []any) []any {
	kept := slices.Clone(values)
	for i, v := range kept {
		if text, is := v.(string); is && i%2 == 1 && quantity.MatchString(text) {
			kept[i] = strings.Replace(text, " ", "\u00a0", 1)
		}
	}
	return kept
}

// quantity is a number with a unit behind it.
var quantity = regexp.MustCompile(`^[0-9.,]+ [^ ]+$`)

// predict prices a collective, or remembers why it cannot.
func (p *bandwidthPage) predict(c schedule.Collective, algorithm string, ranks int, size unit.Bytes, n cost.Network) cost.Prediction {
	q := cost.Question{Collective: c, Ranks: ranks, Size: size, Network: n}
	prediction, err := q.Predict(algorithm)
	if err != nil && p.err == nil {
		p.err = err
	}
	return prediction
}

// lesson leads to a lesson, with a query that may be empty.
func (p *bandwidthPage) lesson(c schedule.Collective, algorithm, query string) views.LessonLink {
	target := p.f.homeURL() + "learn/" + string(c) + "/" + algorithm
	if query != "" {
		target += "?" + query
	}
	return views.LessonLink{URL: target, Name: p.t("bandwidth.lesson", "Name", pairName(p.f.Locale, c, algorithm))}
}

func (p *bandwidthPage) fields() []views.StoryField {
	a := p.ask
	field := func(name, label, value, hint string) views.StoryField {
		v := views.StoryField{Name: name, Label: p.t(label), Value: value, Hint: hint}
		if n, noted := a.notes[name]; noted {
			v.Value, v.Wrong = n.given, p.t(n.message, "Given", n.given, "Accepted", n.accepted, "Used", n.used)
		}
		return v
	}
	collective := field("collective", "bandwidth.field.collective", "", "")
	for _, c := range bandwidthCollectives() {
		collective.Options = append(collective.Options, views.StoryOption{Value: string(c), Name: collectiveName(p.f.Locale, c), Chosen: c == a.Collective})
	}
	as := field("as", "bandwidth.field.as", "", p.t("bandwidth.hint.as"))
	as.Options = []views.StoryOption{
		{Value: "algbw", Name: p.t("bandwidth.alg"), Chosen: !a.bus},
		{Value: "busbw", Name: p.t("bandwidth.bus"), Chosen: a.bus},
	}
	return []views.StoryField{
		collective,
		field("n", "bandwidth.field.ranks", strconv.Itoa(a.Ranks), ""),
		field("size", "bandwidth.field.size", tight(a.Size.String()), p.sizeHint()),
		field("measured", "bandwidth.field.measured", a.measured, p.t("bandwidth.hint.measured")),
		as,
		field("wire", "bandwidth.field.wire", tight(bits(a.Wire)), p.t("bandwidth.hint.wire", "Bits", bits(a.Wire), "Rate", a.Wire.String())),
	}
}

// sizeHint says whose the size is, and what of it a rank has.
func (p *bandwidthPage) sizeHint() string {
	if !p.ask.Collective.Blocks() {
		return p.t("bandwidth.hint.size", "Bytes", sizeGrouped(int64(p.ask.Size)))
	}
	return p.t(heldAs(p.ask.Collective, "bandwidth.hint.size.each", "bandwidth.hint.size.blocks", "bandwidth.hint.size"), "Ranks", p.ask.Ranks, "Block", sizeBytes(p.ask.Size/unit.Bytes(p.ask.Ranks)))
}

// share is how much of the wire the bus bandwidth comes to.
func (p *bandwidthPage) share() float64 { return float64(p.ask.Measured.Bus / p.ask.Wire) }

func (p *bandwidthPage) say() string {
	a := p.ask
	return p.t("bandwidth.say", "Ranks", a.Ranks, "Collective", collectiveName(p.f.Locale, a.Collective), "Size", sizeExact(a.Size),
		"Time", duration(a.Measured.Time), "Alg", a.Measured.Alg.String(), "Bus", a.Measured.Bus.String(), "Wire", a.Wire.String(), "Share", shareText(p.share()))
}

// over leads to why a figure can exceed the wire, where it does, and to what
// is counted where it is all of it.
func (p *bandwidthPage) over() views.LessonLink {
	const nearly = 0.99
	switch share := p.share(); {
	case share < nearly:
		return views.LessonLink{}
	case share <= 2-nearly:
		return views.LessonLink{What: p.f.Locale.T("bandwidth.exact", reachedShares()), URL: "#size-is-the-whole", Name: p.t("bandwidth.exact.link")}
	}
	return views.LessonLink{What: p.t("bandwidth.over"), URL: "#busbw-exceeds-wire", Name: p.t("bandwidth.over.link")}
}

func (p *bandwidthPage) figures() []views.StoryFigure {
	a := p.ask
	factor := a.Collective.BusFactor(a.Ranks)
	figure := func(label, value, formula string, accent bool) views.StoryFigure {
		number, unitName := parted(value)
		return views.StoryFigure{Label: p.t(label), Number: number, Unit: unitName, Formula: formula, Accent: accent}
	}
	share, _ := parted(shareText(p.share()))
	return []views.StoryFigure{
		figure("bandwidth.figure.time", duration(a.Measured.Time), p.t("bandwidth.formula.time"), false),
		figure("bandwidth.alg", a.Measured.Alg.String(), p.t("bandwidth.formula.alg", "Size", sizeExact(a.Size), "Time", duration(a.Measured.Time), "Bits", bits(a.Measured.Alg)), false),
		figure("bandwidth.bus", a.Measured.Bus.String(), p.t("bandwidth.formula.bus", "Alg", a.Measured.Alg.String(), "Factor", significant(factor, 4), "Bits", bits(a.Measured.Bus)), true),
		{Label: p.t("bandwidth.figure.share"), Number: share, Formula: p.t("bandwidth.formula.share", "Bus", a.Measured.Bus.String(), "Wire", a.Wire.String())},
	}
}

// units writes the bus bandwidth in every unit that people use.
func (p *bandwidthPage) units() []views.Fact {
	bus := p.ask.Measured.Bus
	return []views.Fact{
		{Name: p.t("bandwidth.unit.bytes"), Values: []string{bus.String()}},
		{Name: p.t("bandwidth.unit.bits"), Values: []string{bits(bus)}},
		{Name: p.t("bandwidth.unit.binary"), Values: []string{memory(unit.Bytes(bus)) + "/s"}},
	}
}

func (p *bandwidthPage) factors() []views.BandwidthFactor {
	var all []views.BandwidthFactor
	for _, c := range bandwidthCollectives() {
		algorithms := raceable(c)
		shown := algorithms[0]
		if slices.Contains(algorithms, raceRival) {
			shown = raceRival
		}
		all = append(all, views.BandwidthFactor{
			Name: collectiveName(p.f.Locale, c), URL: p.lesson(c, shown, "").URL,
			Formula: factorFormula(c, p.ask.Ranks), Value: significant(c.BusFactor(p.ask.Ranks), 4), Current: c == p.ask.Collective,
		})
	}
	return all
}

// factorFormula is the bus factor of a collective in symbols and, where that is
// not the same, in numbers.
func factorFormula(c schedule.Collective, n int) string {
	switch at2 := c.BusFactor(2); {
	case at2 == 1 && c.BusFactor(4) == 1.5:
		return fmt.Sprintf("2(n−1)/n = 2 × %d/%d", n-1, n)
	case at2 == 0.5:
		return fmt.Sprintf("(n−1)/n = %d/%d", n-1, n)
	}
	return "1"
}

// wire puts the port beside the bus bandwidth that two ways to do the same
// all-reduce come to.
func (p *bandwidthPage) wire() views.StoryChart {
	rows := []draw.StackedBar{
		{Name: p.t("bandwidth.wire.port"), Pieces: []draw.Piece{{Length: p.ask.Wire.GBytes(), Tone: draw.Compute}}, Figure: p.ask.Wire.String()},
		{Name: p.t("bandwidth.wire.ring"), Pieces: []draw.Piece{{Length: p.ring.GBytes(), Tone: draw.Comm}}, Figure: p.ring.String()},
		{Name: p.t("bandwidth.wire.layered"), Pieces: []draw.Piece{{Length: p.layered.GBytes(), Tone: draw.Comm}}, Figure: p.layered.String()},
	}
	most := max(p.ask.Wire, p.ring, p.layered).GBytes()
	return twoWidths(func(width float64, narrow bool) string {
		ticks := 8
		if narrow {
			ticks = 3
		}
		return draw.StackedBars{
			Frame: draw.Frame{Width: width, Height: draw.RowsHeight(len(rows), false, true), Title: p.t("bandwidth.wire"), Desc: p.wireSays(), Class: widthClass(narrow)},
			X:     draw.Marked(draw.NiceTicks(most, ticks), false, "GB/s", typed), Rows: rows,
		}.SVG()
	})
}

// The machines on which a figure exceeds the wire: two nodes of eight cards,
// each card with a port of its own.
const (
	crossingNodes   = 2
	crossingPerNode = 8
)

// crossing is the bus bandwidth of an all-reduce across nodes, played with the
// asked wire between them and NVLink within, without latency.
func (p *bandwidthPage) crossing(algorithm string) unit.Rate {
	const ranks, elements, width = crossingNodes * crossingPerNode, 1 << 28, 4
	s, err := schedule.Build(schedule.Request{Collective: schedule.AllReduce, Algorithm: algorithm, Ranks: ranks, RanksPerNode: crossingPerNode})
	if err == nil {
		var line *sim.Timeline
		line, err = sim.Play(s, sim.Setup{Elements: elements, Width: width, Fabric: &sim.Fabric{
			PerNode: crossingPerNode, NICs: crossingPerNode, Inside: cost.Network{Bandwidth: nvlink450}, Across: cost.Network{Bandwidth: p.ask.Wire},
		}})
		if err == nil {
			return cost.ThroughputIn(schedule.AllReduce, ranks, elements*width, line.Time).Bus
		}
	}
	if p.err == nil {
		p.err = err
	}
	return 0
}

func (p *bandwidthPage) wireSays() string {
	return p.t("bandwidth.wire.says", "Nodes", crossingNodes, "PerNode", crossingPerNode, "Wire", p.ask.Wire.String(), "Inside", nvlink450.String(),
		"Ring", p.ring.String(), "Layered", p.layered.String())
}

// bandwidthSizes are those for which the page says what is fastest.
var bandwidthSizes = []unit.Bytes{8 * unit.KiB, 256 * unit.KiB, 8 * unit.MiB, 256 * unit.MiB, unit.GiB}

// choices says which algorithm is the fastest at which size on the asked wire.
func (p *bandwidthPage) choices() []views.BandwidthChoice {
	a := p.ask
	net := cost.Network{Latency: bandwidthLatency, Bandwidth: a.Wire}
	canRace := slices.Contains(raceCollectives(), a.Collective)
	var all []views.BandwidthChoice
	for _, size := range bandwidthSizes {
		best := p.level(p.predict(a.Collective, cost.Auto, a.Ranks, size, net), net)
		row := views.BandwidthChoice{
			Size: size.String(), Name: capital(algorithmName(p.f.Locale, best.Algorithm)), URL: p.lesson(a.Collective, best.Algorithm, "").URL,
			Time: duration(best.Time), Bus: unit.Rate(best.BusBW * 1e9).String(), Share: shareText(best.BusBW * 1e9 / float64(a.Wire)),
		}
		if rival := rivalOf(best); canRace && rival != "" {
			query := url.Values{
				"collective": {string(a.Collective)}, "a": {rival}, "b": {best.Algorithm}, "n": {strconv.Itoa(min(a.Ranks, raceMaxRanks))},
				"size": {tight(size.String())}, "net": {tight(a.Wire.String()) + "," + bandwidthLatencyText},
			}
			row.Race = views.LessonLink{URL: p.f.homeURL() + racePath + "?" + query.Encode(), Name: p.t("bandwidth.which.against", "Name", algorithmName(p.f.Locale, rival))}
		}
		all = append(all, row)
	}
	return all
}

// level is the first in the catalogue of the algorithms that are as good as the
// fastest, which is what the chart of a collective's page takes.
func (p *bandwidthPage) level(best cost.Prediction, net cost.Network) cost.Prediction {
	times := map[string]unit.Seconds{}
	for _, other := range best.Alternatives {
		times[other.Algorithm] = other.Time
	}
	for _, e := range schedule.Catalog() {
		if e.Collective != best.Collective || !e.Executable {
			continue
		}
		if e.Algorithm == best.Algorithm {
			break
		}
		if took, priced := times[e.Algorithm]; priced && took <= best.Time*(1+sizing.Level) {
			return p.predict(best.Collective, e.Algorithm, best.Ranks, best.Size, net)
		}
	}
	return best
}

// rivalOf is what the fastest is raced against: the ring, or for the ring the
// next fastest that hosts can execute.
func rivalOf(best cost.Prediction) string {
	executable := map[string]bool{}
	for _, e := range schedule.Catalog() {
		if e.Collective == best.Collective && e.Executable && e.Algorithm != best.Algorithm {
			executable[e.Algorithm] = true
		}
	}
	if executable[raceRival] {
		return raceRival
	}
	for _, other := range best.Alternatives {
		if executable[other.Algorithm] {
			return other.Algorithm
		}
	}
	return ""
}

// shareText prints a share without digits after the point, but for small ones.
func shareText(v float64) string {
	if v < 0.1 {
		return significant(100*v, 2) + "%"
	}
	return strconv.FormatFloat(100*v, 'f', 0, 64) + "%"
}

// sizeExact prints a size as it was typed where that is short, else to three
// digits.
func sizeExact(b unit.Bytes) string {
	if text := b.String(); len(text) <= len("1024 MiB") {
		return text
	}
	return sizeBytes(b)
}
