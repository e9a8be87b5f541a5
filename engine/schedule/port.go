package schedule

// Port names the ports at which the bytes of a Term queue: the busiest of its
// phase. A rank's port sends and receives at the same time.
type Port uint8

// The bottlenecks.
const (
	EveryPort     Port = iota // every rank sends and receives as much as any other
	EverySends                // every rank sends as much as any other, and more than any receives
	EveryReceives             // every rank receives as much as any other, and more than any sends
	FirstSends                // rank 0 sends more than any port carries otherwise
	FirstReceives             // rank 0 receives more than any port carries otherwise
	RootSends                 // the root sends more than any port carries otherwise
	RootReceives              // the root receives more than any port carries otherwise
	Chain                     // no one port: bytes wait along the longest chain of messages
)

var portNames = [...]string{
	"every port", "every sending port", "every receiving port", "sending port of rank 0", "receiving port of rank 0",
	"sending port of the root", "receiving port of the root", "longest chain of messages",
}

func (p Port) String() string { return name(portNames[:], int(p)) }
