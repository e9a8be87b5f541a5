//go:build !amd64 || race

package kernel

// variants is empty: plain Go it is.
func variants() []variant { return nil }
