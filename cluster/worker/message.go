package worker

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/netip"
	"time"

	"lockstep/cluster/inventory"
	"lockstep/engine/link"
	"lockstep/engine/rank"
	"lockstep/engine/schedule"
	"lockstep/engine/trace"
)

// Protocol is the version of this conversation. Both ends must have the same.
const Protocol = 5

// Job is what a worker is asked to do.
type Job struct {
	Protocol int               `json:"protocol"`
	Run      string            `json:"run"`
	Key      link.Key          `json:"key"`
	Spec     trace.Spec        `json:"spec"`
	Program  *schedule.Program `json:"program"`
	Slices   int               `json:"slices"`
	Stops    []int             `json:"stops,omitempty"`
	Dwell    time.Duration     `json:"dwell_ns,omitempty"`
	Window   int               `json:"window"` // of the rows to digest, in elements
	Place    Place             `json:"place"`
}

// Place is how a rank is tied to its machine and to its peers.
type Place struct {
	Burst   int  `json:"burst,omitempty"`   // see rank.Job
	Crowded bool `json:"crowded,omitempty"` // there are more ranks than processors here
	Pinned  bool `json:"pinned,omitempty"`  // the rank keeps to one processor
	Seat    int  `json:"seat"`              // which, counting from 0 and round those that the process may use

	// Over memory: where the rank's edges lie in the segment. The process got
	// the segment as its first extra file.
	Shm *link.ShmPlan `json:"shm,omitempty"`
	// Over sockets: both directions between two ranks take one connection.
	Shared bool `json:"shared,omitempty"`
	// Where the rank listens, for the run's set-up only, and the host that
	// peers dial. The zero values are loopback and any port.
	Bind      netip.Addr `json:"bind,omitzero"`
	Ports     link.Ports `json:"ports,omitzero"`
	Advertise string     `json:"advertise,omitempty"`
	// By rank, the peers to which edges are encrypted; nil for none.
	Sealed []bool `json:"sealed,omitempty"`
}

// Message is what a worker says.
type Message interface{ message() }

// Hello is a worker's first message.
type Hello struct {
	Protocol int    `json:"protocol"`
	Build    string `json:"build"`
	Process  int    `json:"process"`
}

// Listening says where peers find a worker.
type Listening struct {
	Address string         `json:"address"`
	Library *trace.Library `json:"library,omitempty"` // that will move the rank's bytes; nil for none but ours
}

// Ready says that all edges of a worker stand.
type Ready struct{}

// Beat says that a worker is alive. Moved grows while its bytes move; Works is
// what it has done so far.
type Beat struct {
	Moved int64
	Works rank.Works
}

// Marks is what a worker has reached in an iteration.
type Marks struct {
	Iteration int
	Marks     []rank.Mark
}

// Times are a worker's own elapsed times of iterations, from First on.
type Times struct {
	First int
	Times []time.Duration
}

// Digests are those of a worker's rows, from First on. Last says that all have
// been sent.
type Digests struct {
	First   int
	Last    bool
	Digests []rank.Digest
}

// Piece answers a Fetch.
type Piece struct{ Bytes []byte }

// Fault says why a worker cannot go on.
type Fault struct {
	Kind    FaultKind `json:"kind"`
	Step    int       `json:"step"` // -1 where it is not about one
	Round   int       `json:"round"`
	Peer    int       `json:"peer"` // -1 likewise; of a FaultStart, the rank that cannot be reached
	Message string    `json:"message"`
	// Why is what the matter is, where that is known.
	Why *inventory.Reason `json:"why,omitempty"`
}

// FaultKind is what a Fault is about.
type FaultKind string

// The kinds of fault.
const (
	FaultStart    FaultKind = "start"    // the job was refused or could not be set up
	FaultLink     FaultKind = "link"     // an edge broke, for whatever reason
	FaultInternal FaultKind = "internal" // what came was not what the schedule says
	FaultLibrary  FaultKind = "library"  // a vendor's library refused, at the start or later
)

func (Hello) message()     {}
func (Listening) message() {}
func (Ready) message()     {}
func (Beat) message()      {}
func (Marks) message()     {}
func (Times) message()     {}
func (Digests) message()   {}
func (Piece) message()     {}
func (Fault) message()     {}

// peers tells a worker where the others are, by rank.
type peers struct {
	Addresses []string `json:"addresses"`
}

