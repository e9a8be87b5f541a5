package kernel

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"lockstep/engine/schedule"
)

// eachWay runs test on every type, reduction and way, but for avg, which is sum.
func eachWay(t *testing.T, test func(t *testing.T, dtype schedule.DType, op schedule.ReduceOp, way named)) {
	for _, dtype := range schedule.DTypes() {
		for _, op := range []schedule.ReduceOp{schedule.Sum, schedule.Prod, schedule.Min, schedule.Max} {
			for _, way := range ways(t, dtype, op) {
				t.Run(fmt.Sprintf("%s/%s/%s", dtype, op, way.name), func(t *testing.T) { test(t, dtype, op, way) })
			}
		}
	}
}

// operands say how a call lies in memory.
type operands struct {
	bytes           int
	atDst, atA, atB int  // misalignments, 0 to 63
	alias           byte // 'a' or 'b' where dst is that one
}

// check does one call and holds it against the reference: the result, the
// operands that are not dst, and the bytes around all three.
func (o operands) check(way named, combine schedule.Combine, dtype schedule.DType, random *rand.Rand) error {
	dst, a, b := newRoom(o.bytes, o.atDst), newRoom(o.bytes, o.atA), newRoom(o.bytes, o.atB)
	fillOperands(random, dtype, a.inner, b.inner)
	switch o.alias {
	case 'a':
		copy(dst.inner, a.inner)
		a = dst
	case 'b':
		copy(dst.inner, b.inner)
		b = dst
	}
	beforeA, beforeB := bytes.Clone(a.inner), bytes.Clone(b.inner)
	whole := o.bytes / dtype.Width() * dtype.Width()
	want := append(bytes.Clone(beforeA[:whole]), dst.inner[whole:]...)
	combine(want[:whole], b.inner[:whole])

	way.reduce(dst.inner, a.inner, b.inner)

	if i := differs(dtype, dst.inner, want); i >= 0 {
		end := min(i+dtype.Width(), o.bytes)
		return fmt.Errorf("%+v: byte %d: %x and %x give %x, want %x", o, i, beforeA[i:end], beforeB[i:end], dst.inner[i:end], want[i:end])
	}
	if o.alias != 'a' && !bytes.Equal(a.inner, beforeA) || o.alias != 'b' && !bytes.Equal(b.inner, beforeB) {
		return fmt.Errorf("%+v: an operand changed", o)
	}
	if !dst.intact() || !a.intact() || !b.intact() {
		return fmt.Errorf("%+v: bytes around an operand changed", o)
	}
	return nil
}

func TestReduceOfAnyLengthAndPlaceEqualsTheReference(t *testing.T) {
	eachWay(t, func(t *testing.T, dtype schedule.DType, op schedule.ReduceOp, way named) {
		combine := reference(t, dtype, op)
		random := rand.New(rand.NewPCG(1, 2))
		check := func(o operands) {
			t.Helper()
			if err := o.check(way, combine, dtype, random); err != nil {
				t.Fatal(err)
			}
		}
		width := dtype.Width()
		for n := range 300 {
			check(operands{n * width, 0, 0, 0, 0})
			check(operands{n * width, random.IntN(64), random.IntN(64), random.IntN(64), "\x00ab"[random.IntN(3)]})
		}
		for at := range 64 { // each misalignment of each operand, and bytes left over
			n := random.IntN(400)
			check(operands{n, at, 0, 0, 0})
			check(operands{n, 0, at, 0, 0})
			check(operands{n, 0, 0, at, 0})
			check(operands{n, at, at, at, 'a'})
		}
		check(operands{4097 * width, 0, 0, 0, 'b'})
		if op == schedule.Sum { // two calls into assembly, the same way for all
			check(operands{piece + 77*width, random.IntN(64), random.IntN(64), random.IntN(64), 'a'})
		}
	})
}

