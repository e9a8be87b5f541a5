package catalog

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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

// Origin is where an entry comes from and what of it is doubtful.
type Origin struct {
	Source     string   `json:"source"`
	Verified   bool     `json:"verified"` // false for one that is recalled, generic or inferred
	Unverified []string `json:"unverified_fields"`
}

// Accelerator is what computes. Figures that no source tells are 0.
type Accelerator struct {
	ID              string  `json:"id"`
	Vendor          string  `json:"vendor"`
	Name            string  `json:"name"`
	Year            int     `json:"year"`
	Memory          float64 `json:"memory_gb"` // 10⁹ bytes as the maker counts
	MemoryBandwidth float64 `json:"memory_bandwidth_gbytes_per_s"`
	BF16            float64 `json:"bf16_dense_tflops"`
	FP8             float64 `json:"fp8_dense_tflops"`
	ScaleUp         string  `json:"scaleup_link"`
	ScaleUpRate     float64 `json:"scaleup_bandwidth_gbytes_per_s_per_direction"`
	Power           float64 `json:"tdp_w"`
	Notes           string  `json:"notes"`
	Origin
}

// System is a node, or a rack that acts as one.
type System struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Accelerator string   `json:"accelerator"` // its ID
	PerNode     int      `json:"accelerators_per_node"`
	Topology    string   `json:"scaleup_topology"`
	Domain      int      `json:"scaleup_domain_size"`
	ScaleUpRate float64  `json:"scaleup_bandwidth_gbytes_per_s_per_direction"`
	NICs        int      `json:"nics_per_node"`
	NICRate     float64  `json:"nic_gbits_per_s_each"`
	NodeRate    float64  `json:"nic_gbits_per_s_total"`
	NIC         string   `json:"nic_type"`
	Power       float64  `json:"power_kw"`
	Clouds      []string `json:"cloud_instances"`
	Notes       string   `json:"notes"`
	Origin
}

// Fabric is what joins nodes, or accelerators of a node.
type Fabric struct {
	ID         string  `json:"id"`
	Family     string  `json:"family"`
	Generation string  `json:"generation"`
	Rate       float64 `json:"line_rate_gbits_per_s"`
	Fraction   float64 `json:"typical_effective_fraction"`
	FractionIs string  `json:"effective_fraction_kind"`
	Latency    float64 `json:"one_way_latency_us"`
	SHARP      bool    `json:"supports_sharp"`
	Notes      string  `json:"notes"`
	Origin
}

// Model is what is trained.
type Model struct {
	ID       string  `json:"id"`
	Name     string  `json:"name"`
	Kind     string  `json:"kind"`
	Params   float64 `json:"computed_params"` // from its fields; 0 where they do not tell
	Stated   float64 `json:"total_params"`
	Active   float64 `json:"computed_active_params"` // of a mixture of experts
	Layers   int     `json:"layers"`
	Hidden   int     `json:"hidden_size"`
	FFN      int     `json:"ffn_hidden_size"`
	Heads    int     `json:"attention_heads"`
	KVHeads  int     `json:"kv_heads"`
	HeadDim  int     `json:"head_dim"`
	Vocab    int     `json:"vocab_size"`
	Sequence int     `json:"max_seq_len"`
	Experts  int     `json:"experts"`
	Note     string  `json:"note"`
	Origin
}

// Parameters is how many a model has: by its fields, or as stated where they do
// not tell.
func (m Model) Parameters() float64 {
	if m.Params > 0 {
		return m.Params
	}
	return m.Stated
}

// Catalog is the whole. It is not changed once it is read.
type Catalog struct {
	Accelerators []Accelerator
	Systems      []System
	Fabrics      []Fabric
	Models       []Model
}

// Embedded reads the catalogue that the program carries.
func Embedded() (*Catalog, error) {
	var c Catalog
	for kind, into := range map[Kind]any{Accelerators: &c.Accelerators, Systems: &c.Systems, Fabrics: &c.Fabrics, Models: &c.Models} {
		text, err := Raw(kind)
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(text, into); err != nil {
			return nil, fmt.Errorf("read the catalogue's %s: %w", kind, err)
		}
	}
	return &c, nil
}

// Raw is a part of the catalogue with all its fields, a JSON array.
func Raw(k Kind) ([]byte, error) {
	if !slices.Contains(Kinds(), k) {
		return nil, fmt.Errorf("catalogue has no %q; it has models, systems, accelerators and fabrics", k)
	}
	return data.ReadFile("data/" + string(k) + ".json")
}

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

// Words describes nodes of a system as a person would, for hardware.Read.
func (c *Catalog) Words(s System, nodes int) (hardware.Words, error) {
	a, err := c.Accelerator(s.Accelerator)
	if err != nil {
		return hardware.Words{}, fmt.Errorf("system %s: %w", s.ID, err)
	}
	return hardware.Words{
		GPU: a.ID + " " + a.Name, InterLink: s.NIC, Ranks: nodes * s.PerNode, Nodes: nodes, PerNode: s.PerNode, InterGbpsPerNode: s.NodeRate,
	}, nil
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
