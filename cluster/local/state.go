package local

// processState is what the operating system says of a process that is silent.
type processState uint8

const (
	unknown   processState = iota
	stopped                // by a signal or a debugger
	scheduled              // running, waiting for a processor or for a device
)
