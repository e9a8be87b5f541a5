package hardware

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// generation is what one NIC of a generation carries, in Gb/s.
type generation struct {
	pattern *regexp.Regexp
	rate    float64
}

// generations, the special before the general: NDR200 is half an NDR.
var generations = []generation{
	{regexp.MustCompile(`\bndr ?200\b`), 200}, {regexp.MustCompile(`\bhdr ?100\b`), 100},
	{regexp.MustCompile(`\bxdr ?\d*\b`), 800}, {regexp.MustCompile(`\bndr ?\d*\b`), 400}, {regexp.MustCompile(`\bhdr ?\d*\b`), 200},
	{regexp.MustCompile(`\bedr ?\d*\b`), 100}, {regexp.MustCompile(`\bfdr ?\d*\b`), 56}, {regexp.MustCompile(`\bqdr\b`), 40},
	{regexp.MustCompile(`cornelis.*\b400\b|\bcn ?5000\b`), 400}, {regexp.MustCompile(`\bopa ?(?:100)?\b|omni ?path`), 100},
	{regexp.MustCompile(`slingshot ?400`), 400}, {regexp.MustCompile(`slingshot ?11|slingshot ?200|\bcxi\b|\bcassini\b`), 200}, {regexp.MustCompile(`slingshot ?10\b`), 100},
}

// number, unit and count of NICs as people write them. Texts are plain.
const (
	figurePattern = `(\d+(?:\.\d+)?)`
	unitPattern   = `(g(?:b(?:it|e)?(?:s)?(?: ?p?s|/s| s)?|bps|e|igabits?|ig)?|gbits?(?: s| ?ps)?|t(?:b(?:it)?s?(?: ?ps| s)?|bps)?)`
	countWords    = `dual|double|two|twin|2 port|双|两|quad|four|4 port|四|eight|octo|八`
	nouns         = `nics?|hcas?|ports?|rails?|adapters?|links?|interfaces?|cards?|网卡|张|块|口|个|路|条|轨`
)

var (
	withUnit = regexp.MustCompile(figurePattern + ` ?` + unitPattern + `(?:\b|$|[^a-z0-9.])`)
	// withoutUnit is a rate that NICs have and nothing else is likely to mean.
	withoutUnit = regexp.MustCompile(`(?:\b|x)(25|40|50|56|100|200|400|800)\b`)

	// before and after are counts of NICs next to a rate or a generation.
	before = regexp.MustCompile(`(?:\b(\d{1,3}) ?x|\b(\d{1,3}) ?(?:` + nouns + `)(?: of)?|(?:^|[^a-z])(` + countWords + `)(?: ?(?:` + nouns + `))?(?: of)?) ?(?:(?:[a-z]+ )?(?:cx|connectx|bf|bluefield|thor|e) ?\d* ?|(?:nvidia|mellanox|intel|broadcom|ib|infiniband|roce|rocev2|ethernet|eth|efa|rdma|slingshot) ?(?:v?\d )?){0,3}$`)
	after  = regexp.MustCompile(`^(?: ?(?:ib|infiniband|roce|ethernet|nics?|hcas?|[nhex]dr))? ?x ?(\d{1,3})\b`)

	anywhere = regexp.MustCompile(`\b(\d{1,3}) ?x? ?(?:` + nouns + `)(?:\b|$|[^a-z])`)

	perRank = regexp.MustCompile(`(?:\d(?:gb?|gbps|gbe|tb?|tbps)|\bper|\beach|\bevery|\bs|\bgb?|\bgbps|\bnic|\bpro|每个?|每张|单) ?(?:gpu|accelerator|xpu|npu|tpu|hpu|card|rank|device|gcd|chip|die|卡|加速卡|芯片)(?:\b|$|[^a-z])|[每单]张?卡|\b1 (?:nic|hca) (?:per|a) gpu`)
	perNode = regexp.MustCompile(`(?:\d(?:gb?|gbps|gbe|tb?|tbps)|\bper|\beach|\bevery|\ba|\bs|\bgb?|\bgbps|\btb?|\btbps|每个?|单) ?(?:node|server|host|box|machine|system|instance|vm|tray|节点|机|服务器)(?:\b|$|[^a-z])|\btotal\b|\baggregated?\b|\bsum\b|总|合计|[每单整][台机]`)
)

