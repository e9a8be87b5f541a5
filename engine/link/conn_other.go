//go:build !linux

package link

func newTransport(cfg *Config) (transport, error) { return newPortable(), nil }
