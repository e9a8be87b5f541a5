package schedule

import (
	"fmt"
	"go/ast"
	"go/parser"
)

// Vars are the values an Expr is evaluated with: n ranks, k chunks of the
// vector or block, G ranks per node, S bytes, and for times alpha in seconds
// and B in bytes per second.
type Vars map[string]float64

// Expr is a closed form: one text that is both printed and evaluated, so that
// what a page shows is what was computed. The grammar is that of a Go
// expression over numbers, names, + - * /, parentheses and the functions
// ceil, floor, log2, min and max, which Python reads the same way.
type Expr struct {
	text string
	root ast.Expr
}

// expression parses text and panics when it is malformed: closed forms are
// part of the program.
func expression(text string) Expr {
	root, err := parser.ParseExpr(text)
	if err != nil {
		panic(fmt.Sprintf("closed form %q: %v", text, err))
	}
	return Expr{text, root}
}

// String returns the text of the expression.
func (e Expr) String() string { return e.text }

// Eval computes the expression exactly and rounds the result once; see Exact.
func (e Expr) Eval(vars Vars) (float64, error) {
	v, err := e.Exact(vars)
	if err != nil {
		return 0, err
	}
	f, _ := v.Float64()
	return f, nil
}
