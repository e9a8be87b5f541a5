package catalog

// Listing is a part of the catalogue as a document: built-in entries first,
// then own ones. One of the lists is there.
type Listing struct {
	Version      int           `json:"version"` // 1
	Models       []Model       `json:"models,omitempty"`
	Systems      []System      `json:"systems,omitempty"`
	Accelerators []Accelerator `json:"accelerators,omitempty"`
	Fabrics      []Fabric      `json:"fabrics,omitempty"`
}

// List returns the entries of a kind with everything that is known of them.
func (c *Catalog) List(k Kind) Listing {
	l := Listing{Version: 1}
	switch k {
	case Models:
		l.Models = c.Models
	case Systems:
		l.Systems = c.Systems
	case Accelerators:
		l.Accelerators = c.Accelerators
	case Fabrics:
		l.Fabrics = c.Fabrics
	}
	return l
}
