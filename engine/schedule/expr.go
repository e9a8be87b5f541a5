package schedule

import (
	"fmt"
	"math/big"
)

// Vars are the values an Expr is evaluated with: n ranks, k chunks of the
// vector or block, G ranks per node, S bytes. p, the largest power of two that
// is not above n, follows from n and need not be given.
type Vars map[string]float64

// Expr is a closed form: one text that is both printed and evaluated, so that
// what a page shows is what was computed.
//
// The grammar is a part of Python's, so that other programs can evaluate the
// text as it stands: numbers, names, + - * / ** and %, comparisons, "and",
// "or", "x if condition else y", parentheses, the functions ceil, floor, log2,
// min, max and ones, and sums as "sum(f(x) for x in range(a, b))", over the
// whole numbers from a to b-1. ones(x) is the number of one-bits in all whole
// numbers from 0 to x-1 together.
type Expr struct {
	text string
	root *term
}

// expression parses text and panics when it is malformed: closed forms are
// part of the program.
func expression(text string) Expr {
	root, err := parseExpr(text)
	if err != nil {
		panic(fmt.Sprintf("closed form %q: %v", text, err))
	}
	return Expr{text, root}
}

// String returns the text of the expression.
func (e Expr) String() string { return e.text }

// Loose reports whether the expression needs parentheses before it can be
// multiplied: it is a sum or a condition.
func (e Expr) Loose() bool { return e.root != nil && e.root.binds() < precedence["*"] }

// Eval computes the expression exactly and rounds the result once; see Exact.
func (e Expr) Eval(vars Vars) (float64, error) {
	v, err := e.Exact(vars)
	if err != nil {
		return 0, err
	}
	f, _ := v.Float64()
	return f, nil
}

// term is a node of a parsed expression: a number, a name, or an operator or
// function applied to args.
type term struct {
	number *big.Rat
	name   string // of a variable; or the operator; or the function, when call
	call   bool
	index  string // of a sum: what counts from args[1] to args[2]-1 in args[0]
	args   []*term
}

// binds returns how tightly the node's operator holds its operands together.
func (t *term) binds() int {
	if t.number != nil || t.call || len(t.args) == 0 {
		return precedence["**"] + 1
	}
	return precedence[t.name]
}
