package plan

import (
	"slices"
	"strings"

	"lockstep/sizing/catalog"
)

// insideNodes are families of what joins accelerators of one node or rack, and
// of constants that simulators take.
var insideNodes = []string{"hccs", "ub", "pcie", "nvlink", "xgmi", "generic", "dragonfly"}

// NodeFabrics are the catalogue's that join nodes and whose rate it tells.
func NodeFabrics(known *catalog.Catalog) (all []catalog.Fabric) {
	for _, f := range known.Fabrics {
		if (f.Rate > 0 || f.ByteRate > 0) && !slices.Contains(insideNodes, f.Family) && !strings.Contains(f.ID, "generic") {
			all = append(all, f)
		}
	}
	return all
}
