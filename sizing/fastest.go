package sizing

import (
	"cmp"
	"math"
	"slices"
	"sync"

	"lockstep/engine/schedule"
	"lockstep/engine/unit"
	"lockstep/sizing/cost"
)

// Reign is a range of sizes over which one algorithm is the fastest.
type Reign struct {
	// From is where it begins, in latencies times bandwidth (α·B): what is
	// fastest depends on the network by that product alone. It ends where the
	// next one begins, the last one never.
	From      float64
	Algorithm string
	Rough     bool // its closed form is only near its time; see schedule.Entry.Rough
}

// Fastest returns which algorithm for a collective costs the least at which
// size, ascending from zero, for so many ranks; 0 ranks per node are two
// nodes, and every algorithm cuts as it does by itself. Of several that are
// Level it names the first of the catalogue. Hosts leaves out what only the
// network itself could do. It is empty where no algorithm takes so many ranks.
// Errors are *schedule.RequestError.
func Fastest(c schedule.Collective, ranks, perNode int, hosts bool) ([]Reign, error) {
	var all []rival
	for _, e := range schedule.Catalog() {
		if e.Collective != c || hosts && !e.Executable || ranks < e.MinRanks || ranks > e.MaxRanks {
			continue
		}
		curve, err := CurveOf(e, ranks, perNode, 0)
		if err != nil {
			return nil, err
		}
		all = append(all, rival{Reign{Algorithm: e.Algorithm, Rough: ranks > 1 && e.IsRough(e.Vars(ranks, perNode, 0))}, curve})
	}
	if len(all) == 0 {
		if !c.Known() {
			_, err := schedule.Find(c, "")
			return nil, err
		}
		return nil, nil
	}
	return reigns(all), nil
}

// rival is an algorithm with what it takes.
type rival struct {
	Reign
	Curve
}

// Level is by how small a share times may differ to count as the same: models
// are not as good as that, and a chart without it is striped by chance.
const Level = 0.01

// reigns asks between each two sizes at which any two ways meet or come to be
// level: in between nothing changes.
func reigns(all []rival) []Reign {
	const same = 1e-12 // sizes that differ by a smaller share
	var lines Curve
	for _, r := range all {
		lines = append(lines, r.Curve...)
	}
	meet := []float64{0}
	for _, l := range lines {
		for _, o := range lines {
			for _, much := range []float64{1, 1 + Level} {
				if at := (o.alphas*much - l.alphas) / (l.vectors - o.vectors*much); at > 0 && at < 1e18 { // also not NaN
					meet = append(meet, at)
				}
			}
		}
	}
	slices.Sort(meet)
	meet = slices.CompactFunc(meet, func(a, b float64) bool { return math.Abs(b-a) <= same*b })
	var found []Reign
	for i, from := range meet {
		middle := 2*from + 1
		if i+1 < len(meet) {
			middle = (from + meet[i+1]) / 2
		}
		least := math.Inf(1)
		for _, r := range all {
			least = min(least, r.takes(middle))
		}
		best := all[slices.IndexFunc(all, func(r rival) bool { return r.takes(middle) <= least*(1+Level) })]
		if n := len(found); n == 0 || found[n-1].Algorithm != best.Algorithm {
			found = append(found, Reign{from, best.Algorithm, best.Rough})
		}
	}
	return found
}

// ReignAt returns which of some reigns holds at a size in α·B, and false if
// there is none.
func ReignAt(all []Reign, size float64) (Reign, bool) {
	i, exact := slices.BinarySearchFunc(all, size, func(r Reign, size float64) int { return cmp.Compare(r.From, size) })
	if !exact {
		i--
	}
	if i < 0 {
		return Reign{}, false
	}
	return all[i], true
}

// InAlphaB returns a size in latencies times bandwidth; without latency every
// size but nothing is beyond all others.
func InAlphaB(size unit.Bytes, n cost.Network) float64 {
	if size == 0 {
		return 0
	}
	return float64(size) / (n.Latency.Seconds() * float64(n.Bandwidth))
}

// Plane is which algorithm is fastest for every number of ranks: Rows[i] are
// the reigns for i+1 ranks.
type Plane struct{ Rows [][]Reign }

// Atlas keeps the planes that have been asked for: working one out takes as
// long as drawing a page of them. It is safe for concurrent use.
type Atlas struct {
	ranks int

	mu    sync.Mutex
	known map[place]func() (Plane, error)
}

// place is what a plane depends on.
type place struct {
	collective schedule.Collective
	perNode    int
	hosts      bool
}

// NewAtlas returns an atlas of planes that reach up to so many ranks.
func NewAtlas(ranks int) *Atlas {
	return &Atlas{ranks: ranks, known: map[place]func() (Plane, error){}}
}

// Plane returns the fastest algorithms of a collective; see Fastest. Errors
// are *schedule.RequestError.
func (a *Atlas) Plane(c schedule.Collective, perNode int, hosts bool) (Plane, error) {
	at := place{c, min(max(perNode, 0), a.ranks), hosts} // more ranks per node than ranks are one node
	if !c.Known() {
		_, err := schedule.Find(c, "")
		return Plane{}, err
	}
	a.mu.Lock()
	work, known := a.known[at]
	if !known {
		work = sync.OnceValues(func() (Plane, error) { return at.survey(a.ranks) })
		a.known[at] = work
	}
	a.mu.Unlock()
	return work()
}

// survey works a plane out.
func (at place) survey(ranks int) (Plane, error) {
	rows := make([][]Reign, ranks)
	for i := range rows {
		var err error
		if rows[i], err = Fastest(at.collective, i+1, at.perNode, at.hosts); err != nil {
			return Plane{}, err
		}
	}
	return Plane{rows}, nil
}
