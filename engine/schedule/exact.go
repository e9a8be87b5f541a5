package schedule

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"math/bits"
)

// Exact computes the expression without rounding, so that a figure made from
// it is rounded once, at the very end: nine tenths of 1.2 GB are 1.08 GB to
// the last digit. log2 is exact for powers of two, else the nearest float64.
// A name missing from vars, a value that is not finite and a division by zero
// are errors; the branch that a condition does not take is not evaluated.
func (e Expr) Exact(vars Vars) (*big.Rat, error) {
	if e.root == nil {
		return nil, errors.New("evaluate an empty closed form")
	}
	v, err := e.root.exact(vars)
	if err != nil {
		return nil, fmt.Errorf("evaluate %q: %w", e.text, err)
	}
	return v, nil
}

// exact returns a number of its own, which the caller may change.
func (t *term) exact(vars Vars) (*big.Rat, error) {
	switch {
	case t.number != nil:
		return new(big.Rat).Set(t.number), nil
	case len(t.args) == 0:
		return variable(t.name, vars)
	case t.name == "if" && !t.call:
		condition, err := t.args[0].exact(vars)
		if err != nil {
			return nil, err
		}
		if condition.Sign() != 0 {
			return t.args[1].exact(vars)
		}
		return t.args[2].exact(vars)
	}
	if t.index != "" {
		return t.sum(vars)
	}
	args := make([]*big.Rat, len(t.args))
	for i, arg := range t.args {
		v, err := arg.exact(vars)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	if t.call {
		return apply(t.name, args)
	}
	return operate(t.name, args[0], args[1])
}

// sum adds up args[0] over the whole numbers from args[1] to args[2]-1.
func (t *term) sum(vars Vars) (*big.Rat, error) {
	var bounds [2]int64
	for i := range bounds {
		v, err := t.args[i+1].exact(vars)
		if err != nil {
			return nil, err
		}
		if !v.IsInt() || !v.Num().IsInt64() {
			return nil, fmt.Errorf("the bound %s of a sum; accepted: whole numbers", v.RatString())
		}
		bounds[i] = v.Num().Int64()
	}
	if most := int64(1 << 12); bounds[0] < -most || bounds[1] > most {
		return nil, fmt.Errorf("a sum from %d to %d; accepted: between %d and %d", bounds[0], bounds[1], -most, most)
	}
	inner, total := maps.Clone(vars), new(big.Rat)
	for x := bounds[0]; x < bounds[1]; x++ {
		inner[t.index] = float64(x)
		v, err := t.args[0].exact(inner)
		if err != nil {
			return nil, err
		}
		total.Add(total, v)
	}
	return total, nil
}

func variable(name string, vars Vars) (*big.Rat, error) {
	v, ok := vars[name]
	if n, given := vars["n"]; !ok && name == "p" && given && n >= 1 && n < 1<<53 {
		return new(big.Rat).SetUint64(1 << (bits.Len64(uint64(n)) - 1)), nil
	}
	if !ok {
		return nil, fmt.Errorf("no value for %s", name)
	}
	return finite(v)
}

// operate combines x and y; it may change x. Conditions are 1 or 0.
func operate(op string, x, y *big.Rat) (*big.Rat, error) {
	order := x.Cmp(y)
	switch op {
	case "+":
		return x.Add(x, y), nil
	case "-":
		return x.Sub(x, y), nil
	case "*":
		return x.Mul(x, y), nil
	case "/":
		if y.Sign() == 0 {
			return nil, errors.New("division by zero")
		}
		return x.Quo(x, y), nil
	case "%":
		if y.Sign() <= 0 {
			return nil, errors.New("remainder of a division by zero or less")
		}
		times := floor(new(big.Rat).Quo(x, y))
		return x.Sub(x, times.Mul(times, y)), nil
	case "**":
		return power(x, y)
	case "<":
		return truth(order < 0), nil
	case "<=":
		return truth(order <= 0), nil
	case ">":
		return truth(order > 0), nil
	case ">=":
		return truth(order >= 0), nil
	case "==":
		return truth(order == 0), nil
	case "!=":
		return truth(order != 0), nil
	case "and":
		return truth(x.Sign() != 0 && y.Sign() != 0), nil
	case "or":
		return truth(x.Sign() != 0 || y.Sign() != 0), nil
	}
	return nil, fmt.Errorf("unknown operator %s", op)
}

func truth(holds bool) *big.Rat {
	if holds {
		return big.NewRat(1, 1)
	}
	return new(big.Rat)
}

// power takes whole exponents that keep the result printable.
func power(x, y *big.Rat) (*big.Rat, error) {
	const most = 1 << 10
	if !y.IsInt() || !y.Num().IsInt64() || y.Num().Int64() > most || y.Num().Int64() < -most {
		return nil, fmt.Errorf("the exponent %s; accepted: whole numbers to %d", y.RatString(), most)
	}
	if y.Sign() < 0 && x.Sign() == 0 {
		return nil, errors.New("division by zero")
	}
	exponent := new(big.Int).Abs(y.Num())
	v := new(big.Rat).SetFrac(new(big.Int).Exp(x.Num(), exponent, nil), new(big.Int).Exp(x.Denom(), exponent, nil))
	if y.Sign() < 0 {
		v.Inv(v)
	}
	return v, nil
}

func apply(function string, args []*big.Rat) (*big.Rat, error) {
	first := args[0]
	switch {
	case function == "floor" && len(args) == 1:
		return floor(first), nil
	case function == "ceil" && len(args) == 1:
		down := floor(first.Neg(first))
		return down.Neg(down), nil
	case function == "log2" && len(args) == 1:
		f, _ := first.Float64()
		return finite(math.Log2(f))
	case function == "ones" && len(args) == 1:
		return oneBits(first)
	case function == "min" && len(args) > 1:
		for _, v := range args[1:] {
			if v.Cmp(first) < 0 {
				first = v
			}
		}
		return first, nil
	case function == "max" && len(args) > 1:
		for _, v := range args[1:] {
			if v.Cmp(first) > 0 {
				first = v
			}
		}
		return first, nil
	}
	return nil, fmt.Errorf("unknown function %s with %d arguments", function, len(args))
}

// oneBits counts the one-bits of 0..v-1.
func oneBits(v *big.Rat) (*big.Rat, error) {
	if !v.IsInt() || v.Sign() < 0 || v.Cmp(big.NewRat(1<<20, 1)) > 0 {
		return nil, fmt.Errorf("ones(%s); accepted: whole numbers to %d", v.RatString(), 1<<20)
	}
	total := 0
	for i := range uint(v.Num().Int64()) {
		total += bits.OnesCount(i)
	}
	return new(big.Rat).SetInt64(int64(total)), nil
}

// floor rounds towards minus infinity: Euclidean division does, as the
// denominator of a Rat is positive.
func floor(v *big.Rat) *big.Rat {
	return new(big.Rat).SetInt(new(big.Int).Div(v.Num(), v.Denom()))
}

func finite(v float64) (*big.Rat, error) {
	if r := new(big.Rat).SetFloat64(v); r != nil {
		return r, nil
	}
	return nil, fmt.Errorf("%v is not finite", v)
}
