package present

import (
	"lockstep/engine/unit"
)

// sized prints v in the largest of the units that leaves at least 1 before
// the point, with the given number of significant digits. Steps are ascending
// and the first is 1.
func sized(v float64, digits int, steps []step) string {
	use := steps[0]
	for _, s := range steps {
		if v >= s.size {
			use = s
		}
	}
	return significant(v/use.size, digits) + " " + use.name
}

type step struct {
	name string
	size float64
}

// bits prints a link's rate as it stands on its box: in bits per second.
func bits(r unit.Rate) string {
	return sized(float64(r)*8, 3, []step{{"b/s", 1}, {"kb/s", 1e3}, {"Mb/s", 1e6}, {"Gb/s", 1e9}, {"Tb/s", 1e12}})
}

// memory prints an amount of memory in binary units, as memory is sold.
func memory(b unit.Bytes) string {
	return sized(float64(b), 3, []step{
		{"B", 1}, {"KiB", float64(unit.KiB)}, {"MiB", float64(unit.MiB)}, {"GiB", float64(unit.GiB)}, {"TiB", float64(unit.TiB)}})
}

// significant prints v as every quantity is printed.
func significant(v float64, digits int) string { return unit.Significant(v, digits) }
