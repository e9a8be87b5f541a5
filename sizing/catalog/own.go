package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// MaxOwn is how many own entries a catalogue takes, of all kinds together.
const MaxOwn = 2000

// Errors that Read, Remove and those who keep entries answer with.
var (
	ErrNone  = errors.New("the catalogue has no such own entry")
	ErrTaken = errors.New("there is an own entry of that ID")
	// ErrDocument says that what should be an entry is not one JSON object.
	ErrDocument = errors.New("unusable document")
	ErrFull     = fmt.Errorf("the catalogue has %d own entries and takes no more", MaxOwn)
)

// Entry is an own entry as it is kept. Check and Read make them; whoever keeps
// them changes nothing.
type Entry struct {
	Kind     Kind
	ID       string
	Document json.RawMessage // the entry as Read has completed it
	By       string          // who entered it
	Changed  time.Time
}

// Unusable is an own entry that has become so: a newer version of the program
// may carry an entry of its ID.
type Unusable struct {
	Entry
	Err error
}

// With returns the catalogue with own entries behind those it has. One that
// cannot be used is left out and stands in Unusable: it must not take the rest
// along.
func (c *Catalog) With(own []Entry) *Catalog {
	if len(own) == 0 {
		return c
	}
	all := &Catalog{
		Accelerators: slices.Clone(c.Accelerators), Systems: slices.Clone(c.Systems),
		Fabrics: slices.Clone(c.Fabrics), Models: slices.Clone(c.Models), Unusable: slices.Clone(c.Unusable),
	}
	for _, kind := range []Kind{Accelerators, Systems, Fabrics, Models} { // systems are made of accelerators
		for _, e := range own {
			if e.Kind != kind {
				continue
			}
			if err := all.take(e); err != nil {
				all.Unusable = append(all.Unusable, Unusable{e, err})
			}
		}
	}
	return all
}

// take appends an entry.
func (c *Catalog) take(e Entry) error {
	if _, found := c.Find(e.Kind, e.ID); found {
		return wrong(e.Kind, e.ID, "id", Taken, e.ID)
	}
	read, err := c.Read(e.Kind, e.Document)
	if err != nil {
		return err
	}
	switch e.Kind {
	case Accelerators:
		return appended(&c.Accelerators, read)
	case Systems:
		return appended(&c.Systems, read)
	case Fabrics:
		return appended(&c.Fabrics, read)
	default:
		return appended(&c.Models, read)
	}
}

func appended[T any](list *[]T, e Entry) error {
	var v T
	if err := json.Unmarshal(e.Document, &v); err != nil {
		return fmt.Errorf("read own %s %s: %w", e.Kind, e.ID, err)
	}
	*list = append(*list, v)
	return nil
}

// Find returns the origin of an entry.
func (c *Catalog) Find(k Kind, id string) (Origin, bool) {
	switch k {
	case Accelerators:
		return originOf(c.Accelerators, id, func(a Accelerator) (string, Origin) { return a.ID, a.Origin })
	case Systems:
		return originOf(c.Systems, id, func(s System) (string, Origin) {
			if slices.Contains(s.Clouds, id) {
				return id, s.Origin
			}
			return s.ID, s.Origin
		})
	case Fabrics:
		return originOf(c.Fabrics, id, func(f Fabric) (string, Origin) { return f.ID, f.Origin })
	case Models:
		return originOf(c.Models, id, func(m Model) (string, Origin) { return m.ID, m.Origin })
	}
	return Origin{}, false
}

func originOf[T any](list []T, id string, of func(T) (string, Origin)) (Origin, bool) {
	for _, v := range list {
		if name, origin := of(v); name == id {
			return origin, true
		}
	}
	return Origin{}, false
}

// Add checks whether an entry may join the own ones, or stand in the place of
// the one of its ID where replace allows that. own is everything that is kept.
func Add(own []Entry, e Entry, replace bool) error {
	known, err := Embedded()
	if err != nil {
		return err
	}
	others := slices.DeleteFunc(slices.Clone(own), e.is)
	switch {
	case len(others) < len(own) && !replace:
		return fmt.Errorf("%w: %s %s", ErrTaken, e.Kind, e.ID)
	case len(others) >= MaxOwn:
		return ErrFull
	}
	_, err = known.With(others).Read(e.Kind, e.Document)
	return err
}

// Remove checks whether the own entry of a kind and ID may go: not while
// another is made of it.
func Remove(own []Entry, kind Kind, id string) error {
	e := Entry{Kind: kind, ID: id}
	if !slices.ContainsFunc(own, e.is) {
		return fmt.Errorf("%w: %s %q", ErrNone, kind, id)
	}
	if kind != Accelerators {
		return nil
	}
	known, err := Embedded()
	if err != nil {
		return err
	}
	var using []string
	for _, s := range known.With(own).Systems {
		if s.Own && s.Accelerator == id {
			using = append(using, s.ID)
		}
	}
	if len(using) > 0 {
		return &InUseError{Kind: kind, ID: id, By: using}
	}
	return nil
}

// is reports whether another entry has the kind and ID of this one.
func (e Entry) is(other Entry) bool { return other.Kind == e.Kind && other.ID == e.ID }

// InUseError says that an entry cannot go while others are made of it.
type InUseError struct {
	Kind Kind
	ID   string
	By   []string // own systems
}

func (e *InUseError) Error() string {
	return fmt.Sprintf("remove %s %s: the own systems %s are made of it; remove or change those first", e.Kind, e.ID, strings.Join(e.By, ", "))
}
