//go:build !race

#include "textflag.h"

// Every function here is one FOLD over vectors of 32 bytes:
// func(dst, a, b *byte, n int), with n at least SIZE, whole elements.
//
// SIZE is the bytes that LOAD takes from memory into a vector and STORE puts
// back. COMBINE(A, B, OUT) computes one vector; OUT is neither A nor B.
// The last vector ends at n, so that it may overlap the one before it. It is
// computed first, while a and b are whole even if dst is one of them, and
// stored last. CX is where it begins, AX how far the loop has come.
//
// Registers: Y0 A, Y1 B, Y2 OUT, Y4 to Y9 widened elements, Y10 and Y11 free
// within a COMBINE, Y12 to Y14 constants, Y15 the last vector.
#define FOLD(SIZE, LOAD, COMBINE, STORE) \
	MOVQ dst+0(FP), DI;       \
	MOVQ a+8(FP), SI;         \
	MOVQ b+16(FP), DX;        \
	MOVQ n+24(FP), CX;        \
	SUBQ $SIZE, CX;           \
	LOAD (SI)(CX*1), Y0;      \
	LOAD (DX)(CX*1), Y1;      \
	COMBINE(Y0, Y1, Y15);     \
	XORQ AX, AX;              \
	JMP  test;                \
loop:                             \
	LOAD (SI)(AX*1), Y0;      \
	LOAD (DX)(AX*1), Y1;      \
	COMBINE(Y0, Y1, Y2);      \
	STORE Y2, (DI)(AX*1);     \
	ADDQ $SIZE, AX;           \
test:                             \
	CMPQ AX, CX;              \
	JLT  loop;                \
	STORE Y15, (DI)(CX*1);    \
	VZEROUPPER;               \
	RET

#define LOAD VMOVDQU
#define STORE VMOVDQU

// To float16: $0 is to the nearest, ties to even, whatever the mode.
#define NARROW VCVTPS2PH $0,

#define ADD_F32(A, B, OUT) VADDPS B, A, OUT
#define MUL_F32(A, B, OUT) VMULPS B, A, OUT
#define ADD_F64(A, B, OUT) VADDPD B, A, OUT
#define MUL_F64(A, B, OUT) VMULPD B, A, OUT

// VMINPS returns its second source where a NaN is in or both are zeros. Taken
// both ways, the OR of two different results is then a NaN, or −0: as it must
// be. Two equal results OR to themselves.
#define MIN_F32(A, B, OUT) \
	VMINPS B, A, Y10;     \
	VMINPS A, B, Y11;     \
	VORPS  Y10, Y11, OUT

#define MIN_F64(A, B, OUT) \
	VMINPD B, A, Y10;     \
	VMINPD A, B, Y11;     \
	VORPD  Y10, Y11, OUT

// For VMAXPS the AND makes +0 of different zeros. Where the comparison ($3:
// unordered) finds a NaN its all ones are one.
#define MAX_F32(A, B, OUT) \
	VMAXPS B, A, Y10;     \
	VMAXPS A, B, Y11;     \
	VANDPS Y10, Y11, Y10; \
	VCMPPS $3, A, B, Y11; \
	VORPS  Y10, Y11, OUT

#define MAX_F64(A, B, OUT) \
	VMAXPD B, A, Y10;     \
	VMAXPD A, B, Y11;     \
	VANDPD Y10, Y11, Y10; \
	VCMPPD $3, A, B, Y11; \
	VORPD  Y10, Y11, OUT

#define ADD_I32(A, B, OUT) VPADDD B, A, OUT
#define MUL_I32(A, B, OUT) VPMULLD B, A, OUT
#define MIN_I32(A, B, OUT) VPMINSD B, A, OUT
#define MAX_I32(A, B, OUT) VPMAXSD B, A, OUT

#define ADD_I64(A, B, OUT) VPADDQ B, A, OUT

// Y10 is A > B.
#define MIN_I64(A, B, OUT) \
	VPCMPGTQ  B, A, Y10;    \
	VBLENDVPD Y10, B, A, OUT

#define MAX_I64(A, B, OUT) \
	VPCMPGTQ  B, A, Y10;    \
	VBLENDVPD Y10, A, B, OUT

#define ADD_U8(A, B, OUT) VPADDB B, A, OUT
#define MIN_U8(A, B, OUT) VPMINUB B, A, OUT
#define MAX_U8(A, B, OUT) VPMAXUB B, A, OUT

