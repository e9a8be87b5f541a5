package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// accepts is what the commands of a type take.
type accepts struct{ flags, arguments map[string]bool }

// grammarOf lists what every type of command takes, and all flags there are.
func grammarOf(t *testing.T) (by map[string]accepts, all map[string]bool) {
	t.Helper()
	var grammar commands
	built, err := kong.New(&grammar)
	if err != nil {
		t.Fatal(err)
	}
	by, all = map[string]accepts{}, map[string]bool{}
	err = kong.Visit(built.Model, func(node kong.Visitable, next kong.Next) error {
		if at, is := node.(*kong.Node); is {
			takes := accepts{map[string]bool{}, map[string]bool{}}
			for _, group := range at.AllFlags(false) {
				for _, flag := range group {
					takes.flags[flag.Name], all[flag.Name] = true, true
				}
			}
			for _, positional := range at.Positional {
				takes.arguments[positional.Name] = true
			}
			target := at.Target
			if target.Kind() == reflect.Pointer {
				target = target.Elem()
			}
			by[target.Type().Name()] = takes
		}
		return next(nil)
	})
	if err != nil {
		t.Fatal(err)
	}
	return by, all
}

var flagWord = regexp.MustCompile(`--([a-z][a-z-]*)`)

// TestErrorsNameFlagsThatExist holds every flag and argument that the sources
// name in an error against those that there are: of the command itself where the
// error is made in one of its methods.
func TestErrorsNameFlagsThatExist(t *testing.T) {
	by, all := grammarOf(t)
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, source, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, declared := range parsed.Decls {
			function, is := declared.(*ast.FuncDecl)
			if !is {
				continue
			}
			own, command := by[receiver(function)]
			ast.Inspect(function, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				name, of := calledWith(call)
				switch name {
				case "usage":
					named++
					if !all[of] || command && !own.flags[of] {
						t.Errorf("%s: an error names --%s, which is no flag there", set.Position(call.Pos()), of)
					}
				case "argument":
					named++
					if command && !own.arguments[of] {
						t.Errorf("%s: an error names <%s>, which is no argument there", set.Position(call.Pos()), of)
					}
				case "New", "Errorf":
					for _, m := range flagWord.FindAllStringSubmatch(of, -1) {
						if !all[m[1]] && m[1] != "help" {
							t.Errorf("%s: an error names --%s, which no command has", set.Position(call.Pos()), m[1])
						}
					}
				}
				return true
			})
		}
	}
	if named < 50 {
		t.Errorf("only %d errors name what they are about", named)
	}
}

// receiver is the type that a method belongs to; empty for a function.
func receiver(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) != 1 {
		return ""
	}
	of := f.Recv.List[0].Type
	if star, is := of.(*ast.StarExpr); is {
		of = star.X
	}
	if name, is := of.(*ast.Ident); is {
		return name.Name
	}
	return ""
}

// calledWith is the name of what is called, and its first argument where that is
// a text.
func calledWith(call *ast.CallExpr) (name, first string) {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		name = f.Name
	case *ast.SelectorExpr:
		name = f.Sel.Name
	}
	if len(call.Args) > 0 {
		if text, is := call.Args[0].(*ast.BasicLit); is && text.Kind == token.STRING {
			first, _ = strconv.Unquote(text.Value)
		}
	}
	if first == "" && (name == "usage" || name == "argument") {
		name = ""
	}
	return name, first
}
