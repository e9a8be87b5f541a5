//go:build !race

#include "textflag.h"

// func streamLines(dst, src *byte, n int)
TEXT ·streamLines(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	XORQ AX, AX

loop:
	VMOVDQU  (SI)(AX*1), Y0
	VMOVDQU  32(SI)(AX*1), Y1
	VMOVNTDQ Y0, (DI)(AX*1)
	VMOVNTDQ Y1, 32(DI)(AX*1)
	ADDQ     $64, AX
	CMPQ     AX, CX
	JLT      loop
	VZEROUPPER
	RET

// func fence()
TEXT ·fence(SB), NOSPLIT, $0-0
	SFENCE
	RET

// func spin(n int)
TEXT ·spin(SB), NOSPLIT, $0-8
	MOVQ n+0(FP), CX
	JMP  test

again:
	PAUSE
	DECQ CX

test:
	TESTQ CX, CX
	JGT   again
	RET

// func storeRelease64(p *uint64, v uint64)
TEXT ·storeRelease64(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), DI
	MOVQ v+8(FP), AX
	MOVQ AX, (DI)    // the processor keeps ordinary stores in order
	RET

// func storeRelease32(p *uint32, v uint32)
TEXT ·storeRelease32(SB), NOSPLIT, $0-12
	MOVQ p+0(FP), DI
	MOVL v+8(FP), AX
	MOVL AX, (DI)
	RET

// func claimLines(p *byte, n int)
TEXT ·claimLines(SB), NOSPLIT, $0-16
	MOVQ p+0(FP), DI
	MOVQ n+8(FP), CX
	ADDQ DI, CX

loop:
	BYTE $0x0F; BYTE $0x0D; BYTE $0x0F // PREFETCHW (DI), which the assembler lacks
	ADDQ $64, DI
	CMPQ DI, CX
	JCS  loop
	RET
