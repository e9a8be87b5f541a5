package schedule

import (
	"math"
	"testing"
)

func TestExactIsWhatEvalRounds(t *testing.T) {
	forms := []string{
		"ceil(log2(n))", "floor(log2(n))", "floor(0-n/3)", "min(n-1, 1)", "max(n, 7)", "2*(n-1)/n*S", "(n+k)*1.5/G",
		"2**floor(log2(n))-p", "n%3", "1 if n > 2 and n != 7 else n/2 if n == 1 else 0", "ones(n)-min(n, 4, 2)", "2**3**2-512",
		"sum(min(x, k)-1 for x in range(1, n%9))", "1+sum(x*k for x in range(0-2, G))/k if n < 0 else sum(sum(y for y in range(0, x)) for x in range(0, 5))",
	}
	for _, e := range Catalog() {
		forms = append(forms, e.Rounds.String(), e.Messages.String(), e.Sent.String(), e.Received.String())
		for _, way := range e.Ways() {
			for _, term := range way {
				forms = append(forms, term.Alphas.String(), term.Bytes.String())
			}
		}
	}
	for _, text := range forms {
		e := expression(text)
		for n := 1; n <= MaxRanks; n += 1 + n/16 {
			vars := Vars{"n": float64(n), "k": 4, "G": 8, "S": 1.2e9}
			want, err := e.Eval(vars)
			if err != nil {
				t.Fatal(err)
			}
			exact, err := e.Exact(vars)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := exact.Float64()
			if math.Abs(got-want) > 1e-12*math.Abs(want) {
				t.Fatalf("%s at n = %d: exact %v, rounded %v", text, n, got, want)
			}
		}
	}
}

func TestExactRefuses(t *testing.T) {
	for _, text := range []string{"1/(n-1)", "x", "log2(n-1)", "sqrt(n)", "min(n)", "n%(n-1)", "2**(n/2)", "S*n"} {
		if v, err := expression(text).Exact(Vars{"n": 1, "S": math.Inf(1)}); err == nil {
			t.Errorf("Exact(%q) = %v; want an error", text, v)
		}
	}
	if _, err := (Expr{}).Exact(nil); err == nil {
		t.Error("an empty closed form has a value")
	}
}

func TestExactDoesNotRound(t *testing.T) {
	v, err := expression("(n-1)/n*S").Exact(Vars{"n": 3, "S": 10})
	if err != nil || v.RatString() != "20/3" {
		t.Errorf("two thirds of 10 = %v, %v; want 20/3", v, err)
	}
}

func TestSumsCountUpToTheirEnd(t *testing.T) {
	for text, want := range map[string]float64{
		"sum(x for x in range(1, 5))": 10, "sum(2 for x in range(3, 3))": 0, "sum(x for x in range(3, 1))": 0,
		"2*sum(x*n for x in range(0, n+2))+1": 7, "sum(sum(1 for y in range(0, x)) for x in range(0, 4))": 6,
	} {
		if got, err := expression(text).Eval(Vars{"n": 1}); err != nil || got != want {
			t.Errorf("%s = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"sum(x for x in range(0, 1/2))", "sum(x for x in range(0, 2**20))", "sum(y for x in range(0, 2))", "sum(n)"} {
		if v, err := expression(text).Exact(Vars{"n": 1}); err == nil {
			t.Errorf("Exact(%q) = %v; want an error", text, v)
		}
	}
	for _, text := range []string{"max(x for x in range(0, 2))", "sum(x for 1 in range(0, 2))", "sum(x for x in range(2))", "sum(x, x for x in range(0, 2))", "sum(x for x in n)", "n for x"} {
		if _, err := parseExpr(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestConditionsLeaveTheOtherBranchAlone(t *testing.T) {
	for text, want := range map[string]float64{
		"0 if n < 2 else 1/(n-1)": 0, "ceil(log2(n-1)) if n > 1 else 7": 7, "(1 if n == 1 else 2)*3": 3, "1-1-1": -1, "5 if n else 6": 5,
	} {
		if got, err := expression(text).Eval(Vars{"n": 1}); err != nil || got != want {
			t.Errorf("%s = %v, %v; want %v", text, got, err, want)
		}
	}
	for _, text := range []string{"", "n n", "(n", "min(n", "1 if n", "n else 2", "n+", "1.2.3", "if", "n ! 2"} {
		if _, err := parseExpr(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
