//go:build !amd64 || race

package rank

import "sync/atomic"

// store writes a word that another goroutine may be loading.
func store(p *uint64, v uint64) { atomic.StoreUint64(p, v) }
