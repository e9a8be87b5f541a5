package catalog

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"lockstep/sizing/hardware"
)

//go:embed data/*.json
var data embed.FS

// Kind is a part of the catalogue.
type Kind string

// The kinds, as addresses and commands spell them.
const (
	Models       Kind = "models"
	Systems      Kind = "systems"
	Accelerators Kind = "accelerators"
	Fabrics      Kind = "fabrics"
)

// Kinds lists them.
func Kinds() []Kind { return []Kind{Models, Systems, Accelerators, Fabrics} }

// ParseKind reads the name of a kind.
func ParseKind(text string) (Kind, error) {
	if kind := Kind(text); slices.Contains(Kinds(), kind) {
		return kind, nil
	}
	return "", fmt.Errorf("the catalogue has no %q; accepted are models, systems, accelerators and fabrics", text)
}

// Catalog is the whole: what the program carries, followed by own entries. It
// is not changed once it is made.
type Catalog struct {
	Accelerators []Accelerator
	Systems      []System
	Fabrics      []Fabric
	Models       []Model

	Unusable []Unusable // own entries that are left out
}

// Embedded returns the catalogue that the program carries. All callers share it.
func Embedded() (*Catalog, error) { return embedded() }

var embedded = sync.OnceValues(func() (*Catalog, error) {
	var c Catalog
	for kind, into := range map[Kind]any{Accelerators: &c.Accelerators, Systems: &c.Systems, Fabrics: &c.Fabrics, Models: &c.Models} {
		text, err := data.ReadFile("data/" + string(kind) + ".json")
		if err != nil {
			return nil, fmt.Errorf("read the catalogue's %s: %w", kind, err)
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, fmt.Errorf("read the catalogue's %s: %w", kind, err)
		}
	}
	return &c, nil
})

// System finds a system by its ID, or by the name of a cloud's instance.
func (c *Catalog) System(id string) (System, error) {
	for _, s := range c.Systems {
		if s.ID == id || slices.Contains(s.Clouds, id) {
			return s, nil
		}
	}
	return System{}, fmt.Errorf("unknown system %q; known are %s", id, names(c.Systems, func(s System) string { return s.ID }))
}

// Accelerator finds an accelerator by its ID.
func (c *Catalog) Accelerator(id string) (Accelerator, error) {
	for _, a := range c.Accelerators {
		if a.ID == id {
			return a, nil
		}
	}
	return Accelerator{}, fmt.Errorf("unknown accelerator %q; known are %s", id, names(c.Accelerators, func(a Accelerator) string { return a.ID }))
}

func names[T any](list []T, name func(T) string) string {
	all := make([]string, len(list))
	for i, v := range list {
		all[i] = name(v)
	}
	return strings.Join(all, ", ")
}

// Words describes nodes of a system as a person would, for hardware.Read. What
// own entries state counts, as nobody else knows them.
func (c *Catalog) Words(s System, nodes int) (hardware.Words, error) {
	a, err := c.Accelerator(s.Accelerator)
	if err != nil {
		return hardware.Words{}, fmt.Errorf("system %s: %w", s.ID, err)
	}
	w := hardware.Words{
		GPU: a.ID + " " + a.Name, InterLink: s.NIC, Ranks: nodes * s.PerNode, Nodes: nodes, PerNode: s.PerNode, InterGbpsPerNode: s.NodeRate,
	}
	if s.Own || a.Own {
		w.IntraLink = strings.TrimSpace(a.ScaleUp + " " + s.Topology)
		w.ScaleUpRate = s.ScaleUpRate
		if w.ScaleUpRate == 0 {
			w.ScaleUpRate = a.ScaleUpRate
		}
	}
	return w, nil
}

// Match finds the system that words describe best: of the same family and as
// many accelerators a node, with the network that is nearest. Empty for none.
func (c *Catalog) Match(h hardware.System) string {
	best, least := "", 1e9
	for _, s := range c.Systems {
		w, err := c.Words(s, max(h.Nodes, 1))
		if err != nil {
			continue
		}
		is := hardware.Read(w)
		if is.Family != h.Family || h.Family == "unknown" || is.Scale != h.Scale {
			continue
		}
		off := 0.0
		if s.PerNode != h.PerNode {
			off += 2
		}
		if h.Domains > 1 {
			if is.Network != h.Network {
				off++
			}
			if ratio := is.NIC / h.NIC; h.NIC > 0 && is.NIC > 0 {
				off += max(ratio, 1/ratio) - 1
			}
		}
		if off < least {
			best, least = s.ID, off
		}
	}
	return best
}
