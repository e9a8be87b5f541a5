package site

import (
	"fmt"
	"math"
	"strings"
	"time"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing"
	"lockstep/sizing/catalog"
	"lockstep/sizing/hardware"
	"lockstep/sizing/measured"
)

// Site is an Ask completed, every figure with where it comes from.
type Site struct {
	System           string    `json:"system,omitempty"` // its ID; empty for figures of one's own
	Name             string    `json:"name,omitempty"`
	Nodes            int       `json:"nodes"`
	PerNode          Figure    `json:"accelerators_per_node"`
	NICs             Figure    `json:"nics_per_node"`
	NICRate          Figure    `json:"nic_gbits_per_s"`
	Network          string    `json:"network"`
	NetworkFrom      Origin    `json:"network_from"`
	Rails            Figure    `json:"rails"` // 0 for not told
	Oversubscription Figure    `json:"oversubscription"`
	InSwitch         Reduction `json:"in_switch,omitempty"`
	AddsUp           bool      `json:"adds_up"` // switches add up for an all-reduce, within domains or between nodes
	Source           string    `json:"source,omitempty"`
	Doubtful         []string  `json:"unverified_fields,omitempty"` // keys of the catalogue's figures that no source confirms
	// Port is the network as the closed forms see it: one port a rank, behind
	// which lies its share of the NICs and of what oversubscription leaves.
	Port sizing.Fabric `json:"port"`

	links    string // within a node, as the catalogue calls them
	hardware hardware.System
	shape    measured.Shape
}

// Ranks is how many take part.
func (s Site) Ranks() int { return s.Nodes * int(s.PerNode.Value) }

// Describe completes what is asked. Errors are *schedule.RequestError and name
// the field.
func Describe(known *catalog.Catalog, a Ask) (Site, error) {
	if err := a.check(); err != nil {
		return Site{}, err
	}
	if a.System == "" {
		return plain(known, a)
	}
	sys, err := known.System(a.System)
	if err != nil {
		return Site{}, refuse("system", "%v", err)
	}
	words, err := known.Words(sys, a.Nodes)
	if err != nil {
		return Site{}, refuse("system", "%v", err)
	}
	s := Site{
		System: sys.ID, Name: sys.Name, Nodes: a.Nodes, Source: sys.Source, Doubtful: append([]string(nil), sys.Unverified...), InSwitch: a.InSwitch,
		PerNode: figure(float64(a.PerNode), float64(sys.PerNode), Catalogue), Network: sys.NIC, NetworkFrom: Catalogue,
	}
	if accelerator, err := known.Accelerator(sys.Accelerator); err == nil {
		s.links = accelerator.ScaleUp
	}
	usual := Figure{float64(sys.NICs), Catalogue}
	if sys.NICs < 1 {
		usual = Figure{s.PerNode.Value, Assumed}
	}
	rate, latency, source := Figure{sys.NICRate, Catalogue}, time.Duration(-1), fromTuning
	if a.Fabric != "" {
		l, found := FindLink(known, a.Fabric)
		if !found {
			return Site{}, refuse("fabric", "unknown fabric %q", a.Fabric)
		}
		rate, s.Network, s.NetworkFrom, words.InterLink, latency = Figure{l.Gbits(), Catalogue}, l.Words, Typed, l.Words, l.Latency
	}
	s.NICs = figure(float64(a.NICs), usual.Value, usual.From)
	if rate.Value <= 0 && sys.NodeRate > 0 {
		rate.Value = sys.NodeRate / usual.Value
	}
	if rate.Value <= 0 { // what is usual for the accelerator
		words.InterGbpsPerNode = 0
		rate = Figure{hardware.Read(words).NIC * 8 * s.PerNode.Value / usual.Value, Assumed}
	}
	s.NICRate = figure(a.NICRate, rate.Value, rate.From)
	if s.PerNode.From == Typed {
		words.PerNode, words.Ranks = a.PerNode, a.Nodes*a.PerNode
	}
	if s.NICRate.Value > 0 {
		words.InterGbpsPerNode = s.NICs.Value * s.NICRate.Value
	}
	s.hardware = hardware.Read(words)
	if s.shape, err = s.lay(a); err != nil {
		return Site{}, err
	}
	s.shape.Altered = s.NICs.From == Typed || s.NICRate.From == Typed || s.NetworkFrom == Typed
	if err := s.reduce(); err != nil {
		return Site{}, err
	}
	s.Port = s.port(a, latency, source)
	return s, nil
}

