package inventory

import "lockstep/engine/unit"

// Node is one machine. The zero value of a field means that the system did
// not tell.
type Node struct {
	Host   string
	OS     string // as Go names it: linux, darwin, windows
	Arch   string // as Go names it: amd64, arm64
	Kernel string // release, such as 6.8.0-45-generic
	CPU    string // the model as its maker names it
	CPUs   int    // logical CPUs that this process may use, which can be fewer than the machine has
	Memory unit.Bytes
	NICs   []NIC // by name
}

// NIC is a network port that leads out of the machine.
type NIC struct {
	Name string
	Rate unit.Rate // per direction, as negotiated; 0 when the port does not tell
	Up   bool
}
