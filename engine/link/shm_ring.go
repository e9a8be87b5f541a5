package link

import (
	"sync/atomic"
	"time"

	"lockstep/engine/kernel"
	"lockstep/engine/rank"
)

// slot is the first line of a slot. word is written last, and read first: its
// lower half is the message's number on this edge, counted from 1, so that a
// slot that has been filled again is told from one that has not.
type slot struct {
	word   uint64 // number | step<<32
	rest   uint64 // slice | length<<32 | part<<52
	inline [inlineBytes]byte
}

const lengthBits = 20 // holds mostPayload

func word(number uint64, h *rank.Header) uint64 { return number&0xffffffff | uint64(h.Step)<<32 }

func rest(h *rank.Header) uint64 {
	return uint64(h.Slice) | uint64(h.Length)<<32 | uint64(h.Part)<<(32+lengthBits)
}

// ring is what both ends of an edge know of it.
type ring struct {
	taken   *uint64 // messages that the receiver is done with
	memory  []byte  // the slots
	slots   uint64
	stride  int
	payload int
	peer    *seat
	number  uint64 // messages begun at this end
}

func newRing(memory []byte, r Ring, peer *seat) ring {
	return ring{
		taken: (*uint64)(at(memory, r.At)), memory: memory[r.At+apart : r.At+r.size()], slots: uint64(r.Slots),
		stride: line + r.Payload, payload: r.Payload, peer: peer,
	}
}

// Most is the longest message.
func (r *ring) Most() int { return max(r.payload, inlineBytes) }

// slot returns the slot of message number n, counted from 0, and the place of
// a payload of that length.
func (r *ring) slot(n uint64, length int) (*slot, []byte) {
	from := int(n%r.slots) * r.stride
	s := (*slot)(at(r.memory, from))
	if length <= inlineBytes {
		return s, s.inline[:length:length]
	}
	return s, r.memory[from+line : from+line+length : from+line+length]
}

// ringOut is the sending end of an edge.
type ringOut struct {
	ring
	free  uint64 // messages below this number have a slot
	probe probe
}

func newRingOut(memory []byte, r Ring, peer *seat) *ringOut {
	return &ringOut{ring: newRing(memory, r, peer), free: uint64(r.Slots), probe: newProbe()}
}

// settle leaves no line of the ring in any cache. It comes before the first
// message.
func (o *ringOut) settle() {
	var zero [4 << 10]byte
	for at := 0; at < len(o.memory); at += len(zero) {
		kernel.Stream(o.memory[at:], zero[:])
	}
	kernel.Fence()
}

// Slot returns where the next message's payload goes.
func (o *ringOut) Slot(length int) (memory []byte, far bool) {
	if !o.room() {
		return nil, false
	}
	_, memory = o.slot(o.number, length)
	return memory, o.probe.far && length >= streamFrom
}

// streamFrom is the shortest payload worth going past the caches: a KiB among
// two far ranks takes 0.59 of Open MPI's time this way, 0.69 through them.
const streamFrom = 1 << 10

// room reports whether there is a free slot. It asks the receiver's line
// before the last one is used up: the answer also tells how far away it is.
func (o *ringOut) room() bool {
	if o.free-o.number <= o.slots/2 || o.number < learning {
		o.free = o.probe.load(o.taken) + o.slots
	}
	return o.number < o.free
}

// Publish sends what is in the slot.
func (o *ringOut) Publish(h *rank.Header, length int) {
	s, _ := o.slot(o.number, length)
	o.number++
	s.rest = rest(h)
	kernel.StoreRelease64(&s.word, word(o.number, h))
	o.peer.wake()
	if length > inlineBytes && length <= mostClaimed && !o.probe.far {
		_, next := o.slot(o.number, length)
		kernel.Claim(next)
	}
}

