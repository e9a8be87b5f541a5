//go:build !amd64 || race

package kernel

import "sync/atomic"

func stream(dst, src []byte) { copy(dst, src) }

func claim([]byte) {}

func fence() {}

func spin(n int) {
	for range n { // the loop itself is the wait
	}
}

func storeRelease64(p *uint64, v uint64) { atomic.StoreUint64(p, v) }

func storeRelease32(p *uint32, v uint32) { atomic.StoreUint32(p, v) }