// Products of 16 bits: the lower byte of one holds the product of the even
// elements. With the odd element of A moved down and that of B left up, the
// upper byte holds theirs and the lower is zero.
#define MUL_U8(A, B, OUT) \
	VPMULLW A, B, Y10;     \
	VPSLLW  $8, Y10, Y10;  \
	VPSRLW  $8, Y10, Y10;  \
	VPSRLW  $8, A, Y11;    \
	VPSRLW  $8, B, OUT;    \
	VPSLLW  $8, OUT, OUT;  \
	VPMULLW Y11, OUT, OUT; \
	VPOR    Y10, OUT, OUT

// bfloat16 elements are worked with in pairs, as they lie in 32 bits: the odd
// one is a float32 once the even one below it is masked off, the even one once
// it is shifted up. Y12 is 0x7fff, Y13 is 1, Y14 is 0xffff0000.
#define BFLOAT16_CONSTANTS \
	VPCMPEQD Y14, Y14, Y14;  \
	VPSRLD   $17, Y14, Y12;  \
	VPSRLD   $31, Y14, Y13;  \
	VPSLLD   $16, Y14, Y14

#define PAIRED(COMBINE, ROUND, A, B, OUT) \
	VPSLLD   $16, A, Y4;         \
	VPSLLD   $16, B, Y5;         \
	COMBINE(Y4, Y5, Y6);         \
	ROUND(Y6);                   \
	VPAND    Y14, A, Y7;         \
	VPAND    Y14, B, Y8;         \
	COMBINE(Y7, Y8, Y9);         \
	ROUND(Y9);                   \
	VPSRLD   $16, Y6, Y6;        \
	VPBLENDW $0xaa, Y9, Y6, OUT

// As schedule.ToBFloat16: the upper 16 bits are the result. A NaN needs no
// care here: made of operands whose lower 16 bits are zero, its are too, so
// that nothing carries.
#define NEAREST(V) \
	VPSRLD $16, V, Y11;   \
	VPAND  Y13, Y11, Y11; \
	VPADDD Y12, Y11, Y11; \
	VPADDD Y11, V, V

// A minimum or maximum is one of the operands and needs no rounding.
#define EXACT(V)

#define ADD_BF16(A, B, OUT) PAIRED(ADD_F32, NEAREST, A, B, OUT)
#define MUL_BF16(A, B, OUT) PAIRED(MUL_F32, NEAREST, A, B, OUT)
#define MIN_BF16(A, B, OUT) PAIRED(MIN_F32, EXACT, A, B, OUT)
#define MAX_BF16(A, B, OUT) PAIRED(MAX_F32, EXACT, A, B, OUT)

TEXT ·sumFloat32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, ADD_F32, STORE)

TEXT ·prodFloat32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MUL_F32, STORE)

TEXT ·minFloat32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MIN_F32, STORE)

TEXT ·maxFloat32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MAX_F32, STORE)

TEXT ·sumFloat64AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, ADD_F64, STORE)

TEXT ·prodFloat64AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MUL_F64, STORE)

TEXT ·minFloat64AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MIN_F64, STORE)

TEXT ·maxFloat64AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MAX_F64, STORE)

TEXT ·sumInt32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, ADD_I32, STORE)

TEXT ·prodInt32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MUL_I32, STORE)

TEXT ·minInt32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MIN_I32, STORE)

TEXT ·maxInt32AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MAX_I32, STORE)

TEXT ·sumInt64AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, ADD_I64, STORE)

TEXT ·minInt64AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MIN_I64, STORE)

TEXT ·maxInt64AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MAX_I64, STORE)

TEXT ·sumUint8AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, ADD_U8, STORE)

TEXT ·prodUint8AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MUL_U8, STORE)

TEXT ·minUint8AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MIN_U8, STORE)

TEXT ·maxUint8AVX2(SB), NOSPLIT, $0-32
	FOLD(32, LOAD, MAX_U8, STORE)

TEXT ·sumBFloat16AVX2(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(32, LOAD, ADD_BF16, STORE)

TEXT ·prodBFloat16AVX2(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(32, LOAD, MUL_BF16, STORE)

TEXT ·minBFloat16AVX2(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(32, LOAD, MIN_BF16, STORE)

TEXT ·maxBFloat16AVX2(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(32, LOAD, MAX_BF16, STORE)

TEXT ·sumFloat16AVX2(SB), NOSPLIT, $0-32
	FOLD(16, VCVTPH2PS, ADD_F32, NARROW)

TEXT ·prodFloat16AVX2(SB), NOSPLIT, $0-32
	FOLD(16, VCVTPH2PS, MUL_F32, NARROW)

TEXT ·minFloat16AVX2(SB), NOSPLIT, $0-32
	FOLD(16, VCVTPH2PS, MIN_F32, NARROW)

TEXT ·maxFloat16AVX2(SB), NOSPLIT, $0-32
	FOLD(16, VCVTPH2PS, MAX_F32, NARROW)
