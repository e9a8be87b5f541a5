//go:build !linux

package worker

// pinned calls f: there is no way to keep a thread to a processor here.
func pinned(_ int, f func()) { f() }
