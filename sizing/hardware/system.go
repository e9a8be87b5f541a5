package hardware

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
)

// Words is a system as somebody has written it down. Zero and empty mean that
// it is not said.
type Words struct {
	GPU              string
	IntraLink        string
	InterLink        string
	Ranks, Nodes     int
	PerNode          int
	InterGbpsPerNode float64
	Settings         string  // notes and environment: what was switched on or off
	ScaleUpRate      float64 // GB/s of one accelerator into its domain, one direction
}

// System is what the words describe.
type System struct {
	Family  string  // of the accelerator; "unknown" for one that is not named
	Scale   Scale   // within a domain
	Rate    float64 // GB/s of one accelerator into its domain, one direction
	Ranks   int
	Nodes   int
	PerNode int     // ranks of a node
	Domains int     // scale-up domains that the ranks span
	Domain  float64 // ranks of a domain, as a mean
	Network Network // between domains
	NIC     float64 // GB/s of network per rank, one direction
	SHARP   bool    // switches of the network add up
	NoNVLS  bool    // adding up within NVSwitch is switched off, or the ring was asked for

	Called  string // the accelerator, in plain words
	Guesses []Guess
}

// Guess is something that the words do not tell.
type Guess struct {
	Code    string // "gpu", "nic-rate", "network", "nodes", "per-node", "shape", "link"
	Message string // in English
}

// Guessed reports whether something was guessed.
func (s System) Guessed(code string) bool {
	for _, g := range s.Guesses {
		if g.Code == code {
			return true
		}
	}
	return false
}

func (s *System) guess(code, format string, args ...any) {
	s.Guesses = append(s.Guesses, Guess{code, fmt.Sprintf(format, args...)})
}

var (
	noPeers  = regexp.MustCompile(`\bshm\b|no p2p|p2p (?:disabled|off)|p2p disable 1|host ?(?:staged|memory)|through (?:the )?host`)
	overPCIe = regexp.MustCompile(`\bpci ?e? ?(?:gen ?|v|x16 ?)?([3-6])?\b|\bgen ?([3-6]) ?(?:x16 )?pci|\b(?:pix|pxb|phb|sys)\b`)
	// overNVLink also takes what nvidia-smi calls so many links: NV18.
	overNVLink = regexp.MustCompile(`nvlink|nvswitch|\bnv\d+\b|\bnvl\b`)
	fourWay    = regexp.MustCompile(`\b4 ?way|\b4 card|quad|four`)
	meshed     = regexp.MustCompile(`all to all|direct|no switch|without (?:nv)?switch|bridge|cube ?mesh`)
	halved     = regexp.MustCompile(`400 ?gb s|nvlink.*\b8 links`)
	ringOnly   = regexp.MustCompile(`nvls ?(?:enable)? ?0|nvls ?(?:off|disabled)|no nvls|algo ring|\bring\b`)
	pcieRate   = map[string]float64{"3": 16, "4": 31, "5": 63, "6": 121}
)

// Read says what a system is. It never fails: what it had to guess stands in
// Guesses.
func Read(w Words) System {
	gpu, intra, inter, settings := spelled(w.GPU), said(w.IntraLink), said(inBits(w.InterLink)), plain(w.Settings)
	s := System{Ranks: w.Ranks, Nodes: w.Nodes, PerNode: w.PerNode, Called: gpu}
	a, named := lookUp(gpu)
	if !named {
		a = s.fromLink(intra, gpu)
	}
	s.Family, s.Scale, s.Rate = a.family, a.scale, a.rate
	s.setShape(a)
	s.readLink(intra, gpu)
	if w.ScaleUpRate > 0 && s.Scale != Alone {
		s.Rate = w.ScaleUpRate
	}
	s.setDomains()
	s.setNetwork(a, inter, w.InterGbpsPerNode)
	s.SHARP = aggregation.MatchString(inter)
	s.NoNVLS = ringOnly.MatchString(settings) || ringOnly.MatchString(inter)
	return s
}

