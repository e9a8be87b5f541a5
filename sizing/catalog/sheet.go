package catalog

import (
	"fmt"
	"strings"
)

// Sheet is an entry of any kind, for whoever shows all of them alike.
type Sheet struct {
	Kind Kind
	ID   string
	Name string
	Origin
	entry any
}

// Sheets returns the entries of a kind, own ones last.
func (c *Catalog) Sheets(k Kind) []Sheet {
	switch k {
	case Models:
		return sheets(k, c.Models, func(m Model) (string, string, Origin) { return m.ID, m.Name, m.Origin })
	case Systems:
		return sheets(k, c.Systems, func(s System) (string, string, Origin) { return s.ID, s.Name, s.Origin })
	case Accelerators:
		return sheets(k, c.Accelerators, func(a Accelerator) (string, string, Origin) { return a.ID, a.Name, a.Origin })
	case Fabrics:
		return sheets(k, c.Fabrics, func(f Fabric) (string, string, Origin) { return f.ID, f.Generation, f.Origin })
	}
	return nil
}

func sheets[T any](k Kind, list []T, of func(T) (id, name string, origin Origin)) []Sheet {
	all := make([]Sheet, len(list))
	for i, v := range list {
		id, name, origin := of(v)
		all[i] = Sheet{Kind: k, ID: id, Name: name, Origin: origin, entry: v}
	}
	return all
}

// Sheet returns the entry of a kind and ID, or false.
func (c *Catalog) Sheet(k Kind, id string) (Sheet, bool) {
	for _, s := range c.Sheets(k) {
		if s.ID == id {
			return s, true
		}
	}
	return Sheet{}, false
}

// Sheet is an entry that is kept, whether or not it can be used now.
func (e Entry) Sheet() (Sheet, error) {
	var c Catalog
	var err error
	switch e.Kind {
	case Accelerators:
		err = appended(&c.Accelerators, e)
	case Systems:
		err = appended(&c.Systems, e)
	case Fabrics:
		err = appended(&c.Fabrics, e)
	default:
		err = appended(&c.Models, e)
	}
	sheet, _ := c.Sheet(e.Kind, e.ID)
	return sheet, err
}

// Listing is the document of this entry alone.
func (s Sheet) Listing() Listing {
	l := Listing{Version: 1}
	switch v := s.entry.(type) {
	case Model:
		l.Models = []Model{v}
	case System:
		l.Systems = []System{v}
	case Accelerator:
		l.Accelerators = []Accelerator{v}
	case Fabric:
		l.Fabrics = []Fabric{v}
	}
	return l
}

// Values are the fields that the entry has, by their keys, as JSON has them:
// numbers are float64, lists []any. What no source tells is not there.
func (s Sheet) Values() (map[string]any, error) {
	var values map[string]any
	if err := remade(s.entry, &values); err != nil {
		return nil, fmt.Errorf("list fields of %s %s: %w", s.Kind, s.ID, err)
	}
	return values, nil
}

// Has reports whether each word of a query stands in what people know the entry
// by: its ID and name, who makes it, what it is made of, its source. Case does
// not matter. An empty query is in all.
func (s Sheet) Has(query string) bool {
	parts := []string{s.ID, s.Name, s.Source}
	switch v := s.entry.(type) {
	case Model:
		parts = append(parts, v.Family, v.Kind, v.Attends, v.Note)
	case System:
		parts = append(append(parts, v.Accelerator, v.NIC, v.Topology, v.Notes), v.Clouds...)
	case Accelerator:
		parts = append(parts, v.Vendor, v.MemoryType, v.ScaleUp, v.PCIe, v.Notes)
	case Fabric:
		parts = append(parts, v.Family, v.Notes)
	}
	text := strings.ToLower(strings.Join(parts, "\n"))
	for _, word := range strings.Fields(strings.ToLower(query)) {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// Model returns the entry if it is a model.
func (s Sheet) Model() (Model, bool) { m, is := s.entry.(Model); return m, is }

// System returns the entry if it is a system.
func (s Sheet) System() (System, bool) { v, is := s.entry.(System); return v, is }

// Accelerator returns the entry if it is an accelerator.
func (s Sheet) Accelerator() (Accelerator, bool) { a, is := s.entry.(Accelerator); return a, is }

// Fabric returns the entry if it is a fabric.
func (s Sheet) Fabric() (Fabric, bool) { f, is := s.entry.(Fabric); return f, is }
