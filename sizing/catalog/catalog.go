package catalog

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

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

// Model finds a model by its ID.
func (c *Catalog) Model(id string) (Model, error) {
	for _, m := range c.Models {
		if m.ID == id {
			return m, nil
		}
	}
	return Model{}, fmt.Errorf("unknown model %q; known are %s", id, names(c.Models, func(m Model) string { return m.ID }))
}

// Fabric finds a fabric by its ID.
func (c *Catalog) Fabric(id string) (Fabric, error) {
	for _, f := range c.Fabrics {
		if f.ID == id {
			return f, nil
		}
	}
	return Fabric{}, fmt.Errorf("unknown fabric %q; known are %s", id, names(c.Fabrics, func(f Fabric) string { return f.ID }))
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

// apartBy is how far systems may differ and still be taken for each other; a
// network of another kind, or accelerators of another generation, differ more.
const apartBy = 10

// Match finds the system that words describe best: of the same accelerators and
// links, as many a node, with the network that is nearest. Empty for none that
// comes near.
func (c *Catalog) Match(h hardware.System) string {
	best, least := "", float64(apartBy)
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
		if is.Rate > 0 && h.Rate > 0 { // families of several generations
			off += 4 * (max(is.Rate/h.Rate, h.Rate/is.Rate) - 1)
		}
		off -= 0.05 * float64(shared(w.GPU+" "+s.ID+" "+s.Name, h.Called))
		if s.PerNode != h.PerNode {
			off += 2
		}
		if h.Domains > 1 {
			if kinds := hardware.Networks(s.NIC); !h.Guessed("network") && !slices.Contains(kinds, h.Network) && h.Network != hardware.RDMA {
				off += 2 * apartBy
			}
			if ratio := is.NIC / h.NIC; h.NIC > 0 && is.NIC > 0 {
				off += min(max(ratio, 1/ratio)-1, 4)
			}
		}
		if off < least {
			best, least = s.ID, off
		}
	}
	return best
}

// shared is how many of the words that an accelerator is called by stand in a
// name too; words with a digit, such as h100 or nvl72, for those tell kinds.
func shared(name, called string) (n int) {
	words := strings.Fields(strings.ToLower(strings.NewReplacer("-", " ", "_", " ").Replace(name)))
	for _, word := range strings.Fields(called) {
		if strings.ContainsAny(word, "0123456789") && strings.ContainsFunc(word, unicode.IsLetter) && slices.Contains(words, word) {
			n++
		}
	}
	return n
}
