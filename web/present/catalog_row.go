package present

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/unit"
	"lockstep/sizing/catalog"
	"lockstep/sizing/site"
	"lockstep/views"
	"lockstep/views/locale"
)

// catalogColumns are the columns of a kind behind the name, each with the keys
// whose doubts are the cell's.
var catalogColumns = map[catalog.Kind][]struct {
	message string
	number  bool
	keys    []string
}{
	catalog.Models: {
		{"catalog.col.params", true, []string{"computed_params"}}, {"catalog.col.shape", true, []string{"layers", "hidden_size"}},
		{"catalog.col.heads", true, []string{"attention_heads", "kv_heads"}}, {"catalog.col.attention", false, []string{"attention_type"}},
		{"catalog.col.experts", true, []string{"experts", "experts_per_token"}}, {"catalog.col.sequence", true, []string{"max_seq_len"}},
	},
	catalog.Systems: {
		{"catalog.col.accelerators", false, []string{"accelerator", "accelerators_per_node"}}, {"catalog.col.inside", true, []string{"scaleup_bandwidth_gbytes_per_s_per_direction"}},
		{"catalog.col.nics", true, []string{"nics_per_node", "nic_gbits_per_s_each", "nic_type"}}, {"catalog.col.share", true, []string{"nic_gbytes_per_s_per_accelerator"}},
	},
	catalog.Accelerators: {
		{"catalog.col.memory", true, []string{"memory_gb"}}, {"catalog.col.memory.rate", true, []string{"memory_bandwidth_gbytes_per_s"}},
		{"entry.bf16_dense_tflops", true, []string{"bf16_dense_tflops"}}, {"entry.fp8_dense_tflops", true, []string{"fp8_dense_tflops"}},
		{"catalog.col.inside", true, []string{"scaleup_bandwidth_gbytes_per_s_per_direction"}}, {"entry.tdp_w", true, []string{"tdp_w"}},
	},
	catalog.Fabrics: {
		{"entry.family", false, []string{"family"}}, {"catalog.col.rate", true, []string{"line_rate_gbits_per_s"}},
		{"catalog.col.reached", true, []string{"typical_effective_fraction"}}, {"catalog.col.latency", true, []string{"one_way_latency_us"}},
		{"catalog.col.sharp", false, []string{"supports_sharp"}},
	},
}

func catalogHeads(l locale.Locale, k catalog.Kind) []views.CatalogHead {
	heads := []views.CatalogHead{{Name: entryTerm(l, "kind."+string(k))}}
	for _, c := range catalogColumns[k] {
		heads = append(heads, views.CatalogHead{Name: l.T(c.message), Number: c.number})
	}
	return heads
}

// catalogRow presents an entry: what one asks first, what is not sure, and
// everything.
func (f Frame) catalogRow(stock Stock, s catalog.Sheet, may bool) (views.CatalogRow, error) {
	l := f.Locale
	r := views.CatalogRow{
		ID: entryAnchor + s.ID, Name: s.Name, Code: s.ID,
		Basis:  l.T("catalog.rests", locale.Values{"Basis": entryTerm(l, "word."+string(s.Rests()))}),
		Doubts: f.catalogDoubts(s), Source: linked(s.Source), Cells: f.catalogCells(stock.Known, s), Links: f.catalogUses(stock.Known, s),
	}
	for i, c := range catalogColumns[s.Kind] {
		r.Cells[i].Number = c.number
		r.Cells[i].Doubt = r.Cells[i].Text != "" && slices.ContainsFunc(c.keys, func(key string) bool { return doubtful(s.Origin, key) })
	}
	values, err := s.Values()
	if err != nil {
		return r, fmt.Errorf("present an entry of the catalogue: %w", err)
	}
	r.Notes, _ = values[noteKey(s.Kind)].(string)
	r.Groups = f.catalogFacts(s, values)
	if s.Own && may && f.Session {
		r.Change = f.catalogChange(s.Kind, s.ID)
	}
	if i := slices.IndexFunc(stock.Own, func(e catalog.Entry) bool { return e.Kind == s.Kind && e.ID == s.ID }); i >= 0 && f.Session {
		r.By = l.T("catalog.by", locale.Values{"By": stock.Own[i].By, "At": dated(stock.Own[i].Changed)})
	}
	return r, nil
}

