package present

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing/benchlog"
	"lockstep/sizing/diagnose"
	"lockstep/sizing/hardware"
	"lockstep/views"
)

// mostRows is how many sizes a table on a page has; the rest is in what can be
// downloaded.
const mostRows = 64

// toolNames are tools as their makers write them.
var toolNames = map[benchlog.Tool]string{
	benchlog.NCCLTests: "nccl-tests", benchlog.RCCLTests: "rccl-tests", benchlog.OSU: "OSU Micro-Benchmarks", benchlog.HCCLTest: "hccl_test",
}

// scaleNames name kinds of links within a domain, in any language.
var scaleNames = map[hardware.Scale]string{
	hardware.NVSwitch3: "NVLink 3 + NVSwitch", hardware.NVSwitch4: "NVLink 4 + NVSwitch", hardware.NVSwitch5: "NVLink 5 + NVSwitch", hardware.NVL72: "NVLink 5, NVL72",
	hardware.NVLinkMesh: "NVLink", hardware.PCIe: "PCIe",
}

// networkNames name networks between nodes, in any language.
var networkNames = map[hardware.Network]string{
	hardware.InfiniBand: "InfiniBand", hardware.RoCE: "RoCE", hardware.EFA: "EFA", hardware.Slingshot: "Slingshot", hardware.TCPXO: "GPUDirect-TCPXO",
	hardware.TCPX: "GPUDirect-TCPX", hardware.TCP: "TCP", hardware.OmniPath: "Omni-Path", hardware.RDMA: "RDMA",
}

// perSecond prints a bandwidth given in GB/s.
func perSecond(v float64) string { return unit.Rate(v * 1e9).String() }

func (p diagnosis) table(i int, t diagnosed) views.DiagnoseTable {
	v := views.DiagnoseTable{ID: "table-" + strconv.Itoa(i+1), Name: p.name(i, t), Facts: p.facts(t), Taken: p.taken(t), Verdict: p.verdict(t)}
	for _, w := range t.Warnings {
		v.Notes = append(v.Notes, logNote(p.f.Locale, w))
	}
	v.ChartName, v.ChartSays, v.Chart = p.chart(t)
	for _, found := range t.Findings {
		shown := p.f.finding(found, t.lines)
		if found.Severity == diagnose.Info {
			v.Minor = append(v.Minor, shown)
		} else {
			v.Findings = append(v.Findings, shown)
		}
	}
	p.rows(t, &v)
	return v
}

// name is what a table is called.
func (p diagnosis) name(i int, t diagnosed) string {
	if t.File.File == "" {
		if len(p.ask.tables) == 1 {
			return p.t("diagnose.pasted")
		}
		return p.t("diagnose.pasted.part", "Number", i+1)
	}
	return t.File.File
}

// what is a table in a few words.
func (p diagnosis) what(t diagnosed) string {
	var parts []string
	if t.Collective != "" {
		parts = append(parts, collectiveName(p.f.Locale, t.Collective))
	}
	if t.Ranks > 0 {
		parts = append(parts, p.t("diagnose.ranks", "Count", t.Ranks))
	}
	if t.GPU != "" {
		parts = append(parts, t.GPU)
	}
	if len(parts) == 0 {
		return p.t("diagnose.unknown")
	}
	return listed(p.f.Locale, parts)
}

// facts are what is known of a table.
func (p diagnosis) facts(t diagnosed) []views.DiagnoseFact {
	var all []views.DiagnoseFact
	add := func(name, value, key string) {
		if value == "" {
			return
		}
		fact := views.DiagnoseFact{Name: p.t(name), Value: value}
		if slices.Contains(t.Stated, key) {
			fact.Note = p.t("diagnose.stated")
		}
		all = append(all, fact)
	}
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	collective := ""
	if t.Collective != "" {
		collective = collectiveName(p.f.Locale, t.Collective)
	}
	add("diagnose.fact.collective", collective, "collective")
	add("diagnose.fact.ranks", number(t.Ranks), "ranks")
	add("diagnose.fact.nodes", number(t.Nodes), "nodes")
	add("diagnose.fact.accelerator", t.GPU, "")
	add("diagnose.fact.tool", strings.TrimSpace(toolNames[t.Tool]+" "+t.ToolVersion), "")
	add("diagnose.fact.library", t.Library, "")
	add("diagnose.fact.dtype", strings.Join(slices.DeleteFunc([]string{t.DType, t.Op}, func(s string) bool { return s == "" || s == "none" }), ", "), "")
	return all
}

// taken says what a table was compared with.
func (p diagnosis) taken(t diagnosed) string {
	if t.Taken == nil {
		return ""
	}
	s := t.Taken
	scale, known := scaleNames[s.Scale]
	if !known {
		scale = p.t(map[hardware.Scale]string{hardware.XGMI: "diagnose.scale.mesh", hardware.HostStaged: "diagnose.scale.host", hardware.Alone: "diagnose.scale.none"}[s.Scale])
	}
	inside := scale
	if s.Rate > 0 {
		inside = p.t("diagnose.taken.inside", "Scale", scale, "Rate", perSecond(s.Rate))
	}
	text := p.t("diagnose.taken.one", "Family", s.Family, "Inside", inside)
	if s.Network != "" {
		text = p.t("diagnose.taken.many", "Family", s.Family, "Inside", inside, "Network", networkNames[s.Network], "NIC", perSecond(s.NIC), "Bits", bits(unit.Rate(s.NIC*1e9)))
	}
	if t.Expected.Grade != "" {
		text = p.t("diagnose.taken.grade", "Text", text, "Grade", t.Expected.Grade)
	}
	return text
}

