package hardware

import (
	"regexp"
	"strconv"
)

// Network is a kind of network between domains.
type Network string

// The kinds.
const (
	InfiniBand Network = "infiniband"
	RoCE       Network = "roce"
	EFA        Network = "efa"
	Slingshot  Network = "slingshot"
	TCPXO      Network = "tcpxo" // GPUDirect-TCPXO
	TCPX       Network = "tcpx"  // GPUDirect-TCPX
	TCP        Network = "tcp"
	RDMA       Network = "rdma" // one that is not named further
)

var networks = []struct {
	pattern *regexp.Regexp
	is      Network
}{
	{regexp.MustCompile(`tcpxo|tcp xo|fastrak`), TCPXO},
	{regexp.MustCompile(`tcpx|tcp x\b`), TCPX},
	{regexp.MustCompile(`\befa|elastic fabric|\bsrd\b`), EFA},
	{regexp.MustCompile(`slingshot|\bcxi\b|cassini`), Slingshot},
	{regexp.MustCompile(`ib ?disable|\btcp\b|\bsocket|gvnic|\bvirtio|以太网? tcp`), TCP},
	{regexp.MustCompile(`\broce|rocev2|\bcx ?[4-8]\b.*eth|spectrum ?x|gib\b`), RoCE},
	{regexp.MustCompile(`infiniband|\bib\b|\bibv?\d|\b[nhxe]dr\d*\b|\bfdr\b|quantum|\bopa\b|omni ?path|connectx.*ib`), InfiniBand},
	{regexp.MustCompile(`rdma|\bcx ?[4-8]\b|connectx|mellanox|bluefield|\bbf ?[23]\b|thor|pollara|ub\b`), RDMA},
	{regexp.MustCompile(`ethernet|\beth\b|\bgbe\b|\d+ ?g(?:be?|e)\b|以太`), TCP},
}

// generations are what one NIC of a generation carries, in Gb/s.
var generations = []struct {
	pattern *regexp.Regexp
	rate    float64
}{
	{regexp.MustCompile(`\bxdr\d*\b`), 800}, {regexp.MustCompile(`\bndr\d*\b`), 400}, {regexp.MustCompile(`\bhdr\d*\b`), 200},
	{regexp.MustCompile(`\bedr\d*\b`), 100}, {regexp.MustCompile(`\bfdr\b`), 56}, {regexp.MustCompile(`\bopa\b|omni ?path`), 100},
	{regexp.MustCompile(`slingshot ?11|\bcxi\b`), 200}, {regexp.MustCompile(`slingshot ?10`), 100},
}

// withRate finds the rate of a NIC, and how many of them a text counts: "400G",
// "8 x 400 Gb/s", "dual 100G", "NDR200", "25GbE".
var withRate = regexp.MustCompile(`(?:\b(\d+) ?x ?|\b(dual|double|2 port)(?: port)? ?|(双) ?|\b)(\d+(?:\.\d+)?) ?(g(?:b(?:it)?(?: ?p?s|/s| s)?|bps|be|e|igabit)?|gbits?|t(?:b(?:it)?(?: ?ps)?)?)\b`)

// nicRate reads a rate in Gb/s of one NIC from a text, and how many NICs it
// speaks of; 0 for none.
func nicRate(text string) (rate float64, count int) {
	for _, m := range withRate.FindAllStringSubmatch(text, 8) {
		v, err := strconv.ParseFloat(m[4], 64)
		if err != nil || v <= 0 || v > 1e6 {
			continue
		}
		if m[5][0] == 't' {
			v *= 1000
		}
		if v < 1 { // not a network of this century
			continue
		}
		count := 0
		if m[1] != "" {
			count, _ = strconv.Atoi(m[1])
		} else if m[2] != "" || m[3] != "" {
			count = 2
		}
		return v, min(count, 64)
	}
	for _, g := range generations {
		if g.pattern.MatchString(text) {
			return g.rate, 0
		}
	}
	return 0, 0
}

// networkOf reads the kind of a network; ok is false for an empty text.
func networkOf(text string) (kind Network, named, ok bool) {
	if text == "" {
		return RDMA, false, false
	}
	for _, n := range networks {
		if n.pattern.MatchString(text) {
			return n.is, true, true
		}
	}
	return RDMA, false, true
}

// aggregation are words for a switch that adds up.
var aggregation = regexp.MustCompile(`\bsharp\b|in network (?:reduction|computing)|\bsharpv\d`)
