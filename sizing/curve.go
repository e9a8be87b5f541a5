package sizing

import (
	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Curve is the time of one algorithm over the size of the data, for charts:
// cost.Question prices one size exactly. It is the longest of its lines.
type Curve []line

// line is a way through a schedule: latencies, and multiples of the size.
type line struct{ alphas, vectors float64 }

// CurveOf returns the curve of an algorithm for so many ranks; 0 ranks per node
// are two nodes, 0 chunks what it cuts by itself. Errors are
// *schedule.RequestError.
func CurveOf(e schedule.Entry, ranks, perNode, chunks int) (Curve, error) {
	exact, err := waysOf(e.Collective, e.Algorithm, ranks, perNode, chunks)
	if err != nil {
		return nil, err
	}
	var c Curve
	if ranks < 2 { // one rank has nobody to send to
		return c, nil
	}
	for _, w := range exact {
		alphas, _ := w.alphas.Float64()
		vectors, _ := w.vectors.Float64()
		c = append(c, line{alphas, vectors})
	}
	return c, nil
}

// Time returns what so many bytes take on a network.
func (c Curve) Time(size unit.Bytes, n cost.Network) unit.Seconds {
	most := 0.0
	for _, l := range c {
		most = max(most, l.alphas*n.Latency.Seconds()+l.vectors*float64(size)/float64(n.Bandwidth))
	}
	return unit.Seconds(most)
}

// takes returns what a size in α·B takes, in latencies.
func (c Curve) takes(size float64) float64 {
	most := 0.0
	for _, l := range c {
		most = max(most, l.alphas+l.vectors*size)
	}
	return most
}
