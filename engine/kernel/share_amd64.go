//go:build !race

package kernel

import "golang.org/x/sys/cpu"

// line is the bytes of a cache line.
const line = 64

func stream(dst, src []byte) {
	head := int(-address(dst) % line)
	if len(dst) < head+line || !cpu.X86.HasAVX {
		copy(dst, src)
		return
	}
	copy(dst[:head], src)
	dst, src = dst[head:], src[head:]
	for len(dst) >= line {
		n := min(len(dst), piece) &^ (line - 1)
		streamLines(&dst[0], &src[0], n)
		dst, src = dst[n:], src[n:]
	}
	copy(dst, src)
}

// streamLines copies n bytes, a multiple of 64 and not zero, to dst, which is
// 64-byte aligned. It needs AVX. The 16 bytes that SSE2 stores at a time would
// do everywhere, but are a sixth slower behind a reduction.
//
//go:noescape
func streamLines(dst, src *byte, n int)

func claim(memory []byte) {
	if len(memory) > 0 {
		claimLines(&memory[0], len(memory))
	}
}

// claimLines begins at the line that p lies in and ends with the one before
// p+n, n not zero. Processors without PREFETCHW take it for a NOP.
//
//go:noescape
func claimLines(p *byte, n int)

// fence waits until every store is done, the non-temporal ones too.
func fence()

func spin(n int)

//go:noescape
func storeRelease64(p *uint64, v uint64)

//go:noescape
func storeRelease32(p *uint32, v uint32)
