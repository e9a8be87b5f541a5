package schedule

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The page of formulas holds the catalogue's closed forms between two marks;
// -update rewrites what lies between them.
func TestThePageOfFormulasHasTheCatalogue(t *testing.T) {
	const (
		page  = "../../docs/formulas.md"
		begin = "<!-- catalogue: written by go test ./engine/schedule -run PageOfFormulas -update -->\n"
		end   = "<!-- end of catalogue -->\n"
	)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := bytes.Cut(text, []byte(begin))
	got, after, closed := bytes.Cut(rest, []byte(end))
	if !found || !closed || bytes.Contains(after, []byte(begin)) {
		t.Fatalf("%s needs one line %q and one line %q behind it", page, begin, end)
	}
	want := formulaTable()
	if string(got) == want {
		return
	}
	if !*update {
		t.Fatalf("%s (-page +catalogue); rewrite it with -update:\n%s", page, cmp.Diff(string(got), want))
	}
	whole := string(before) + begin + want + end + string(after)
	if err := os.WriteFile(page, []byte(whole), 0o644); err != nil {
		t.Fatal(err)
	}
}

// formulaTable is the catalogue as a table of Markdown: every way of a time on
// a line of its own in the last column, the condition of a rough one below.
func formulaTable() string {
	var b strings.Builder
	b.WriteString("| collective | algorithm | rounds | messages | sent | received | time |\n")
	b.WriteString("| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, e := range Catalog() {
		var ways []string
		for _, way := range e.Ways() {
			var terms []string
			for _, term := range way {
				terms = append(terms, fmt.Sprintf("%s: `%s`·α + `%s`·S/B", term.Phase, term.Alphas, term.Bytes))
			}
			ways = append(ways, strings.Join(terms, "; "))
		}
		if text := e.Rough.String(); text != "" {
			ways = append(ways, fmt.Sprintf("rough if `%s`", text))
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | `%s` | `%s` | `%s` | %s |\n", e.Collective, e.Algorithm,
			e.Rounds, e.Messages, e.Sent, e.Received, strings.Join(ways, "<br>"))
	}
	return b.String()
}
