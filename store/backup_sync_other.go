//go:build !unix

package store

// syncFolder does nothing where folders cannot be synced.
func syncFolder(string) error { return nil }
