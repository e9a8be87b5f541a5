package schedule

import (
	"fmt"
	"strings"
)

// Limits of the schedules that are built, checked or read.
const (
	MaxRanks = 1024
	// MaxCells bounds ranks × (in + out + tmp chunks): what Check holds in memory.
	MaxCells = 1 << 24
)

// Term is one part of an algorithm's α–β time: Alphas messages' latency and
// Bytes multiples of S over the bandwidth of one port.
type Term struct {
	Phase  string // the key of the phase it prices
	Alphas Expr
	Bytes  Expr
	Port   Port // where the bytes queue
}

// Entry is one pair of the catalogue: a collective and an algorithm for it.
// The closed forms are in n, k and G; bytes are multiples of S by the busiest
// rank at equal chunks.
type Entry struct {
	Collective Collective
	Algorithm  string
	MinRanks   int
	MaxRanks   int
	Executable bool // false for what hosts only show and price
	Layout     Layout
	Rounds     Expr
	Messages   Expr
	Sent       Expr
	Received   Expr
	Terms      []Term // their sum is the α–β time at one slice per step, for n >= 2; one rank pays nothing
	When       string // when this algorithm is the right one, in one sentence

	chunks func(n, perUnit int) int // document chunks from --chunks K
	build  func(b *builder)
}

// Catalog returns the entries in the order in which they are listed.
func Catalog() []Entry { return []Entry{centralAllReduce(), ringAllReduce()} }

// Find returns the entry of a pair; the error lists what there is.
func Find(c Collective, algorithm string) (Entry, error) {
	var collectives, algorithms []string
	for _, e := range Catalog() {
		if e.Collective == c && e.Algorithm == algorithm {
			return e, nil
		}
		if e.Collective == c {
			algorithms = append(algorithms, e.Algorithm)
		}
		if name := string(e.Collective); len(collectives) == 0 || collectives[len(collectives)-1] != name {
			collectives = append(collectives, name)
		}
	}
	if len(algorithms) == 0 {
		return Entry{}, &RequestError{"collective", fmt.Sprintf("unknown collective %q; accepted: %s", c, strings.Join(collectives, ", "))}
	}
	return Entry{}, &RequestError{"algorithm", fmt.Sprintf("unknown algorithm %q for %s; accepted: %s", algorithm, c, strings.Join(algorithms, ", "))}
}

// Request asks for one schedule.
type Request struct {
	Collective Collective
	Algorithm  string
	Ranks      int
	Chunks     int // pieces per block or vector; 0 means the algorithm's default
}

// RequestError is a field of a Request that cannot be used.
type RequestError struct {
	Field   string // collective, algorithm, ranks or chunks
	Message string // what was given and what is accepted
}

func (e *RequestError) Error() string { return e.Message }

// Build makes the schedule that r asks for. Errors are *RequestError.
func Build(r Request) (*Schedule, error) {
	entry, err := Find(r.Collective, r.Algorithm)
	if err != nil {
		return nil, err
	}
	if r.Ranks < entry.MinRanks || r.Ranks > entry.MaxRanks {
		return nil, &RequestError{"ranks", fmt.Sprintf("%d ranks: accepted: %d to %d", r.Ranks, entry.MinRanks, entry.MaxRanks)}
	}
	perUnit := r.Chunks
	if perUnit == 0 {
		perUnit = 1
	}
	if perUnit < 0 {
		return nil, &RequestError{"chunks", fmt.Sprintf("%d chunks: accepted: 1 or more", r.Chunks)}
	}
	// Bounded before it is multiplied, so that nothing overflows.
	most := MaxCells / (2 * r.Ranks * entry.chunks(r.Ranks, 1))
	if perUnit > most {
		return nil, &RequestError{"chunks", fmt.Sprintf("%d chunks with %d ranks: accepted: 1 to %d", r.Chunks, r.Ranks, most)}
	}
	b := newBuilder(Schedule{
		Collective: r.Collective, Algorithm: r.Algorithm, Ranks: r.Ranks, Root: NoRoot,
		Chunks: entry.chunks(r.Ranks, perUnit), Layout: entry.Layout,
	})
	entry.build(b)
	return b.finish(), nil
}

// perVector: --chunks cuts the vector itself.
func perVector(_, perUnit int) int { return perUnit }

// perBlock: --chunks cuts each of n blocks.
func perBlock(n, perUnit int) int { return n * perUnit }
