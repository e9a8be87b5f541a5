package present

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/cluster/inventory"
	"lockstep/web/account"
)

// TestEveryReasonIsSaidInBothLanguages holds the causes of the sources against
// those that have words.
func TestEveryReasonIsSaidInBothLanguages(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "cluster", "inventory", "reason.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	causes := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) == 0 {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); !ok || name.Name != "Cause" {
			return true
		}
		causes++
		text, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if len(reasonForms[inventory.Cause(text)]) == 0 {
			t.Errorf("no page has words for %s", text)
		}
		return true
	})
	if causes == 0 || causes != len(reasonForms) {
		t.Errorf("%d causes in the source, %d with words", causes, len(reasonForms))
	}
	english := regexp.MustCompile(`[A-Za-z]+ [a-z]+ [a-z]+`)
	for cause, forms := range reasonForms {
		for _, form := range forms {
			values := map[string]string{}
			for _, name := range form.values {
				values[name] = "<" + name + ">"
			}
			for lang, f := range frames(t) {
				text, told := reason(f.Locale, string(cause), values)
				if !told || text == "" || strings.HasPrefix(text, "nodes.") || lang == "zh" && english.MatchString(text) {
					t.Errorf("%s in %s: %q", cause, lang, text)
				}
				for _, value := range values {
					if !strings.Contains(text, value) {
						t.Errorf("%s in %s leaves %s out: %s", cause, lang, value, text)
					}
				}
			}
		}
	}
	if text, told := reason(frames(t)["zh"].Locale, "over-ranks", map[string]string{"most": "4"}); told {
		t.Errorf("a reason that lacks a value: %q", text)
	}
}

func TestRefusalsOfNodesAreSaidInTheVisitorsLanguage(t *testing.T) {
	for lang, f := range frames(t) {
		for why, message := range auditReasons {
			row := auditRow(f.Locale, account.AuditEntry{Action: account.JoinNode, Outcome: account.Refused, Detail: "in English", Said: map[string]string{"why": why}})
			if row.Detail == "in English" || row.Detail == "" || row.Detail == message {
				t.Errorf("%s in %s: %q", why, lang, row.Detail)
			}
		}
		row := auditRow(f.Locale, account.AuditEntry{Detail: "of a later version", Said: map[string]string{"why": "unheard-of"}})
		if row.Detail != "of a later version" {
			t.Errorf("%q", row.Detail)
		}
	}
}

func TestFaultsOfLinksAreSaidInTheVisitorsLanguage(t *testing.T) {
	zh := frames(t)["zh"].Locale
	known := inventory.Link{Fault: "node b: reach 192.0.2.7:1: no answer within 5s", Cause: inventory.NoAnswer,
		Values: map[string]string{"node": "b", "address": "192.0.2.7:1", "after": "5s"}}
	if got, want := linkFault(zh, known), "b：192.0.2.7:1 在 5s 内没有应答。"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := linkFault(zh, inventory.Link{Fault: "as it was said"}); got != "as it was said" {
		t.Errorf("%q", got)
	}
}
