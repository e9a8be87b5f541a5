//go:build !race

#include "textflag.h"

// Every function here is one FOLD over vectors of 64 bytes; avx2_amd64.s says
// what FOLD does and why min and max are taken both ways.
//
// Registers: Z0 A, Z1 B, Z2 OUT, Z4 to Z9 widened elements, Z10, Z11 and K1
// free within a COMBINE, Z12 to Z14 and K2 constants, Z15 the last vector.
#define FOLD(SIZE, LOAD, COMBINE, STORE) \
	MOVQ dst+0(FP), DI;       \
	MOVQ a+8(FP), SI;         \
	MOVQ b+16(FP), DX;        \
	MOVQ n+24(FP), CX;        \
	SUBQ $SIZE, CX;           \
	LOAD (SI)(CX*1), Z0;      \
	LOAD (DX)(CX*1), Z1;      \
	COMBINE(Z0, Z1, Z15);     \
	XORQ AX, AX;              \
	JMP  test;                \
loop:                             \
	LOAD (SI)(AX*1), Z0;      \
	LOAD (DX)(AX*1), Z1;      \
	COMBINE(Z0, Z1, Z2);      \
	STORE Z2, (DI)(AX*1);     \
	ADDQ $SIZE, AX;           \
test:                             \
	CMPQ AX, CX;              \
	JLT  loop;                \
	STORE Z15, (DI)(CX*1);    \
	VZEROUPPER;               \
	RET

#define LOAD VMOVDQU64
#define STORE VMOVDQU64

// To float16: $0 is to the nearest, ties to even, whatever the mode.
#define NARROW VCVTPS2PH $0,

#define ADD_F32(A, B, OUT) VADDPS B, A, OUT
#define MUL_F32(A, B, OUT) VMULPS B, A, OUT
#define ADD_F64(A, B, OUT) VADDPD B, A, OUT
#define MUL_F64(A, B, OUT) VMULPD B, A, OUT

#define MIN_F32(A, B, OUT) \
	VMINPS B, A, Z10;     \
	VMINPS A, B, Z11;     \
	VPORD  Z10, Z11, OUT

#define MIN_F64(A, B, OUT) \
	VMINPD B, A, Z10;     \
	VMINPD A, B, Z11;     \
	VPORQ  Z10, Z11, OUT

// Where the comparison ($3: unordered) finds a NaN, A + B is one.
#define MAX_F32(A, B, OUT) \
	VMAXPS B, A, Z10;       \
	VMAXPS A, B, Z11;       \
	VCMPPS $3, A, B, K1;    \
	VPANDD Z10, Z11, OUT;   \
	VADDPS B, A, K1, OUT

#define MAX_F64(A, B, OUT) \
	VMAXPD B, A, Z10;       \
	VMAXPD A, B, Z11;       \
	VCMPPD $3, A, B, K1;    \
	VPANDQ Z10, Z11, OUT;   \
	VADDPD B, A, K1, OUT

#define ADD_I32(A, B, OUT) VPADDD B, A, OUT
#define MUL_I32(A, B, OUT) VPMULLD B, A, OUT
#define MIN_I32(A, B, OUT) VPMINSD B, A, OUT
#define MAX_I32(A, B, OUT) VPMAXSD B, A, OUT

#define ADD_I64(A, B, OUT) VPADDQ B, A, OUT
#define MUL_I64(A, B, OUT) VPMULLQ B, A, OUT
#define MIN_I64(A, B, OUT) VPMINSQ B, A, OUT
#define MAX_I64(A, B, OUT) VPMAXSQ B, A, OUT

#define ADD_U8(A, B, OUT) VPADDB B, A, OUT
#define MIN_U8(A, B, OUT) VPMINUB B, A, OUT
#define MAX_U8(A, B, OUT) VPMAXUB B, A, OUT

#define MUL_U8(A, B, OUT) \
	VPMULLW A, B, Z10;      \
	VPSLLW  $8, Z10, Z10;   \
	VPSRLW  $8, Z10, Z10;   \
	VPSRLW  $8, A, Z11;     \
	VPSRLW  $8, B, OUT;     \
	VPSLLW  $8, OUT, OUT;   \
	VPMULLW Z11, OUT, OUT;  \
	VPORD   Z10, OUT, OUT