// Every 16-bit float meets partners of all kinds.
func TestReduceOfAll16BitValuesEqualsTheReference(t *testing.T) {
	const values = 1 << 16
	for _, dtype := range []schedule.DType{schedule.Float16, schedule.BFloat16} {
		partners := specials(dtype)
		random := rand.New(rand.NewPCG(3, 4))
		for range 32 {
			partners = append(partners, random.Uint64N(values))
		}
		if raceEnabled { // only the plain way is left to test, and it is 20 times slower
			random.Shuffle(len(partners), func(i, j int) { partners[i], partners[j] = partners[j], partners[i] })
			partners = partners[:4]
		}
		a, b, want, got := make([]byte, 2*values), make([]byte, 2*values), make([]byte, 2*values), make([]byte, 2*values)
		for _, op := range []schedule.ReduceOp{schedule.Sum, schedule.Prod, schedule.Min, schedule.Max} {
			combine := reference(t, dtype, op)
			all := ways(t, dtype, op)
			for _, partner := range partners {
				for v := range values {
					put(a[2*v:], uint64(v), 2)
					put(b[2*v:], partner, 2)
				}
				copy(want, a)
				combine(want, b)
				for _, way := range all {
					clear(got)
					way.reduce(got, a, b)
					if i := differs(dtype, got, want); i >= 0 {
						t.Fatalf("%s of %s by %s: %x and %x give %x, want %x", op, dtype, way.name, a[i:i+2], b[i:i+2], got[i:i+2], want[i:i+2])
					}
				}
			}
		}
	}
}

func TestReducePropertyOverOperands(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		dtype := rapid.SampledFrom(schedule.DTypes()).Draw(r, "type")
		op := rapid.SampledFrom(schedule.ReduceOps()).Draw(r, "op")
		o := operands{
			bytes: rapid.IntRange(0, 5000).Draw(r, "bytes"),
			atDst: rapid.IntRange(0, 63).Draw(r, "dst"),
			atA:   rapid.IntRange(0, 63).Draw(r, "a"),
			atB:   rapid.IntRange(0, 63).Draw(r, "b"),
			alias: rapid.SampledFrom([]byte{0, 'a', 'b'}).Draw(r, "alias"),
		}
		seed := rapid.Uint64().Draw(r, "seed")
		chosen, err := NewReduce(dtype, op)
		if err != nil {
			r.Fatal(err)
		}
		for _, way := range append(ways(t, dtype, op), named{"chosen", chosen}) {
			if err := o.check(way, reference(t, dtype, op), dtype, rand.New(rand.NewPCG(seed, 0))); err != nil {
				r.Fatalf("%s of %s by %s: %v", op, dtype, way.name, err)
			}
		}
	})
}

func TestReduceAllocatesNothing(t *testing.T) {
	eachWay(t, func(t *testing.T, dtype schedule.DType, _ schedule.ReduceOp, way named) {
		dst, a, b := newRoom(1000, 1), newRoom(1000, 2), newRoom(1000, 3)
		odd := testing.AllocsPerRun(10, func() { way.reduce(dst.inner, a.inner, b.inner) })
		even := testing.AllocsPerRun(10, func() { way.reduce(dst.inner[63:], a.inner[62:999], b.inner[61:998]) })
		if odd+even != 0 {
			t.Errorf("%s allocates %v times misaligned, %v aligned", dtype, odd, even)
		}
	})
}

func TestReduceRefusesUnequalLengths(t *testing.T) {
	eachWay(t, func(t *testing.T, _ schedule.DType, _ schedule.ReduceOp, way named) {
		for _, n := range [][3]int{{8, 16, 16}, {16, 8, 16}, {16, 16, 8}, {0, 0, 8}, {128, 64, 128}} {
			func() {
				defer func() {
					if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "equally long") {
						t.Errorf("lengths %v: recovered %v", n, r)
					}
				}()
				way.reduce(make([]byte, n[0]), make([]byte, n[1], 256), make([]byte, n[2], 256))
			}()
		}
	})
}

func TestUnknownReductionsAreRefused(t *testing.T) {
	for _, c := range []struct {
		dtype schedule.DType
		op    schedule.ReduceOp
	}{{"float8", schedule.Sum}, {schedule.Float32, "xor"}, {"", ""}} {
		if r, err := NewReduce(c.dtype, c.op); err == nil || r != nil {
			t.Errorf("%q of %q has a kernel", c.op, c.dtype)
		}
	}
}
