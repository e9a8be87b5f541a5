package draw

import (
	"math"
	"strconv"
)

// number prints a length in view-box units to a hundredth: finer than any
// screen, and short.
func number(v float64) string {
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}
