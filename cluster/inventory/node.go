package inventory

import "lockstep/engine/unit"

// Node is one machine. The zero value of a field means that the system did
// not tell. It travels from agents to their console; Check holds what comes in
// to the bounds below.
type Node struct {
	Host      string     `json:"host,omitempty"`
	OS        string     `json:"os"`                     // as Go names it: linux, darwin, windows
	Arch      string     `json:"arch"`                   // as Go names it: amd64, arm64
	Kernel    string     `json:"kernel,omitempty"`       // release, such as 6.8.0-45-generic
	CPU       string     `json:"cpu,omitempty"`          // the model as its maker names it
	CPUs      int        `json:"cpus"`                   // logical CPUs that this process may use, which can be fewer than the machine has
	Memory    unit.Bytes `json:"memory_bytes,omitempty"` //
	Domains   []Domain   `json:"numa,omitempty"`         // by number
	NICs      []NIC      `json:"nics,omitempty"`         // by name
	GPUs      []GPU      `json:"gpus,omitempty"`         // by bus address, which is the order of their numbers
	GPULinks  []GPULink  `json:"gpu_links,omitempty"`    // a pair at most once
	GPUDriver string     `json:"gpu_driver,omitempty"`   // version of the driver
	CUDA      string     `json:"cuda,omitempty"`         // the newest CUDA that the driver carries
	// GPUsWhy is why there are no GPUs, or why less is known of them than there
	// is to know; empty where all was told.
	GPUsWhy   GPUsWhy    `json:"gpus_why,omitempty"`
	GPUsFault string     `json:"gpus_fault,omitempty"` // what the driver's library said, in its own words
	Libraries []Library  `json:"libraries,omitempty"`  // one for each that is looked for
	Launchers []Launcher `json:"launchers,omitempty"`
}

// Domain is a NUMA node: CPUs with the memory that is next to them.
type Domain struct {
	Number int        `json:"number"`
	Socket int        `json:"socket"`
	List   string     `json:"cpu_list,omitempty"` // its CPUs, as Linux lists them: 0-15,32-47
	CPUs   int        `json:"cpus"`
	Memory unit.Bytes `json:"memory_bytes,omitempty"`
}

// NIC is a network port that leads out of the machine.
type NIC struct {
	Name   string    `json:"name"`
	Kind   NICKind   `json:"kind,omitempty"`
	Rate   unit.Rate `json:"rate_bytes_per_s,omitempty"` // per direction, as negotiated; 0 when the port does not tell
	Up     bool      `json:"up"`
	Driver string    `json:"driver,omitempty"`
	Bus    string    `json:"bus,omitempty"`       // its PCI address
	NUMA   *int      `json:"numa,omitempty"`      // the Domain it is next to
	Near   []int     `json:"near_gpus,omitempty"` // GPUs that it reaches through PCIe switches alone
	// Addresses are for whoever works on the machine itself: they do not travel.
	Addresses []string `json:"-"`
}

// NICKind is what a port speaks.
type NICKind string

// The kinds of port.
const (
	Ethernet   NICKind = "ethernet"
	InfiniBand NICKind = "infiniband"
)
