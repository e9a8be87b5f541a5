package schedule

// Port names the ports at which the bytes of a Term queue: the busiest of its
// phase. A rank's port sends and receives at the same time.
type Port uint8

// The bottlenecks.
const (
	EveryPort     Port = iota // every rank sends and receives as much as any other
	FirstSends                // rank 0 sends more than any port carries otherwise
	FirstReceives             // rank 0 receives more than any port carries otherwise
)

var portNames = [...]string{"every port", "sending port of rank 0", "receiving port of rank 0"}

func (p Port) String() string { return name(portNames[:], int(p)) }