// fromLink takes an accelerator that is not named for what its links are of.
func (s *System) fromLink(intra, gpu string) accelerator {
	for _, l := range byLink {
		if intra != "" && l.pattern.MatchString(intra) {
			a := l.as
			a.family = unknown.family
			s.guess("gpu", "the accelerator %q is not known; it is taken for one with such links", clip(gpu))
			return a
		}
	}
	if gpu == "" {
		s.guess("gpu", "the accelerator is not named; %g GB/s of NVLink are assumed", unknown.rate)
		return unknown
	}
	s.guess("gpu", "the accelerator %q is not known; %g GB/s of NVLink are assumed", clip(gpu), unknown.rate)
	return unknown
}

// inBytes is a rate that is written with a capital B: bytes, not bits.
var inBytes = regexp.MustCompile(`(\d+(?:\.\d+)?) ?Gi?B(?:/s|ps|yte/s|ytes/s)`)

// inBits writes rates in bytes as rates in bits, before letters lose their case.
func inBits(text string) string {
	return inBytes.ReplaceAllStringFunc(text, func(rate string) string {
		v, err := strconv.ParseFloat(inBytes.FindStringSubmatch(rate)[1], 64)
		if err != nil {
			return rate
		}
		return strconv.FormatFloat(8*v, 'f', -1, 64) + "Gb/s"
	})
}

func clip(text string) string {
	if r := []rune(text); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return text
}

// bridges are how NVLink bridges join cards that are otherwise on PCIe: how
// many to an island, and the rate of one card into it.
var bridges = []struct {
	pattern *regexp.Regexp
	cards   int
	rate    float64 // GB/s, one direction
}{
	{regexp.MustCompile(`\bh200\b`), 4, 450}, {regexp.MustCompile(`\bh100\b|\ba100x?\b`), 2, 300}, {regexp.MustCompile(`\bh800\b|\ba800\b`), 2, 200},
	{regexp.MustCompile(`\bv100s?\b|\ba30\b|\bp100\b`), 2, 100}, {regexp.MustCompile(``), 2, 56},
}

var bridged = regexp.MustCompile(`\bnvl\b`)

// bridge is an island of cards that bridges join.
func (s *System) bridge(intra, gpu string) {
	for _, b := range bridges {
		if !b.pattern.MatchString(gpu) {
			continue
		}
		cards := b.cards
		if fourWay.MatchString(intra) {
			cards = 4
		}
		if s.PerNode <= cards {
			s.Scale, s.Rate = NVLinkMesh, b.rate
			return
		}
		if s.Scale == NVLinkMesh {
			s.Scale, s.Rate = PCIe, pcieRate["5"]
		}
		s.guess("link", "NVLink bridges join %d cards; among %d a node the way goes over PCIe, %g GB/s a card, which is assumed to bind", cards, s.PerNode, s.Rate)
		return
	}
}

// readLink lets what is said of the link overrule what is usual.
func (s *System) readLink(intra, gpu string) {
	if s.Scale == Alone {
		return
	}
	nvlink := overNVLink.MatchString(intra)
	if m := overPCIe.FindStringSubmatch(intra); m != nil && !nvlink {
		if s.Scale != PCIe && s.Scale != HostStaged {
			s.Scale, s.Rate = PCIe, 31
		}
		if rate := pcieRate[m[1]+m[2]]; rate > 0 {
			s.Rate = rate
		}
	}
	if noPeers.MatchString(intra) {
		if s.Scale != HostStaged && s.Scale != PCIe {
			s.Rate = 31
		}
		s.Scale = HostStaged
	}
	cards := s.Scale == PCIe || s.Scale == HostStaged
	switch {
	case s.Family == unknown.family:
	case nvlink && cards, bridged.MatchString(gpu) && (cards || s.Scale == NVLinkMesh) && (intra == "" || nvlink):
		s.bridge(intra, gpu)
	}
	if meshed.MatchString(intra) && s.Scale == NVSwitch3 {
		s.Scale = NVLinkMesh
	}
	if halved.MatchString(intra) && (s.Scale == NVSwitch3 || s.Scale == NVSwitch4) {
		s.Rate = 200
	}
}