// bfloat16 in pairs, as in avx2_amd64.s. K2 selects the odd elements. VDPBF16PS
// and VCVTNEPS2BF16 are not used: they take subnormals for zeros.
#define BFLOAT16_CONSTANTS \
	VPTERNLOGD $0xff, Z14, Z14, Z14;  \
	VPSRLD     $17, Z14, Z12;         \
	VPSRLD     $31, Z14, Z13;         \
	VPSLLD     $16, Z14, Z14;         \
	MOVL       $0xaaaaaaaa, AX;       \
	KMOVD      AX, K2

#define PAIRED(COMBINE, ROUND, A, B, OUT) \
	VPSLLD    $16, A, Z4;          \
	VPSLLD    $16, B, Z5;          \
	COMBINE(Z4, Z5, Z6);           \
	ROUND(Z6);                     \
	VPANDD    Z14, A, Z7;          \
	VPANDD    Z14, B, Z8;          \
	COMBINE(Z7, Z8, Z9);           \
	ROUND(Z9);                     \
	VPSRLD    $16, Z6, OUT;        \
	VMOVDQU16 Z9, K2, OUT

#define NEAREST(V) \
	VPSRLD $16, V, Z11;   \
	VPANDD Z13, Z11, Z11; \
	VPADDD Z12, Z11, Z11; \
	VPADDD Z11, V, V

#define EXACT(V)

#define ADD_BF16(A, B, OUT) PAIRED(ADD_F32, NEAREST, A, B, OUT)
#define MUL_BF16(A, B, OUT) PAIRED(MUL_F32, NEAREST, A, B, OUT)
#define MIN_BF16(A, B, OUT) PAIRED(MIN_F32, EXACT, A, B, OUT)
#define MAX_BF16(A, B, OUT) PAIRED(MAX_F32, EXACT, A, B, OUT)

TEXT ·sumFloat32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, ADD_F32, STORE)

TEXT ·prodFloat32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MUL_F32, STORE)

TEXT ·minFloat32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MIN_F32, STORE)

TEXT ·maxFloat32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MAX_F32, STORE)

TEXT ·sumFloat64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, ADD_F64, STORE)

TEXT ·prodFloat64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MUL_F64, STORE)

TEXT ·minFloat64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MIN_F64, STORE)

TEXT ·maxFloat64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MAX_F64, STORE)

TEXT ·sumInt32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, ADD_I32, STORE)

TEXT ·prodInt32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MUL_I32, STORE)

TEXT ·minInt32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MIN_I32, STORE)

TEXT ·maxInt32AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MAX_I32, STORE)

TEXT ·sumInt64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, ADD_I64, STORE)

TEXT ·prodInt64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MUL_I64, STORE)

TEXT ·minInt64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MIN_I64, STORE)

TEXT ·maxInt64AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MAX_I64, STORE)

TEXT ·sumUint8AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, ADD_U8, STORE)

TEXT ·prodUint8AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MUL_U8, STORE)

TEXT ·minUint8AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MIN_U8, STORE)

TEXT ·maxUint8AVX512(SB), NOSPLIT, $0-32
	FOLD(64, LOAD, MAX_U8, STORE)

TEXT ·sumBFloat16AVX512(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(64, LOAD, ADD_BF16, STORE)

TEXT ·prodBFloat16AVX512(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(64, LOAD, MUL_BF16, STORE)

TEXT ·minBFloat16AVX512(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(64, LOAD, MIN_BF16, STORE)

TEXT ·maxBFloat16AVX512(SB), NOSPLIT, $0-32
	BFLOAT16_CONSTANTS
	FOLD(64, LOAD, MAX_BF16, STORE)

TEXT ·sumFloat16AVX512(SB), NOSPLIT, $0-32
	FOLD(32, VCVTPH2PS, ADD_F32, NARROW)

TEXT ·prodFloat16AVX512(SB), NOSPLIT, $0-32
	FOLD(32, VCVTPH2PS, MUL_F32, NARROW)

TEXT ·minFloat16AVX512(SB), NOSPLIT, $0-32
	FOLD(32, VCVTPH2PS, MIN_F32, NARROW)

TEXT ·maxFloat16AVX512(SB), NOSPLIT, $0-32
	FOLD(32, VCVTPH2PS, MAX_F32, NARROW)
