package schedule

// alternating returns where a rank's sum lies after i of so many exchanges
// with partners. A rank sends its sum in the round in which it receives
// another's, and no chunk is both read and written in a round: so the sum
// moves, from in by way of tmp and out in turn, and ends in out.
func alternating(i, exchanges int) Buf {
	switch {
	case i == 0:
		return In
	case (exchanges-i)%2 == 0:
		return Out
	}
	return Tmp
}
