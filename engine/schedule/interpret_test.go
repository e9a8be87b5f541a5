package schedule

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"
)

// sample returns a rank's input at an element as the type holds it: small
// whole numbers, so that any order of combining gives the same.
func sample(t DType, rank, element int) []byte {
	v := (rank*3+element*5)%4 + 1
	return encode(t, float64(v))
}

func encode(t DType, v float64) []byte {
	b := make([]byte, t.Width())
	switch t {
	case Float32:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(v)))
	case Float64:
		binary.LittleEndian.PutUint64(b, math.Float64bits(v))
	case Float16:
		binary.LittleEndian.PutUint16(b, ToFloat16(float32(v)))
	case BFloat16:
		binary.LittleEndian.PutUint16(b, ToBFloat16(float32(v)))
	case Int32:
		binary.LittleEndian.PutUint32(b, uint32(int32(v)))
	case Int64:
		binary.LittleEndian.PutUint64(b, uint64(int64(v)))
	case Uint8:
		b[0] = uint8(int(v))
	}
	return b
}

// combined is what n ranks' inputs at an element come to, in plain numbers.
func combined(t DType, op ReduceOp, n, element int) []byte {
	v := float64((element*5)%4 + 1)
	for rank := 1; rank < n; rank++ {
		w := float64((rank*3+element*5)%4 + 1)
		switch op {
		case Sum, Avg:
			v += w
		case Prod:
			v *= w
		case Min:
			v = math.Min(v, w)
		case Max:
			v = math.Max(v, w)
		}
	}
	if op == Avg {
		v /= float64(n)
		if t == Int32 || t == Int64 || t == Uint8 {
			v = math.Trunc(v)
		}
	}
	return encode(t, v)
}

func TestInterpreterGivesTheResult(t *testing.T) {
	for _, e := range Catalog() {
		for _, n := range []int{1, 2, 3, 4, 6, 7} {
			for i, r := range variants(e, n) {
				dtype, op := DTypes()[(i+n)%7], ReduceOps()[(i*2+n)%5]
				if !full() && i%3 != n%3 {
					continue
				}
				for _, perRank := range []int{0, 1, 5, 23} {
					elements := perRank
					if e.Collective.Blocks() {
						elements *= n
					}
					interpretOne(t, r, dtype, op, elements, []int{0, 1, 7}[i%3])
				}
			}
		}
	}
	for _, dtype := range DTypes() {
		for _, op := range ReduceOps() {
			interpretOne(t, Request{Collective: AllReduce, Algorithm: "ring", Ranks: 3, Chunks: 2}, dtype, op, 1001, 64)
		}
	}
}

func interpretOne(t *testing.T, r Request, dtype DType, op ReduceOp, elements, window int) {
	t.Helper()
	combine, err := Arithmetic(dtype, op)
	if err != nil {
		t.Fatal(err)
	}
	s, width := mustBuild(t, r), dtype.Width()
	block := elements
	if s.Collective.Blocks() {
		block = elements / s.Ranks
	}
	seen := make([]int, s.Ranks)
	err = Interpret(s, Data{
		Elements: elements, Width: width, Combine: combine, Finish: Finish(dtype, op, s.Ranks), Window: window,
		Input: func(rank, first int, dst []byte) {
			for i := 0; i < len(dst); i += width {
				copy(dst[i:], sample(dtype, rank, first+i/width))
			}
		},
		Output: func(rank, chunk, first int, data []byte) {
			for i := 0; i < len(data); i += width {
				at := first + i/width
				var want []byte
				switch s.Collective { // the table of buffers, by elements
				case Broadcast:
					want = sample(dtype, s.Root, at)
				case Scatter:
					want = sample(dtype, s.Root, rank*block+at)
				case Gather, AllGather:
					want = sample(dtype, at/block, at%block)
				case AllToAll:
					want = sample(dtype, at/block, rank*block+at%block)
				case SendRecv:
					want = sample(dtype, (rank+s.Ranks-1)%s.Ranks, at)
				case ReduceScatter:
					want = combined(dtype, op, s.Ranks, rank*block+at)
				default:
					want = combined(dtype, op, s.Ranks, at)
				}
				if s.Collective != Barrier && !bytes.Equal(data[i:i+width], want) {
					t.Fatalf("%+v, %s of %s, %d elements: rank %d element %d is %x, want %x", r, op, dtype, elements, rank, at, data[i:i+width], want)
				}
				seen[rank]++
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	for rank := range s.Ranks {
		if want := s.ChunkStart(elements, s.BufChunks(rank, Out)); seen[rank] != want {
			t.Fatalf("%+v, %d elements: rank %d has %d of %d elements", r, elements, rank, seen[rank], want)
		}
	}
}

// The rules of arithmetic: integers wrap, a NaN wins, −0 is below +0, 16-bit
// floats are combined as float32 and rounded once.
func TestArithmeticByHand(t *testing.T) {
	negative := math.Copysign(0, -1)
	for _, c := range []struct {
		dtype DType
		op    ReduceOp
		a, b  float64
		want  float64
	}{
		{Uint8, Sum, 200, 100, 44}, {Uint8, Prod, 16, 17, 16}, {Uint8, Max, 200, 100, 200},
		{Int32, Sum, math.MaxInt32, 1, math.MinInt32}, {Int32, Min, -5, 3, -5}, {Int64, Prod, -7, 6, -42},
		{Float32, Sum, 1 << 24, 1, 1 << 24}, {Float64, Sum, 1 << 24, 1, 1<<24 + 1},
		{Float16, Sum, 2048, 1, 2048}, {Float16, Sum, 2048, 3, 2052}, {Float16, Prod, 60000, 2, math.Inf(1)},
		{BFloat16, Sum, 256, 1, 256}, {BFloat16, Sum, 256, 3, 260}, {Float32, Min, 0, negative, negative}, {Float32, Max, 0, negative, 0},
	} {
		combine, err := Arithmetic(c.dtype, c.op)
		if err != nil {
			t.Fatal(err)
		}
		got := encode(c.dtype, c.a)
		combine(got, encode(c.dtype, c.b))
		if want := encode(c.dtype, c.want); !bytes.Equal(got, want) {
			t.Errorf("%s of %s %v and %v is %x, want %v (%x)", c.op, c.dtype, c.a, c.b, got, c.want, want)
		}
	}
	for _, op := range ReduceOps() {
		combine, _ := Arithmetic(Float32, op)
		for _, order := range [][2]float64{{math.NaN(), 1}, {1, math.NaN()}} {
			got := encode(Float32, order[0])
			combine(got, encode(Float32, order[1]))
			if v := math.Float32frombits(binary.LittleEndian.Uint32(got)); v == v {
				t.Errorf("%s of %v is %v; a NaN wins", op, order, v)
			}
		}
	}
	half := encode(Uint8, 201)
	Finish(Uint8, Avg, 300)(half) // more ranks than the type counts to
	minus := encode(Int32, -7)
	Finish(Int32, Avg, 2)(minus)
	if half[0] != 0 || !bytes.Equal(minus, encode(Int32, -3)) || Finish(Float32, Sum, 2) != nil {
		t.Errorf("averages %v, %v", half, minus)
	}
	for _, bad := range [][2]string{{"float8", "sum"}, {"float32", "xor"}} {
		if _, err := Arithmetic(DType(bad[0]), ReduceOp(bad[1])); err == nil {
			t.Errorf("%v has an arithmetic", bad)
		}
	}
}
