package schedule

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"math"
	"math/big"
)

// Exact computes the expression without rounding, so that a figure made from
// it is rounded once, at the very end: nine tenths of 1.2 GB are 1.08 GB to
// the last digit. log2 is exact for powers of two, else the nearest float64.
// A name missing from vars, a value that is not finite and a division by zero
// are errors.
func (e Expr) Exact(vars Vars) (*big.Rat, error) {
	if e.root == nil {
		return nil, errors.New("evaluate an empty closed form")
	}
	v, err := exact(e.root, vars)
	if err != nil {
		return nil, fmt.Errorf("evaluate %q: %w", e.text, err)
	}
	return v, nil
}

func exact(node ast.Expr, vars Vars) (*big.Rat, error) {
	switch node := node.(type) {
	case *ast.BasicLit:
		if v, ok := new(big.Rat).SetString(node.Value); ok {
			return v, nil
		}
		return nil, fmt.Errorf("%s is no number", node.Value)
	case *ast.Ident:
		v, ok := vars[node.Name]
		if !ok {
			return nil, fmt.Errorf("no value for %s", node.Name)
		}
		return finite(v)
	case *ast.ParenExpr:
		return exact(node.X, vars)
	case *ast.BinaryExpr:
		x, err := exact(node.X, vars)
		if err != nil {
			return nil, err
		}
		y, err := exact(node.Y, vars)
		if err != nil {
			return nil, err
		}
		switch node.Op {
		case token.ADD:
			return x.Add(x, y), nil
		case token.SUB:
			return x.Sub(x, y), nil
		case token.MUL:
			return x.Mul(x, y), nil
		case token.QUO:
			if y.Sign() == 0 {
				return nil, errors.New("division by zero")
			}
			return x.Quo(x, y), nil
		}
		return nil, fmt.Errorf("unknown operator %s", node.Op)
	case *ast.CallExpr:
		return exactCall(node, vars)
	}
	return nil, fmt.Errorf("unknown form %T", node)
}

func exactCall(node *ast.CallExpr, vars Vars) (*big.Rat, error) {
	fn, ok := node.Fun.(*ast.Ident)
	if !ok {
		return nil, errors.New("unknown function")
	}
	args := make([]*big.Rat, len(node.Args))
	for i, arg := range node.Args {
		v, err := exact(arg, vars)
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	switch {
	case fn.Name == "floor" && len(args) == 1:
		return floor(args[0]), nil
	case fn.Name == "ceil" && len(args) == 1:
		down := floor(args[0].Neg(args[0]))
		return down.Neg(down), nil
	case fn.Name == "log2" && len(args) == 1:
		f, _ := args[0].Float64()
		return finite(math.Log2(f))
	case fn.Name == "min" && len(args) == 2:
		if args[1].Cmp(args[0]) < 0 {
			return args[1], nil
		}
		return args[0], nil
	case fn.Name == "max" && len(args) == 2:
		if args[1].Cmp(args[0]) > 0 {
			return args[1], nil
		}
		return args[0], nil
	}
	return nil, fmt.Errorf("unknown function %s with %d arguments", fn.Name, len(args))
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
