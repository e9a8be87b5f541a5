package trained

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"lockstep/sizing/catalog"
	"lockstep/sizing/train"
)

// named is a model that a row means.
type named struct {
	shape   train.Shape
	family  string // runs of one family are left out together
	guessed bool   // from its size alone
}

// gpt is a decoder of the older kind: feed-forward layers of four times the
// hidden size, without a gate, the embedding used twice.
func gpt(layers, hidden, heads, vocabulary float64) train.Shape {
	return train.Shape{
		Hidden: hidden, FFN: 4 * hidden, Vocab: vocabulary, Heads: heads, KVHeads: heads, HeadDim: hidden / heads,
		Tied: true, AttentionShare: 1, Attends: layers, Plain: layers,
	}
}

// llama is a gated decoder with grouped heads.
func llama(layers, hidden, width, heads, groups, vocabulary float64) train.Shape {
	return train.Shape{
		Hidden: hidden, FFN: width, Vocab: vocabulary, Heads: heads, KVHeads: groups, HeadDim: hidden / heads, Gates: 1,
		AttentionShare: 1, Attends: layers, Plain: layers,
	}
}

const megatronVocabulary, mptVocabulary = 51200, 50368

// hybrid is a decoder of attention, state-space and expert layers.
func hybrid(attends, scans, mixing, hidden, heads float64, inner float64, e train.Experts) train.Shape {
	return train.Shape{
		Hidden: hidden, FFN: e.FFN, Vocab: 131072, Heads: heads, KVHeads: 2, HeadDim: 128, AttentionShare: 1,
		Attends: attends, Mixing: mixing, Experts: e, Scans: train.Scans{Layers: scans, Inner: inner, Groups: 8, State: 128},
	}
}

func mixture(layers, hidden, heads, groups, dim, vocabulary, share float64, e train.Experts) train.Shape {
	e.Width = hidden
	return train.Shape{
		Hidden: hidden, FFN: e.FFN, Vocab: vocabulary, Heads: heads, KVHeads: groups, HeadDim: dim, Gates: 1,
		AttentionShare: share, Attends: layers, Mixing: layers, Experts: e,
	}
}

