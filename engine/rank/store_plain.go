//go:build amd64 && !race

package rank

// store writes a word that another goroutine may be loading. This processor
// writes it whole, and in order with the stores before: see Progress.Take for
// what a reader does with one that is overwritten meanwhile.
func store(p *uint64, v uint64) { *p = v }
