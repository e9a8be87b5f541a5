package hardware

import "regexp"

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
	OmniPath   Network = "omni-path"
	RDMA       Network = "rdma" // one that is not named further
)

var networks = []struct {
	pattern *regexp.Regexp
	is      Network
}{
	{regexp.MustCompile(`\bopa ?(?:100)?\b|omni ?path|\bhfi\b|cornelis`), OmniPath},
	{regexp.MustCompile(`tcpxo|tcp xo|fastrak`), TCPXO},
	{regexp.MustCompile(`tcpx|tcp x\b`), TCPX},
	{regexp.MustCompile(`\befa|elastic fabric|\bsrd\b`), EFA},
	{regexp.MustCompile(`slingshot|\bcxi\b|cassini`), Slingshot},
	{regexp.MustCompile(`ib ?disable|\btcp\b|\bsocket|gvnic|\bvirtio|以太网? tcp`), TCP},
	{regexp.MustCompile(`\broce|rocev2|\bcx ?[4-8]\b.*eth|spectrum ?x|gib\b`), RoCE},
	{regexp.MustCompile(`infiniband|\bib\b|\bibv?\d|\b[nhxe]dr\d*\b|\bfdr\b|quantum|connectx.*ib`), InfiniBand},
	{regexp.MustCompile(`rdma|\bcx ?[4-8]\b|connectx|mellanox|bluefield|\bbf ?[23]\b|thor|pollara|\bub\b`), RDMA},
	{regexp.MustCompile(`ethernet|\beth\b|\bgbe\b|\d+ ?g(?:be|ige?|e)\b|10g base|以太`), TCP},
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

// Networks lists every kind of network that a text names: a catalogue sells
// some systems with either of two.
func Networks(text string) []Network {
	var all []Network
	for _, n := range networks {
		if n.pattern.MatchString(plain(text)) {
			all = append(all, n.is)
		}
	}
	return all
}