// beside are models of the table that the catalogue has not: recalled shapes,
// held against the parameter counts and operations that rows state.
var beside = []struct {
	pattern *regexp.Regexp
	family  string
	shape   train.Shape
}{
	{regexp.MustCompile(`^mpt.?125m`), "mpt125m", gpt(12, 768, 12, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?350m`), "mpt350m", gpt(24, 1024, 16, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?760m`), "mpt760m", gpt(24, 1536, 12, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?1b`), "mpt1b", gpt(24, 2048, 16, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?3b`), "mpt3b", gpt(32, 2560, 20, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?7b`), "mpt7b", gpt(32, 4096, 32, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?13b`), "mpt13b", gpt(40, 5120, 40, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?30b`), "mpt30b", gpt(48, 7168, 56, mptVocabulary)},
	{regexp.MustCompile(`^mpt.?70b`), "mpt70b", gpt(80, 8192, 64, mptVocabulary)},
	{regexp.MustCompile(`nemotron.?4.?15b|nemotron.?15b`), "nemotron4-15b", nemotron4(32, 6144, 24576, 48)},
	{regexp.MustCompile(`nemotron.?4.?340b|nemotron.?340b`), "nemotron4-340b", nemotron4(96, 18432, 73728, 96)},
	{regexp.MustCompile(`nemotron.*(?:nano|lightning)`), "nemotron3-nano", hybrid(6, 23, 23, 2688, 32, 4096, train.Experts{Count: 128, PerToken: 6, FFN: 1856, Shared: 3712, Width: 2688})},
	{regexp.MustCompile(`nemotron.*super`), "nemotron3-super", hybrid(8, 40, 40, 4096, 32, 8192, train.Experts{Count: 512, PerToken: 22, FFN: 2688, Shared: 5376, Width: 1024})},
	{regexp.MustCompile(`nemotron.*ultra`), "nemotron3-ultra", hybrid(12, 48, 48, 8192, 64, 16384, train.Experts{Count: 512, PerToken: 22, FFN: 5120, Shared: 10240, Width: 2048})},
	{regexp.MustCompile(`deepseek.?v4.*flash`), "dsv4-flash", mixture(43, 4096, 64, 8, 128, 129280, 0.3, train.Experts{Count: 256, PerToken: 6, FFN: 2048, Shared: 2048})},
	{regexp.MustCompile(`qwen3.?next`), "qwen3-next", mixture(48, 2048, 16, 2, 256, 151936, 0.25, train.Experts{Count: 512, PerToken: 10, FFN: 512, Shared: 512})},
	{regexp.MustCompile(`minimax.?m2`), "minimax-m2", mixture(62, 3072, 48, 8, 128, 200064, 1, train.Experts{Count: 256, PerToken: 8, FFN: 1536})},
	{regexp.MustCompile(`dbrx`), "dbrx", mixture(40, 6144, 48, 8, 128, 100352, 1, train.Experts{Count: 16, PerToken: 4, FFN: 10752})},
	{regexp.MustCompile(`grok.?1`), "grok-1", mixture(64, 6144, 48, 8, 128, 131072, 1, train.Experts{Count: 8, PerToken: 2, FFN: 32768})},
	{regexp.MustCompile(`gpt.?5b`), "gpt5b", gpt(24, 4096, 32, megatronVocabulary)},
	{regexp.MustCompile(`nemo megatron|gpt.?3?.?175b`), "gpt3-175b", gpt(96, 12288, 96, megatronVocabulary)},
	{regexp.MustCompile(`turing.?530b|mt.?nlg`), "mt-nlg-530b", gpt(105, 20480, 128, megatronVocabulary)},
	{regexp.MustCompile(`^22b$`), "megatron-22b", gpt(48, 6144, 64, megatronVocabulary)},
	{regexp.MustCompile(`^1t$`), "megatron-1t", gpt(128, 25600, 160, megatronVocabulary)},
}

func nemotron4(layers, hidden, width, heads float64) train.Shape {
	s := llama(layers, hidden, width, heads, 8, 256000)
	s.Gates = 0
	return s
}

// scaled are MaxText's models, whose sizes alone are published.
var scaled = map[string]train.Shape{
	"16": gpt(36, 6144, 24, 32000), "22": gpt(48, 6144, 24, 32000), "32": gpt(40, 8192, 32, 32000), "52": gpt(64, 8192, 32, 32000),
	"64": gpt(80, 8192, 32, 32000), "128": gpt(100, 10240, 40, 32000), "256": gpt(80, 16384, 64, 32000),
	"512": gpt(104, 20480, 80, 32000), "1024": gpt(80, 32768, 128, 32000),
}

var (
	dimensions = regexp.MustCompile(`\b(hidden|h|layers|l|heads|vocab|ffn)\s*=\s*(\d+)`)
	maxText    = regexp.MustCompile(`^(\d+)b maxtext`)
	sizeWord   = regexp.MustCompile(`(\d+(?:\.\d+)?)\s*([mbt])\b`)
	cutName    = regexp.MustCompile(`_l(\d+)_`)
	cutNotes   = regexp.MustCompile(`\blayers=(\d+)`)
)

// aliases are names that leave out part of a catalogue's.
var aliases = []struct {
	pattern *regexp.Regexp
	id      string
}{
	{regexp.MustCompile(`qwen.?3.*\b30b`), "qwen3-30b-a3b"},
	{regexp.MustCompile(`qwen.?3.*235b`), "qwen3-235b-a22b"},
	{regexp.MustCompile(`mixtral.*8x7b|mixtral$`), "mixtral-8x7b"},
	{regexp.MustCompile(`kimi`), "kimi-k2"},
	{regexp.MustCompile(`gpt.?oss.*120b`), "gpt-oss-120b"},
	{regexp.MustCompile(`gpt.?oss`), "gpt-oss-20b"},
}

// shapes reads models by the names that tables give them.
type shapes struct {
	known []catalogued
	byID  map[string]named
}

type catalogued struct {
	pattern *regexp.Regexp
	named
}

func newShapes(c *catalog.Catalog) shapes {
	s := shapes{byID: map[string]named{}}
	models := slices.Clone(c.Models)
	slices.SortStableFunc(models, func(a, b catalog.Model) int { return len(b.ID) - len(a.ID) })
	for _, m := range models {
		shape, ok := train.ShapeOf(m)
		if !ok {
			continue
		}
		n := named{shape: shape, family: familyOf(m.ID)}
		s.byID[m.ID] = n
		s.known = append(s.known, catalogued{loosely(m.ID), n})
	}
	return s
}

var parts = regexp.MustCompile(`[a-z]+|\d+`)

// loosely matches an ID in a name whatever stands between its words and
// numbers.
func loosely(id string) *regexp.Regexp {
	return regexp.MustCompile(`(?:^|[^0-9a-z])` + strings.Join(parts.FindAllString(id, -1), `[^0-9a-z]*`) + `(?:[^0-9.a-z]|$|\.\D)`)
}

// familyOf takes names of one shape together.
func familyOf(id string) string {
	if size, renamed := strings.CutPrefix(id, "llama3.1-"); renamed && size != "405b" {
		return "llama3-" + size
	}
	if id == "deepseek-r1" {
		return "deepseek-v3"
	}
	return id
}

// squeezed leaves letters and digits.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(text))
}

// of finds the model of a row. ok is false for one that neither its name nor its
// size tells.
func (s shapes) of(r Row) (named, bool) {
	name := strings.ToLower(strings.TrimSpace(r.Model))
	if n, ok := written(name, r.Notes); ok {
		return n, true
	}
	if m := maxText.FindStringSubmatch(name); m != nil {
		if shape, ok := scaled[m[1]]; ok {
			return named{shape: shape, family: "maxtext"}, true
		}
	}
	for _, b := range beside {
		if b.pattern.MatchString(name) {
			return named{shape: b.shape, family: b.family}, true
		}
	}
	for _, a := range aliases {
		if n, there := s.byID[a.id]; there && a.pattern.MatchString(name) {
			return n, true
		}
	}
	for _, k := range s.known {
		if k.pattern.MatchString(name) {
			return k.named, true
		}
	}
	return sized(name, r.Billions)
}

// written reads a shape that a name or a note spells out.
func written(name, notes string) (named, bool) {
	given := map[string]float64{}
	for _, text := range []string{strings.ToLower(notes), name} {
		for _, m := range dimensions.FindAllStringSubmatch(text, -1) {
			v, _ := strconv.ParseFloat(m[2], 64)
			given[m[1]] = v
		}
	}
	first := func(names ...string) float64 {
		for _, n := range names {
			if v := given[n]; v > 0 {
				return v
			}
		}
		return 0
	}
	hidden, layers := first("hidden", "h"), first("layers", "l")
	if hidden == 0 || layers == 0 {
		return named{}, false
	}
	heads := first("heads")
	if heads == 0 {
		heads = math.Max(1, math.Round(hidden/128))
	}
	vocabulary := first("vocab")
	if vocabulary == 0 {
		vocabulary = megatronVocabulary
	}
	shape := gpt(layers, hidden, heads, vocabulary)
	if strings.Contains(name, "llama") || strings.Contains(name, "qwen") || strings.Contains(name, "mistral") {
		shape = llama(layers, hidden, math.Round(hidden*8/3/256)*256, heads, heads, vocabulary)
	}
	if width := first("ffn"); width > 0 {
		shape.FFN = width
	}
	family := "gpt-" + squeezed(name)
	if given["h"] > 0 {
		family = "gpt-h" + strconv.FormatFloat(hidden, 'f', -1, 64)
	}
	return named{shape: shape, family: family}, true
}

// sized makes up a decoder of a size: of the proportions that published models
// of about that size have, or of a GPT where the name says so.
func sized(name string, billions float64) (named, bool) {
	if billions <= 0 {
		m := sizeWord.FindStringSubmatch(name)
		if m == nil {
			return named{}, false
		}
		billions, _ = strconv.ParseFloat(m[1], 64)
		switch m[2] {
		case "m":
			billions /= 1000
		case "t":
			billions *= 1000
		}
	}
	if billions <= 0 || billions > 1e5 {
		return named{}, false
	}
	plain := strings.Contains(name, "gpt") || strings.Contains(name, "bloom") || strings.Contains(name, "opt")
	// Depth grows with the cube root of the size, about 32 layers at 7·10⁹.
	layers := math.Max(4, math.Round(32*math.Cbrt(billions/7)))
	if billions > 70 {
		layers = math.Round(80 * math.Pow(billions/70, 0.26))
	}
	hidden := math.Max(128, math.Round(math.Sqrt(billions*1e9/(12*layers))/128)*128)
	shape := gpt(layers, hidden, hidden/128, megatronVocabulary)
	if !plain {
		groups := math.Min(8, hidden/128)
		shape = llama(layers, hidden, math.Round(hidden*3.5/256)*256, hidden/128, groups, 128256)
	}
	return named{shape: shape, family: "sized-" + squeezed(name), guessed: true}, true
}

// cut leaves a model so many layers. Leading layers without experts shrink with
// the others, and one stays.
func cut(s train.Shape, layers float64) train.Shape {
	if s.Attends <= layers || layers < 1 || s.Scans.Layers > 0 {
		return s
	}
	if s.Mixing > 0 && s.Plain > 0 {
		plain := math.Max(1, math.Round(s.Plain*layers/s.Attends))
		s.Plain, s.Mixing = plain, layers-plain
	} else if s.Mixing > 0 {
		s.Mixing = layers
	} else {
		s.Plain = layers
	}
	s.Attends = layers
	return s
}
