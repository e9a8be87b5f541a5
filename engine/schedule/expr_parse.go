package schedule

import (
	"errors"
	"fmt"
	"math/big"
	"strings"
)

// precedence of the operators, as in Python; "if" is the conditional.
var precedence = map[string]int{
	"if": 1, "or": 2, "and": 3,
	"<": 4, "<=": 4, ">": 4, ">=": 4, "==": 4, "!=": 4,
	"+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "**": 8,
}

// parseExpr reads the whole of text.
func parseExpr(text string) (*term, error) {
	p := exprParser{rest: text}
	p.next()
	t, err := p.expr(0)
	if err != nil {
		return nil, err
	}
	if p.token != "" {
		return nil, fmt.Errorf("%q follows a complete expression", p.token)
	}
	return t, nil
}

// exprParser climbs precedences over one token of look-ahead.
type exprParser struct {
	rest  string
	token string // the current one, empty at the end
}

func (p *exprParser) next() {
	p.rest = strings.TrimLeft(p.rest, " ")
	length := 0
	switch {
	case p.rest == "":
	case letter(p.rest[0]) || digit(p.rest[0]):
		for length < len(p.rest) && (letter(p.rest[length]) || digit(p.rest[length]) || p.rest[length] == '.') {
			length++
		}
	case len(p.rest) > 1 && (p.rest[:2] == "**" || p.rest[1] == '=' && strings.ContainsRune("<>=!", rune(p.rest[0]))):
		length = 2
	default:
		length = 1
	}
	p.token, p.rest = p.rest[:length], p.rest[length:]
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
func digit(c byte) bool  { return c >= '0' && c <= '9' }

// expr reads operators that bind at least as tightly as least.
func (p *exprParser) expr(least int) (*term, error) {
	left, err := p.operand()
	if err != nil {
		return nil, err
	}
	for {
		op := p.token
		level, known := precedence[op]
		if !known || level < least || level == 0 {
			return left, nil
		}
		p.next()
		switch op {
		case "if":
			condition, err := p.expr(level + 1)
			if err != nil {
				return nil, err
			}
			if p.token != "else" {
				return nil, errors.New("an if without its else")
			}
			p.next()
			other, err := p.expr(level)
			if err != nil {
				return nil, err
			}
			left = &term{name: op, args: []*term{condition, left, other}}
		case "**": // the only one that groups to the right
			right, err := p.expr(level)
			if err != nil {
				return nil, err
			}
			left = &term{name: op, args: []*term{left, right}}
		default:
			right, err := p.expr(level + 1)
			if err != nil {
				return nil, err
			}
			left = &term{name: op, args: []*term{left, right}}
		}
	}
}

func (p *exprParser) operand() (*term, error) {
	token := p.token
	switch {
	case token == "":
		return nil, errors.New("the expression ends early")
	case digit(token[0]):
		number, ok := new(big.Rat).SetString(token)
		if !ok {
			return nil, fmt.Errorf("%s is no number", token)
		}
		p.next()
		return &term{number: number}, nil
	case token == "(":
		p.next()
		inner, err := p.expr(0)
		if err != nil {
			return nil, err
		}
		return inner, p.expect(")")
	case letter(token[0]) && precedence[token] == 0 && token != "else":
		p.next()
		if p.token != "(" {
			return &term{name: token}, nil
		}
		call := &term{name: token, call: true}
		for first := true; first || p.token == ","; first = false {
			p.next()
			arg, err := p.expr(0)
			if err != nil {
				return nil, err
			}
			call.args = append(call.args, arg)
			if p.token == "for" {
				return call, p.index(call)
			}
		}
		return call, p.expect(")")
	}
	return nil, fmt.Errorf("%q is no number, name or parenthesis", token)
}

// index reads what follows the summand of a sum, to its closing parenthesis.
func (p *exprParser) index(sum *term) error {
	p.next()
	if sum.index = p.token; sum.name != "sum" || len(sum.args) > 1 || sum.index == "" || !letter(sum.index[0]) {
		return fmt.Errorf("%s(… for %s; accepted: sum(… for a name", sum.name, sum.index)
	}
	for _, token := range []string{sum.index, "in", "range", "("} {
		if err := p.expect(token); err != nil {
			return err
		}
	}
	for _, token := range []string{",", ")"} {
		bound, err := p.expr(0)
		if err != nil {
			return err
		}
		sum.args = append(sum.args, bound)
		if err := p.expect(token); err != nil {
			return err
		}
	}
	return p.expect(")")
}

func (p *exprParser) expect(token string) error {
	if p.token != token {
		return fmt.Errorf("%q where %q belongs", p.token, token)
	}
	p.next()
	return nil
}
