package link

import (
	"fmt"
	"unsafe"

	"lockstep/engine/rank"
)

// ShmPlan says where everything lies in a segment. One process makes it, all
// ranks go by it.
type ShmPlan struct {
	Ranks int    `json:"ranks"`
	Size  int    `json:"size"` // bytes
	Rings []Ring `json:"rings"`
}

// Ring is the place of an edge's ring: a word for what the receiver has done,
// then the slots, each a line and, if there is any, the payload.
type Ring struct {
	Src     int `json:"src"`
	Dst     int `json:"dst"`
	At      int `json:"at"` // bytes from the segment's start
	Slots   int `json:"slots"`
	Payload int `json:"payload"` // bytes of a slot, whole lines; 0 where messages fit into its first line
}

const (
	// ringBytes is what a ring has for payload: more than a second-level
	// cache, so that lines have left the writer's for the shared one when they
	// are read and written again, and much less than the shared one.
	ringBytes = 2 << 20
	// rankBytes bounds what all rings into one rank have together.
	rankBytes = 8 << 20
	slots     = 8
	mostSlots = 32
	// mostPayload is the longest message: half of what a second-level cache
	// keeps besides.
	mostPayload = 256 << 10
)

// PlanShm lays out a segment for the edges of a schedule. A message is at most
// `piece` bytes long where that is not 0, and few of them wait in a ring.
func PlanShm(ranks int, edges []rank.Edge, piece int) ShmPlan {
	into := make([]int, ranks)
	out := make([]int, ranks)
	for _, e := range edges {
		into[e.Dst]++
		out[e.Src]++
	}
	p := ShmPlan{Ranks: ranks, Size: head(ranks)}
	for _, e := range edges {
		ring := min(ringBytes, rankBytes/max(into[e.Dst], out[e.Src]))
		r := Ring{Src: e.Src, Dst: e.Dst, Slots: slots}
		payload := min(e.Longest, mostPayload, ring/slots/line*line)
		if piece > 0 {
			payload = min(payload, piece)
			r.Slots = 2
		}
		if payload > inlineBytes {
			r.Payload = lines(payload)
		}
		if piece == 0 {
			r.Slots = min(max(slots, ring/max(r.Payload, line)), mostSlots)
		}
		r.At = p.Size
		p.Size += r.size()
		p.Rings = append(p.Rings, r)
	}
	return p
}

func lines(bytes int) int { return (bytes + line - 1) / line * line }

// head is what lies before the rings: see Shm.
func head(ranks int) int { return apart * (1 + ranks + ranks*barrierRounds(ranks)) }

// size is a whole number of apart, so that the next ring is that far.
func (r Ring) size() int { return apart + (r.Slots*(line+r.Payload)+apart-1)/apart*apart }

// maxSegment bounds what a rank maps by another's word.
const maxSegment = 1 << 30

func (p ShmPlan) check() error {
	if p.Ranks < 1 || p.Size < head(p.Ranks) || p.Size > maxSegment {
		return fmt.Errorf("a segment of %d bytes for %d ranks", p.Size, p.Ranks)
	}
	for _, r := range p.Rings {
		if r.Src < 0 || r.Src >= p.Ranks || r.Dst < 0 || r.Dst >= p.Ranks || r.Src == r.Dst {
			return fmt.Errorf("a ring from rank %d to rank %d of %d", r.Src, r.Dst, p.Ranks)
		}
		if r.Slots < 1 || r.Slots > mostSlots || r.Payload < 0 || r.Payload > mostPayload || r.Payload%line != 0 {
			return fmt.Errorf("a ring of %d slots of %d bytes", r.Slots, r.Payload)
		}
		if r.At < apart || r.At%apart != 0 || r.At > p.Size-r.size() {
			return fmt.Errorf("a ring at byte %d of %d", r.At, p.Size)
		}
	}
	return nil
}

// at returns a pointer into the segment. It stays valid as long as memory
// does: for mapped memory until it is unmapped.
func at(memory []byte, offset int) unsafe.Pointer {
	return unsafe.Pointer(&memory[offset])
}

func aligned(memory []byte) bool {
	return len(memory) > 0 && uintptr(unsafe.Pointer(unsafe.SliceData(memory)))%line == 0
}
