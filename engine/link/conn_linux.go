package link

func newTransport(cfg *Config) (transport, error) {
	if cfg.Portable {
		return newPortable(), nil
	}
	return newRaw(cfg)
}