// verdict is the conclusion about one table.
func (p diagnosis) verdict(t diagnosed) views.DiagnoseVerdict {
	v := views.DiagnoseVerdict{}
	values := []any{"Bus", perSecond(t.Reached), "Share", percent(t.Share)}
	var main *diagnose.Finding // what to look at first, beside that it is slow
	open := 0
	for i, found := range t.Findings {
		if found.Severity == diagnose.Info || found.Code == diagnose.Slow {
			continue
		}
		open++
		if main == nil {
			main = &t.Findings[i]
		}
	}
	said := func(found *diagnose.Finding) string {
		return p.f.Locale.T(findingID(found.Code, found.Values["why"]), findingValues(found.Values))
	}
	switch t.Verdict {
	case diagnose.Healthy:
		v.Kind, v.Word, v.Text = "ok", p.t("diagnose.verdict.healthy"), p.t("diagnose.say.healthy", values...)
		if main != nil {
			v.Next = p.t("diagnose.say.but", "First", said(main), "Count", open)
		}
	case diagnose.Below:
		v.Kind, v.Word, v.Text = "bad", p.t("diagnose.verdict.below"), p.t("diagnose.say.below", values...)
		if main != nil {
			v.Next = p.t("diagnose.say.first", "First", said(main))
		} else {
			v.Next = p.t("diagnose.say.look")
		}
	case diagnose.Unusable:
		v.Kind, v.Word, v.Text = "bad", p.t("diagnose.verdict.unusable"), p.t("diagnose.say.unusable", "First", said(main))
	default:
		v.Kind, v.Word = "off", p.t("diagnose.verdict.unjudged")
		if slices.Contains(t.Needs, diagnose.NeedsSizes) {
			v.Text = p.t("diagnose.say.sizes")
			break
		}
		needs := map[diagnose.Need]string{diagnose.NeedsCollective: "diagnose.need.collective", diagnose.NeedsRanks: "diagnose.need.ranks", diagnose.NeedsSystem: "diagnose.need.system"}
		var lacks []string
		for _, need := range t.Needs {
			lacks = append(lacks, p.t(needs[need]))
		}
		v.Text, v.Next = p.t("diagnose.say.unjudged", "Needs", listed(p.f.Locale, lacks)), p.t("diagnose.say.state")
	}
	return v
}

// rows are the measurements by size, both halves of a table side by side.
func (p diagnosis) rows(t diagnosed, v *views.DiagnoseTable) {
	expected := map[int64]diagnose.Band{}
	for _, b := range t.Expected.Curve {
		expected[b.Size] = b
	}
	v.Band = len(expected) > 0
	sizes := 0
	for i, r := range t.Rows {
		half := halfOf(t.File, r)
		if r.InPlace {
			v.InPlace = true
			if i > 0 && t.Rows[i-1].Size == r.Size && !t.Rows[i-1].InPlace {
				if sizes <= mostRows {
					v.Rows[len(v.Rows)-1].In = half
				}
				continue
			}
		}
		if sizes++; sizes > mostRows {
			continue
		}
		row := views.DiagnoseRow{Size: unit.Bytes(r.Size).String(), Out: half}
		if r.Count != nil {
			row.Count = strconv.Itoa(*r.Count)
		}
		if r.InPlace {
			row.Out, row.In = views.DiagnoseHalf{}, half
		}
		if b, has := expected[r.Size]; has {
			row.Expected = rateRange(b.Low, b.High)
		}
		v.Rows = append(v.Rows, row)
	}
	v.RowsSays = p.t("diagnose.rows.says", "Count", sizes)
	if sizes > mostRows {
		v.RowsSays = p.t("diagnose.rows.more", "Count", sizes, "Shown", mostRows)
	}
}

// halfOf presents a measurement. Tools print bandwidths with few digits: where
// nothing is left of one, it is made of the time.
func halfOf(f diagnose.File, r diagnose.Row) views.DiagnoseHalf {
	figure := func(v *float64) float64 {
		if v == nil {
			return 0
		}
		return *v
	}
	alg, bus, time := figure(r.AlgBW), figure(r.BusBW), figure(r.Time)
	if r.Size > 0 && time > 0 && !f.PerPeer {
		if alg < 0.1 {
			alg = float64(r.Size) / time / 1e3
		}
		if bus < 0.1 && f.Ranks > 0 && f.Collective != "" {
			bus = alg * f.Collective.BusFactor(f.Ranks)
		}
	}
	h := views.DiagnoseHalf{Time: "–", Alg: "–", Bus: "–"}
	if r.Time != nil {
		h.Time = duration(unit.Seconds(time / 1e6))
	}
	if alg > 0 {
		h.Alg = perSecond(alg)
	}
	if bus > 0 {
		h.Bus = perSecond(bus)
	}
	if r.Wrong != nil {
		h.Wrong = strconv.Itoa(*r.Wrong)
	}
	return h
}

// rateRange prints a range of bandwidths in GB/s, with one unit where both have
// the same.
func rateRange(low, high float64) string {
	from, to := perSecond(low), perSecond(high)
	number, of := parted(from)
	if _, same := parted(to); same == of {
		from = number
	}
	return from + "–" + to
}
