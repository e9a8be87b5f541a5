package train

// Machine is one accelerator of a cluster and its links.
type Machine struct {
	Peak   float64 // operations a second in the precision of the products, dense
	Peak16 float64 // in BF16 or FP16
	Memory float64 // bytes a second, nominal
	Domain float64 // accelerators that the scale-up links join
	Inside float64 // bytes a second and direction of one accelerator's scale-up links
	NIC    float64 // bytes a second and direction of one accelerator's share of the NICs
}

// sustained is the share of the nominal memory rate that streams reach; the
// passes of the formulas are counted against it.
const sustained = 0.85

// Format is what the products multiply.
type Format int

const (
	Sixteen   Format = iota // BF16 or FP16
	Eight                   // FP8 with a scale a tensor
	EightRows               // FP8 with a scale a row
	MXEight                 // FP8 with a scale a block
	Four                    // NVFP4
)
