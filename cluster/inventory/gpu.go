package inventory

import "lockstep/engine/unit"

// GPU is an accelerator.
type GPU struct {
	Name    string     `json:"name"`
	ID      string     `json:"id,omitempty"`           // the beginning of its UUID, enough to tell those of a cluster apart
	Memory  unit.Bytes `json:"memory_bytes,omitempty"` //
	Bus     string     `json:"bus,omitempty"`          // its PCI address
	NUMA    *int       `json:"numa,omitempty"`         // the Domain it is next to
	NVLinks int        `json:"nvlinks,omitempty"`      // that are up, to GPUs and to switches
	Lane    unit.Rate  `json:"nvlink_rate_bytes_per_s,omitempty"`
}

// GPULink is how two GPUs of a machine reach each other.
type GPULink struct {
	A       int       `json:"a"` // index in GPUs; less than B
	B       int       `json:"b"`
	Path    Path      `json:"path,omitempty"`    // over PCIe; absent where the system does not tell
	NVLinks int       `json:"nvlinks,omitempty"` // directly, or through NVSwitch
	Rate    unit.Rate `json:"rate_bytes_per_s,omitempty"`
}

// Path is what lies between two devices on PCIe, in the words of nvidia-smi.
type Path string

// The paths, from the shortest to the longest.
const (
	PIX  Path = "PIX"  // one PCIe switch
	PXB  Path = "PXB"  // several PCIe switches
	PHB  Path = "PHB"  // the root of one PCIe tree, hence the CPU
	NODE Path = "NODE" // between PCIe trees of one NUMA node
	SYS  Path = "SYS"  // between NUMA nodes
)

// GPUsWhy is why a machine shows no GPUs, or not all about them.
type GPUsWhy string

// The reasons.
const (
	NoDriver     GPUsWhy = "no-driver"     // NVIDIA's driver is not loaded
	OtherSystem  GPUsWhy = "other-system"  // they are not looked for on this system
	WithoutNVML  GPUsWhy = "without-nvml"  // NVML is not installed: the kernel alone has told
	NVMLRefused  GPUsWhy = "nvml-refused"  // NVML failed; GPUsFault says how
	NVMLSilent   GPUsWhy = "nvml-silent"   // NVML did not answer in time
	NothingThere GPUsWhy = "nothing-there" // the driver is loaded and has no GPU
)