// fetch asks for bytes of a row.
type fetch struct {
	Row    int `json:"row"`
	Offset int `json:"offset"`
}

// brake tells a worker how many times longer its work shall take.
type brake struct {
	Factor int `json:"factor"`
}

const (
	beatSize   = 8 + 24*int(rank.WorkKinds)
	markSize   = 16
	timeSize   = 8
	pieceSize  = 512 << 10
	batchMarks = 4096 // of a frame
)

func appendBeat(b []byte, beat Beat) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(beat.Moved))
	for _, w := range beat.Works {
		b = binary.BigEndian.AppendUint64(b, uint64(w.Busy))
		b = binary.BigEndian.AppendUint64(b, uint64(w.Bytes))
		b = binary.BigEndian.AppendUint64(b, uint64(w.Slices))
	}
	return b
}

func appendMarks(b []byte, iteration int, marks []rank.Mark) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(iteration))
	for _, m := range marks {
		b = binary.BigEndian.AppendUint32(b, uint32(m.Move))
		b = binary.BigEndian.AppendUint32(b, uint32(m.Slice))
		b = binary.BigEndian.AppendUint64(b, uint64(m.At))
	}
	return b
}

func appendTimes(b []byte, first int, times []time.Duration) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(first))
	for _, t := range times {
		b = binary.BigEndian.AppendUint64(b, uint64(t))
	}
	return b
}

func appendDigests(b []byte, first int, last bool, digests []rank.Digest) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(first))
	if last {
		b = append(b, 1)
	} else {
		b = append(b, 0)
	}
	for _, d := range digests {
		b = append(b, d[:]...)
	}
	return b
}

// parse reads what a worker sends.
func parse(k kind, body []byte) (Message, error) {
	switch k {
	case kindHello:
		return parseJSON[Hello](k, body)
	case kindListening:
		return parseJSON[Listening](k, body)
	case kindFault:
		return parseJSON[Fault](k, body)
	case kindReady:
		return Ready{}, nil
	case kindPiece:
		return Piece{body}, nil
	case kindBeat:
		if len(body) != beatSize {
			break
		}
		beat := Beat{Moved: int64(binary.BigEndian.Uint64(body))}
		for k := range beat.Works {
			b := body[8+24*k:]
			beat.Works[k] = rank.Work{
				Busy:  time.Duration(binary.BigEndian.Uint64(b)),
				Bytes: int64(binary.BigEndian.Uint64(b[8:])), Slices: int64(binary.BigEndian.Uint64(b[16:])),
			}
		}
		return beat, nil
	case kindMarks:
		if len(body) < 4 || (len(body)-4)%markSize != 0 {
			break
		}
		m := Marks{Iteration: int(binary.BigEndian.Uint32(body)), Marks: make([]rank.Mark, 0, (len(body)-4)/markSize)}
		for b := body[4:]; len(b) > 0; b = b[markSize:] {
			m.Marks = append(m.Marks, rank.Mark{
				Move: int32(binary.BigEndian.Uint32(b)), Slice: int32(binary.BigEndian.Uint32(b[4:])),
				At: time.Duration(binary.BigEndian.Uint64(b[8:])),
			})
		}
		return m, nil
	case kindTimes:
		if len(body) < 4 || (len(body)-4)%timeSize != 0 {
			break
		}
		m := Times{First: int(binary.BigEndian.Uint32(body))}
		for b := body[4:]; len(b) > 0; b = b[timeSize:] {
			m.Times = append(m.Times, time.Duration(binary.BigEndian.Uint64(b)))
		}
		return m, nil
	case kindDigests:
		if len(body) < 5 || (len(body)-5)%len(rank.Digest{}) != 0 {
			break
		}
		m := Digests{First: int(binary.BigEndian.Uint32(body)), Last: body[4] == 1}
		for b := body[5:]; len(b) > 0; b = b[len(rank.Digest{}):] {
			m.Digests = append(m.Digests, rank.Digest(b))
		}
		return m, nil
	}
	return nil, fmt.Errorf("read message %d with %d bytes: not what a worker sends", k, len(body))
}

func parseJSON[T Message](k kind, body []byte) (Message, error) {
	var m T
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, fmt.Errorf("read message %d: %w", k, err)
	}
	return m, nil
}