// setShape completes ranks, nodes and ranks of a node. Of three that contradict
// each other the ranks and those of a node count, for they are what was run.
func (s *System) setShape(a accelerator) {
	usual := a.domain
	if a.scale == NVL72 {
		usual = 4 // GPUs of a compute tray
	}
	switch {
	case s.Nodes > 0 && s.PerNode > 0 && s.Ranks > 0:
		nodes := (s.Ranks + s.PerNode - 1) / s.PerNode
		if nodes != s.Nodes {
			s.guess("shape", "%d ranks do not fill %d nodes of %d, which hold %d; %d nodes of %d are assumed", s.Ranks, s.Nodes, s.PerNode, s.Nodes*s.PerNode, nodes, min(s.PerNode, s.Ranks))
			s.Nodes = nodes
		}
		s.PerNode = min(s.PerNode, s.Ranks)
	case s.Nodes > 0 && s.PerNode > 0:
		s.Ranks = s.Nodes * s.PerNode
	case s.Ranks > 0 && s.PerNode > 0:
		s.Nodes = (s.Ranks + s.PerNode - 1) / s.PerNode
	case s.Ranks > 0 && s.Nodes > 0:
		if s.Nodes > s.Ranks {
			s.guess("shape", "%d ranks cannot be on %d nodes; a node for each is assumed", s.Ranks, s.Nodes)
			s.Nodes = s.Ranks
		}
		s.PerNode = (s.Ranks + s.Nodes - 1) / s.Nodes
	case s.Ranks > 0:
		s.PerNode = min(usual, s.Ranks)
		s.Nodes = (s.Ranks + s.PerNode - 1) / s.PerNode
		s.guess("nodes", "the number of nodes is not given; %d ranks a node are assumed, as is usual", s.PerNode)
	case s.Nodes > 0:
		s.PerNode = usual
		s.Ranks = s.Nodes * s.PerNode
		s.guess("per-node", "the ranks of a node are not given; %d are assumed, as is usual", s.PerNode)
	}
}

// setDomains finds the scale-up domains of a shape.
func (s *System) setDomains() {
	s.Domains, s.Domain = s.Nodes, float64(s.Ranks)/float64(max(s.Nodes, 1))
	if s.Scale == NVL72 {
		s.Domains = (s.Ranks + 71) / 72
		s.Domain = float64(s.Ranks) / float64(max(s.Domains, 1))
	}
}

// setNetwork finds what connects the domains.
func (s *System) setNetwork(a accelerator, inter string, perNode float64) {
	kind, named, said := networkOf(inter)
	s.Network = kind
	if s.Domains <= 1 {
		return
	}
	if !named {
		if said {
			s.guess("network", "the network %q is not known; RDMA is assumed", clip(inter))
		} else {
			s.guess("network", "the network between nodes is not given; RDMA is assumed")
		}
	}
	ranks := float64(max(s.PerNode, 1))
	if perNode > 0 && !math.IsInf(perNode, 0) {
		s.NIC = perNode / 8 / ranks
		return
	}
	r := readRate(inter)
	known, sure := r.perNode(ranks)
	switch {
	case r.gbps > 0 && (sure || kind == TCP || kind == EFA && r.gbps >= 400): // a cloud sells a node's rate
		perNode = known
	case r.gbps > 0:
		// One rate is usually that of a NIC, of which each accelerator has its
		// own where that is usual, and more only on EFA.
		most := ranks
		if kind == EFA {
			most *= 4
		}
		perNode = r.gbps * max(1, min(most, math.Round(a.nic*ranks/r.gbps)))
	case kind == TCP:
		perNode = 100
	case kind == TCPXO:
		perNode = 200 * ranks
	case kind == TCPX:
		perNode = 100 * ranks
	default:
		perNode = max(a.nic*ranks, a.nic, 100) // one NIC of its time at least
	}
	s.NIC = perNode / 8 / ranks
	if !sure || r.gbps <= 0 {
		s.guess("nic-rate", "the network's rate is not given for a node; %g Gb/s a node are assumed", perNode)
	}
}

// Blank reports whether a cell says nothing, as "n/a" does.
func Blank(text string) bool { return said(text) == "" }

// said is what a cell says in plain words; nothing for one like "n/a".
func said(text string) string {
	if text = plain(text); blank.MatchString(text) {
		return ""
	}
	return text
}