// mostClaimed is the longest payload of which the next slot is claimed while
// the peer reads this one: more than one claim has to fit into a second-level
// cache beside what the rank works on. Nearby that takes 4 to 10 % off an
// exchange of 512 B to 64 KiB each way. Far away it only moves lines to and
// fro: a payload there goes past the caches.
const mostClaimed = 128 << 10

// Send copies a message into a slot.
func (o *ringOut) Send(h *rank.Header, payload []byte) (bool, error) {
	memory, far := o.Slot(len(payload))
	if memory == nil {
		return false, nil
	}
	if far {
		kernel.Stream(memory, payload)
		kernel.Fence()
	} else {
		copy(memory, payload)
	}
	o.Publish(h, len(payload))
	return true, nil
}

// ringIn is the receiving end of an edge.
type ringIn struct {
	ring
	seen byte // what touch has made of it, so that it is not left out
}

func newRingIn(memory []byte, r Ring, peer *seat) *ringIn {
	return &ringIn{ring: newRing(memory, r, peer)}
}

// InPlace is true: a payload is read where the sender has put it.
func (i *ringIn) InPlace() bool { return true }

// Receive is for links that are not InPlace.
func (i *ringIn) Receive(due *rank.Header, dst []byte) (bool, error) {
	payload, err := i.View(due, len(dst))
	if payload == nil {
		return false, err
	}
	copy(dst, payload)
	i.Release()
	return true, nil
}

// View returns the payload of the message that is due, nil if it is not there
// yet.
func (i *ringIn) View(due *rank.Header, length int) ([]byte, error) {
	s, memory := i.slot(i.number, length)
	w := atomic.LoadUint64(&s.word)
	if uint32(w) != uint32(i.number+1) {
		return nil, nil
	}
	if w != word(i.number+1, due) || s.rest != rest(due) {
		got := rank.Header{
			Tag: due.Tag, Iteration: due.Iteration, Step: uint32(w >> 32), Slice: uint32(s.rest),
			Part: uint32(s.rest >> (32 + lengthBits)), Length: uint32(s.rest >> 32 & (1<<lengthBits - 1)),
		}
		return nil, due.Match(got)
	}
	return memory, nil
}

// Release gives the slot back.
func (i *ringIn) Release() {
	i.number++
	kernel.StoreRelease64(i.taken, i.number)
	i.peer.wake()
}

// probe tells whether the other end of a ring shares a cache with this one:
// from a processor that does not, a line that the other has written comes
// several times later, and lines written there are better sent past the
// caches.
type probe struct {
	far   bool
	usual time.Duration // of a load that brought a new value, a moving average
	last  uint64
	begun time.Time // clock's origin
}

const (
	// Such a load takes 50 to 75 ns nearby, with the clock, and from another
	// cache 130 to 190, on two kinds of machine. Between the two the last
	// verdict stands: a wrong "near" costs most.
	nearBy  = 90 * time.Nanosecond
	farAway = 110 * time.Nanosecond
	// longestLoad: what takes longer was interrupted.
	longestLoad = 200 * time.Nanosecond
)

// learning is how many messages look at the receiver's line for the probe's
// sake alone.
const learning = 64

// newProbe takes the other end for far: of the two errors the smaller.
func newProbe() probe { return probe{begun: time.Now(), usual: 2 * farAway, far: true} }

// load loads a word that the other end writes, and learns from how long that
// takes if it brings something new.
func (p *probe) load(word *uint64) uint64 {
	from := time.Since(p.begun)
	v := atomic.LoadUint64(word)
	took := time.Since(p.begun) - from
	if v != p.last {
		p.last = v
		// Quick to rise and slow to fall: far away, some loads find the line
		// here already; nearby only an interruption takes long.
		weight := time.Duration(8)
		if took < p.usual {
			weight = 32
		}
		p.usual += (min(took, longestLoad) - p.usual) / weight
		p.far = p.usual > farAway || p.far && p.usual > nearBy
	}
	return v
}
