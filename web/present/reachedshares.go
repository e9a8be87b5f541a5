package present

import (
	"math"

	"lockstep/sizing/measured"
	"lockstep/views/locale"
)

// reachedShares are the least and the largest share of their network's bound
// that published runs reach, in whole per cent, as messages fill them in. That
// the table can be read is tested.
func reachedShares() locale.Values {
	low, high, _ := measured.NetworkShareRange()
	return locale.Values{"Low": math.Round(100 * low), "High": math.Round(100 * high)}
}