// whose says what a rate in a text is of.
type whose int

const (
	ofNIC whose = iota // of one of count NICs, of which a node has more where count is 0
	ofRank
	ofNode
)

// mostOfNIC is more than one NIC carries, in Gb/s: what is above is a node's.
const mostOfNIC = 800

// linkRate is what a text says of a network's rate.
type linkRate struct {
	gbps  float64 // of one NIC, times count; 0 for none
	count int     // 0 for not told
	of    whose
}

// perNode is the rate of a node of so many ranks; sure is false where the text
// does not tell how many NICs there are.
func (r linkRate) perNode(ranks float64) (gbps float64, sure bool) {
	gbps = r.gbps * float64(max(r.count, 1))
	switch {
	case r.of == ofRank:
		return gbps * ranks, true
	case r.of == ofNode:
		return gbps, true
	}
	return gbps, r.count > 0
}

// readRate reads a rate from a plain text: "400g", "8 x 400 gb s", "dual 100g",
// "2x 400gb ndr per gpu", "3.2t per node", "4 x hdr".
func readRate(text string) linkRate {
	var r linkRate
	start, end := -1, -1
	perNodeToo := perNode.MatchString(text)
	for _, m := range withUnit.FindAllStringSubmatchIndex(text, 8) {
		v, err := strconv.ParseFloat(text[m[2]:m[3]], 64)
		if err != nil || v <= 0 || v > 1e6 {
			continue
		}
		if text[m[4]] == 't' {
			v *= 1000
		}
		if v >= 1 && (start < 0 || perNodeToo && v > r.gbps) { // below, not a network of this century; of several a node's is the largest
			r.gbps, start, end = v, m[2], m[5]
		}
	}
	if start < 0 {
		for _, g := range generations {
			if m := g.pattern.FindStringIndex(text); m != nil {
				r.gbps, start, end = g.rate, m[0], m[1]
				break
			}
		}
	}
	if start < 0 {
		if m := withoutUnit.FindStringSubmatchIndex(text); m != nil {
			r.gbps, _ = strconv.ParseFloat(text[m[2]:m[3]], 64)
			start, end = m[2], m[3]
		}
	}
	if start < 0 {
		return linkRate{}
	}
	if m := before.FindStringSubmatch(text[:start]); m != nil {
		r.count = countOf(m[1] + m[2] + m[3])
	} else if m := after.FindStringSubmatch(text[end:]); m != nil {
		r.count = countOf(m[1])
	} else if m := anywhere.FindStringSubmatch(text); m != nil && r.gbps <= mostOfNIC {
		r.count = countOf(m[1])
	}
	switch {
	case perRank.MatchString(text) && !(r.count > 1 && perNodeToo):
		r.of = ofRank
	case perNodeToo, r.gbps > mostOfNIC && r.count == 0:
		r.of = ofNode
	}
	return r
}

// countOf reads a count, in digits or a word.
func countOf(text string) int {
	switch {
	case strings.HasPrefix(text, "quad"), strings.HasPrefix(text, "four"), strings.HasPrefix(text, "4 "), text == "四":
		return 4
	case text == "eight", text == "octo", text == "八":
		return 8
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return 2
	}
	return max(0, min(n, 128))
}

// NodeRate reads a rate of a node in Gb/s as tables write it: a figure, or one
// with a unit, a count of NICs or what it is of. ranks is how many share a
// node; 0 where that is not known.
func NodeRate(text string, ranks int) (gbps float64, ok bool) {
	if v, err := strconv.ParseFloat(strings.ReplaceAll(text, ",", ""), 64); err == nil {
		return v, v > 0 && !math.IsInf(v, 0)
	}
	r := readRate(plain(strings.ReplaceAll(inBits(strings.ReplaceAll(text, ",", "")), "/", " per ")))
	if r.gbps <= 0 || r.of == ofRank && ranks < 1 {
		return 0, false
	}
	gbps, _ = r.perNode(float64(ranks))
	return gbps, true
}
