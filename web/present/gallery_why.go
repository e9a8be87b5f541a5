package present

import (
	"net/url"

	"lockstep/views"
)

// galleryWhy fills in what the lessons on why and where training communicates
// are made of.
func galleryWhy(f Frame, g *views.Gallery) (err error) {
	if g.Why, err = Why(f, ReadWhy(url.Values{"k": {"2"}})); err != nil {
		return err
	}
	if g.Topology, err = Topology(f, ReadTopology(nil)); err != nil {
		return err
	}
	g.TopologyMany, err = Topology(f, ReadTopology(url.Values{"nodes": {"16"}, "G": {"4"}, "nics": {"4"}}))
	return err
}
