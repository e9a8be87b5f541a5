package sizing

import (
	"fmt"
	"math/big"
	"strconv"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
)

// decimal is the number that v prints as: 0.1 is a tenth, not the binary
// fraction beside it, because that is what was typed. v must be finite.
func decimal(v float64) *big.Rat {
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'g', -1, 64))
	return r
}

func seconds(v *big.Rat) unit.Seconds {
	f, _ := v.Float64()
	return unit.Seconds(f)
}

func refuse(field, format string, args ...any) error {
	return &schedule.RequestError{Field: field, Message: fmt.Sprintf(format, args...)}
}
