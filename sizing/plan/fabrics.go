package plan

import "lockstep/sizing/catalog"

// NodeFabrics are the catalogue's that join nodes and whose rate it tells.
func NodeFabrics(known *catalog.Catalog) (all []catalog.Fabric) {
	for _, f := range known.Fabrics {
		if (f.Rate > 0 || f.ByteRate > 0) && f.JoinsNodes() {
			all = append(all, f)
		}
	}
	return all
}