// catalogCells are the figures of a row in the order of its columns.
func (f Frame) catalogCells(known *catalog.Catalog, s catalog.Sheet) []views.CatalogCell {
	l := f.Locale
	cell := func(text, sub string) views.CatalogCell { return views.CatalogCell{Text: text, Sub: sub} }
	if m, is := s.Model(); is {
		active := ""
		if v := max(m.Active, 0); v > 0 {
			active = l.T("catalog.col.active", locale.Values{"Active": sayCount(l, v)})
		}
		attention, experts := "", ""
		if m.Attends != "" {
			attention = entryTerm(l, "word."+m.Attends)
		}
		if m.Experts > 0 && m.PerToken > 0 {
			experts = l.T("catalog.col.experts.value", locale.Values{"All": m.Experts, "Each": m.PerToken})
		}
		return []views.CatalogCell{
			cell(sayCount(l, m.Parameters()), active), cell(product(m.Layers, m.Hidden), ""), cell(headCounts(m), ""), cell(attention, ""),
			cell(experts, ""), cell(whole(m.Sequence), ""),
		}
	}
	if v, is := s.System(); is {
		name := v.Accelerator
		if a, err := known.Accelerator(v.Accelerator); err == nil {
			name = a.Name
		}
		rate := v.ScaleUpRate
		if a, err := known.Accelerator(v.Accelerator); err == nil && rate == 0 {
			rate = a.ScaleUpRate
		}
		nics := ""
		if v.NICs > 0 && v.NICRate > 0 {
			nics = strconv.Itoa(v.NICs) + " × " + withUnit(v.NICRate, "Gb/s")
		}
		share := cell(withUnit(v.Share, "GB/s"), "")
		if v.Share > 0 {
			share.Sub = bits(unit.Rate(v.Share * 1e9))
		}
		return []views.CatalogCell{cell(strconv.Itoa(v.PerNode)+" × "+name, v.Topology), cell(withUnit(rate, "GB/s"), ""), cell(nics, v.NIC), share}
	}
	if a, is := s.Accelerator(); is {
		return []views.CatalogCell{
			cell(withUnit(a.Memory, "GB"), a.MemoryType), cell(withUnit(a.MemoryBandwidth, "GB/s"), ""), cell(withUnit(a.BF16, "TFLOP/s"), ""),
			cell(withUnit(a.FP8, "TFLOP/s"), ""), cell(withUnit(a.ScaleUpRate, "GB/s"), a.ScaleUp), cell(withUnit(a.Power, "W"), ""),
		}
	}
	v, _ := s.Fabric()
	share, latency := cell("", ""), cell("", "")
	if v.Fraction > 0 {
		share.Text = percentText(v.Fraction)
		if v.FractionIs != "" {
			share.Sub = entryTerm(l, "word."+v.FractionIs)
		}
	}
	if v.Latency > 0 {
		latency.Text = withUnit(v.Latency, "µs")
	}
	sharp := l.T("catalog.no")
	if v.SHARP {
		sharp = l.T("catalog.yes")
	}
	return []views.CatalogCell{cell(v.Family, ""), cell(withUnit(v.Rate, "Gb/s"), withUnit(v.ByteRate, "GB/s")), share, latency, cell(sharp, "")}
}

// catalogUses are the pages that an entry can be put to use on.
func (f Frame) catalogUses(known *catalog.Catalog, s catalog.Sheet) []views.CatalogLink {
	l := f.Locale
	size := func(message string, values url.Values) []views.CatalogLink {
		return []views.CatalogLink{{Name: l.T(message), URL: f.sizeURL(values)}}
	}
	switch s.Kind {
	case catalog.Models:
		if m, _ := s.Model(); sizeCount(m) > 0 {
			return size("catalog.size.models", url.Values{"model": {s.ID}, "bytes": {"2"}})
		}
	case catalog.Systems:
		v, _ := s.System()
		return append(size("catalog.size.systems", url.Values{"system": {s.ID}}),
			views.CatalogLink{Name: l.T("catalog.accelerator.of"), URL: f.EntryURL(catalog.Accelerators, v.Accelerator)})
	case catalog.Accelerators:
		if slices.ContainsFunc(known.Systems, func(v catalog.System) bool { return v.Accelerator == s.ID }) {
			return []views.CatalogLink{{Name: l.T("catalog.systems.of"), URL: f.catalogURL(catalog.Systems) + "?" + url.Values{"q": {s.ID}}.Encode()}}
		}
	case catalog.Fabrics:
		if _, listed := site.FindLink(known, s.ID); listed {
			return size("catalog.size.fabrics", url.Values{"fabric": {s.ID}})
		}
	}
	return nil
}

// linked cuts a source into its addresses and what stands between them.
func linked(source string) []views.CatalogText {
	var all []views.CatalogText
	var plain []string
	flush := func() {
		if len(plain) > 0 {
			all = append(all, views.CatalogText{Text: strings.Join(plain, " ")})
			plain = nil
		}
	}
	for _, word := range strings.Fields(source) {
		if !strings.HasPrefix(word, "https://") {
			plain = append(plain, word)
			continue
		}
		address := strings.TrimRight(word, ";,.)")
		if u, err := url.Parse(address); err != nil || u.Host == "" || u.User != nil {
			plain = append(plain, word)
			continue
		}
		flush()
		all = append(all, views.CatalogText{Text: address, URL: address})
		if rest := strings.TrimPrefix(word, address); rest != "" {
			plain = append(plain, rest)
		}
	}
	flush()
	return all
}