// plain is a site of one's own figures: workers whose ports are known, on
// nodes whose inner links are not.
func plain(known *catalog.Catalog, a Ask) (Site, error) {
	l, found := FindLink(known, a.Fabric)
	if !found {
		return Site{}, refuse("fabric", "unknown fabric %q; without a system one has to be given", a.Fabric)
	}
	if a.InSwitch != AsBuilt {
		return Site{}, refuse("in_switch", "%q without a system; choose one whose switches are known", string(a.InSwitch))
	}
	s := Site{
		Nodes: a.Nodes, PerNode: figure(float64(a.PerNode), 1, Assumed), Network: l.Words, NetworkFrom: Catalogue, Source: l.Source,
		NICRate: figure(a.NICRate, l.Gbits(), Catalogue),
	}
	s.NICs = figure(float64(a.NICs), s.PerNode.Value, Assumed)
	s.hardware = hardware.System{Scale: hardware.Alone, Ranks: s.Ranks(), Nodes: a.Nodes, PerNode: int(s.PerNode.Value), Domains: a.Nodes, Domain: s.PerNode.Value, Network: networkOf(l.Words)}
	var err error
	if s.shape, err = s.lay(a); err != nil {
		return Site{}, err
	}
	s.Port = l.Fabric
	if a.NICRate > 0 && s.NICRate.From == Typed {
		s.Port.Bandwidth, s.Port.BandwidthBasis = unit.Rate(a.NICRate*1e9/8), sizing.Given
	}
	if share := s.NICs.Value / s.PerNode.Value; share != 1 {
		s.Port.Bandwidth *= unit.Rate(share)
		s.Port.BandwidthBasis = sizing.Given
	}
	s.Port = s.narrowed(s.Port, a)
	return s, nil
}

// lay is the shape of the network between nodes.
func (s *Site) lay(a Ask) (measured.Shape, error) {
	nics := int(s.NICs.Value)
	if a.Rails > nics || a.Rails > 0 && nics%a.Rails != 0 {
		return measured.Shape{}, refuse("rails", "%d rails for %d NICs per node; accepted: a divisor of the number of NICs", a.Rails, nics)
	}
	s.Rails = Figure{float64(a.Rails), Typed}
	if a.Rails == 0 {
		s.Rails.From = Assumed
	}
	s.Oversubscription = figure(a.Oversubscription, 1, Assumed)
	return measured.Shape{NICs: nics, Rails: a.Rails, Oversubscription: s.Oversubscription.Value}, nil
}

// reduce says what switches add up.
func (s *Site) reduce() error {
	h := &s.hardware
	within, between := measured.AddsUp(*h), h.Domains > 1 && (h.SHARP || h.Network == hardware.InfiniBand)
	switch s.InSwitch {
	case On:
		if !within && !between {
			return refuse("in_switch", "on: neither %s links within a node nor %s between nodes add up; accepted: off", h.Scale, s.Network)
		}
		h.SHARP, h.NoNVLS = between, false
	case Off:
		h.SHARP, h.NoNVLS = false, true
	}
	s.AddsUp = h.SHARP || measured.AddsUp(*h)
	return nil
}

// port is a rank's share of the network between nodes, or of the links of a
// node where there is only one.
func (s *Site) port(a Ask, latency time.Duration, source string) sizing.Fabric {
	h := s.hardware
	f := sizing.Fabric{Key: s.System, Name: s.Network, LatencyBasis: sizing.Assumed, BandwidthBasis: sizing.Rated, Source: source, Latency: latency}
	if h.Domains <= 1 && h.Rate > 0 {
		f.Name, f.Bandwidth, f.Latency = s.links, unit.Rate(h.Rate*1e9), nvlinkStep
		if h.Scale == hardware.PCIe || h.Scale == hardware.HostStaged {
			f.Latency = pcieStep
		}
		return s.narrowed(f, a)
	}
	f.Bandwidth = unit.Rate(s.NICs.Value * s.NICRate.Value / 8 * 1e9 / s.PerNode.Value)
	if latency < 0 {
		f.Latency = ncclStep
		if h.Network == hardware.TCP {
			f.Latency, f.Source = tcpStep, sizing.Fabrics()[0].Source
		}
	}
	switch {
	case s.NICs.From == Typed || s.NICRate.From == Typed:
		f.BandwidthBasis = sizing.Given
	case s.NICRate.From == Assumed:
		f.BandwidthBasis = sizing.Assumed
	}
	return s.narrowed(f, a)
}

// narrowed takes in what oversubscription leaves to an all-reduce, and a
// latency of one's own.
func (s *Site) narrowed(f sizing.Fabric, a Ask) sizing.Fabric {
	if x := s.shape.Narrows(schedule.AllReduce, s.hardware); x > 1 && s.hardware.Domains > 1 {
		f.Bandwidth /= unit.Rate(x)
		f.BandwidthBasis = sizing.Given
	}
	if a.Latency != nil && *a.Latency != f.Latency {
		f.Latency, f.LatencyBasis = *a.Latency, sizing.Given
	}
	return f
}

// counted says how many there are of something, in English.
func counted(n float64, what string) string {
	text := fmt.Sprintf("%.0f %s", n, what)
	if text == "1 "+what {
		return text
	}
	return text + "s"
}

// Text says the site in a line of English: 4 × DGX H100, 8 NICs of 400 Gb/s.
func (s Site) Text() string {
	name := s.Name
	if name == "" {
		name = counted(s.PerNode.Value, "accelerator")
	}
	text := fmt.Sprintf("%d × %s, %s of %.4g Gb/s a node", s.Nodes, name, counted(s.NICs.Value, "NIC"), math.Round(s.NICRate.Value*100)/100)
	if s.Rails.Value > 0 {
		text += ", " + counted(s.Rails.Value, "rail")
	}
	if s.Oversubscription.Value > 1 {
		text += fmt.Sprintf(", %.3g:1 oversubscribed", s.Oversubscription.Value)
	}
	if s.InSwitch != AsBuilt {
		text += ", in-switch reduction " + string(s.InSwitch)
	}
	return strings.TrimSpace(text)
}
