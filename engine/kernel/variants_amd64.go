//go:build !race

package kernel

import "golang.org/x/sys/cpu"

// variants lists what this processor, and this operating system, can run, the
// fastest first. Each instruction that a variant uses is covered by a check
// here or in its table. x/sys/cpu reports AVX only where the operating system
// saves the registers.
func variants() []variant {
	var all []variant
	if x := cpu.X86; x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ {
		all = append(all, variant{"avx512", 64, avx512Loops})
	}
	if cpu.X86.HasAVX2 {
		all = append(all, variant{"avx2", 32, avx2Loops})
	}
	return all
}
