package catalog

import (
	"slices"
	"strings"
)

// insideNodes are families of what joins accelerators of one node or rack; the
// rest of a simulator's constants are no networks either.
var insideNodes = []string{"hccs", "ub", "pcie", "nvlink", "xgmi", "generic", "dragonfly"}

// JoinsNodes reports whether the fabric is a network between nodes.
func (f Fabric) JoinsNodes() bool {
	return !slices.Contains(insideNodes, f.Family) && !strings.Contains(f.ID, "generic")
}
