package kernel

// Stream copies src to dst past the caches, for data that this core will not
// touch again soon: non-temporal stores on amd64, copy elsewhere. As with copy
// the shorter of the two counts; they may not overlap. Lines of 64 bytes that
// dst does not hold whole, at its ends, are copied through the caches.
//
// Non-temporal stores are not ordered with the stores after them: a Fence has
// to come before a StoreRelease that publishes the copy. It costs more than a
// small Stream, so one stands for many.
func Stream(dst, src []byte) {
	n := min(len(dst), len(src))
	stream(dst[:n], src[:n])
}

// Fence waits until every store of this goroutine is done, those of Stream
// too.
func Fence() { fence() }

// Claim asks for the lines of memory, which starts at one, for this core to
// write (amd64: PREFETCHW), and does not wait for them. Stores that come later
// find them here instead of fetching each from the core that has read it.
func Claim(memory []byte) { claim(memory) }

// Spin tells the processor n times that the caller waits in a loop (amd64:
// PAUSE, some 10 to 150 cycles each): it saves power, leaves the core to the
// other thread on it, and spares the loop a costly exit.
func Spin(n int) { spin(n) }

// StoreRelease64 stores v so that whoever loads it by atomic.LoadUint64 sees
// every earlier store of this goroutine too. Unlike atomic.StoreUint64 it does
// not wait for those stores to be done, so a later load of this goroutine may
// be taken before it: on amd64 it is one MOV. Elsewhere, and under the race
// detector, it is atomic.StoreUint64. p is 8-byte aligned.
func StoreRelease64(p *uint64, v uint64) { storeRelease64(p, v) }

// StoreRelease32 is StoreRelease64 for 4 bytes.
func StoreRelease32(p *uint32, v uint32) { storeRelease32(p, v) }
