package present

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine/trace"
	"lockstep/views/locale"
)

// examples are warnings, one for each form of each code, as sizing, cluster,
// engine and store make them; the tests there hold the names of the values.
func examples() (all []trace.Warning) {
	figures := trace.Values{
		"algorithm": "ring", "latency": "12.5 us", "bandwidth": "1.5 GB/s", "runs": "12", "percent": "7", "ranks": "4",
		"least": "4 KiB", "most": "64 MiB", "sizes": "1", "needed": "3", "rank": "2", "seconds": "3", "own": "98", "others": "1", "reason": "disk I/O error",
		"made": "2026-12-01 14:03 UTC", "link": "tcp", "low": "1.2 ms", "high": "1.6 ms",
	}
	for code, forms := range runDoubts {
		for _, form := range forms {
			w := trace.Warning{Code: code, Message: "the words of the program", Values: trace.Values{}}
			if form.why != "" {
				w.Values["why"] = form.why
			}
			for _, name := range form.values {
				w.Values[name] = figures[name]
			}
			all = append(all, w)
		}
	}
	return all
}

// english are words that no Chinese sentence about a run has; a system's own
// error, which is quoted, aside.
var english = regexp.MustCompile(`\b(the|of|is|are|with|runs?|predicted|and|fitted|earlier|prediction)\b`)

// quoted are a command and errors of the system.
var quoted = strings.NewReplacer("console run show --json", "", "unexpected end of JSON input", "")

func TestEveryDoubtIsSaidInBothLanguages(t *testing.T) {
	zh, en := frames(t)["zh"].Locale, frames(t)["en"].Locale
	said := map[string]bool{}
	seen := map[string]bool{}
	for _, w := range examples() {
		seen[w.Code] = true
		for _, l := range []locale.Locale{zh, en} {
			text := doubt(l, w)
			if text == "" || strings.HasPrefix(text, "run.") || strings.Contains(text, "<no value>") || strings.Contains(text, w.Message) {
				t.Errorf("%s in %s: %q", w.Code, l.Lang(), text)
			}
			if l.Lang() == locale.Chinese && english.MatchString(quoted.Replace(text)) {
				t.Errorf("%s is English on a Chinese page: %s", w.Code, text)
			}
			if said[text] {
				t.Errorf("%s says the same as another: %s", w.Code, text)
			}
			said[text] = true
			for name, value := range w.Values {
				if name != "why" && name != "algorithm" && !strings.Contains(text, micro(value)) {
					t.Errorf("%s in %s does not say %s %s: %s", w.Code, l.Lang(), name, value, text)
				}
			}
		}
	}
	for code := range runDoubts {
		if !seen[code] {
			t.Errorf("%s has no example", code)
		}
		// What a later version words otherwise is still said in Chinese.
		if text := doubt(zh, trace.Warning{Code: code, Message: "something else of the program"}); english.MatchString(quoted.Replace(text)) {
			t.Errorf("%s in other words: %s", code, text)
		}
	}
	if text := doubt(zh, trace.Warning{Code: "of-tomorrow", Message: "the words of tomorrow"}); !strings.Contains(text, "run show") {
		t.Errorf("an unknown code: %s", text)
	}
}

// TestEveryCodeOfTheProgramIsKnown looks for the codes in the sources.
func TestEveryCodeOfTheProgramIsKnown(t *testing.T) {
	codes := map[string]string{}
	root := filepath.Join("..", "..")
	for _, dir := range []string{"engine", "cluster", "sizing", "store", "cmd", "web"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			for _, code := range warningCodes(file) {
				codes[code] = path
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(codes) < 6 {
		t.Fatalf("found no more than %v", codes)
	}
	for code, path := range codes {
		_, ofLogs := logNotes[code]
		if _, ofSizes := sizeWarnings[code]; runDoubts[code] == nil && !ofLogs && !ofSizes {
			t.Errorf("%s warns of %q, which pages have no words for", path, code)
		}
	}
}

// warningCodes returns the codes of the literals of trace.Warning in a file.
func warningCodes(file *ast.File) (codes []string) {
	warning := func(e ast.Expr) bool {
		s, ok := e.(*ast.SelectorExpr)
		return ok && s.Sel.Name == "Warning"
	}
	var look func(n ast.Node, inside bool)
	look = func(n ast.Node, inside bool) {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return
		}
		slice, isSlice := lit.Type.(*ast.ArrayType)
		of := inside && lit.Type == nil || lit.Type != nil && warning(lit.Type)
		for _, e := range lit.Elts {
			if isSlice && warning(slice.Elt) {
				look(e, true)
			}
			kv, ok := e.(*ast.KeyValueExpr)
			if !ok || !of {
				continue
			}
			if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Code" {
				if value, ok := kv.Value.(*ast.BasicLit); ok {
					if code, err := strconv.Unquote(value.Value); err == nil {
						codes = append(codes, code)
					}
				}
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if n != nil {
			look(n, false)
		}
		return true
	})
	return codes
}

// TestEveryFailureIsRecordedInBothLanguages holds the kinds of the sources
// against those that have words, and the words against English.
func TestEveryFailureIsRecordedInBothLanguages(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "engine", "trace", "outcome.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	kinds := 0
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) == 0 {
			return true
		}
		if name, ok := spec.Type.(*ast.Ident); !ok || name.Name != "FailureKind" {
			return true
		}
		kinds++
		text, _ := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if kind := trace.FailureKind(text); records[kind][0] == "" || verdicts[kind][0] == "" {
			t.Errorf("no page has words for %s", kind)
		}
		return true
	})
	if kinds != len(records) {
		t.Errorf("%d kinds in the source, %d with words", kinds, len(records))
	}
	rank := 2
	for _, f := range []trace.Failure{
		{Kind: trace.ProcessDied, Step: 5, Message: "rank 2's process died", Values: trace.Values{"how": "signal: killed"}},
		{Kind: trace.ProcessDied, Step: -1, Message: "rank 2's process died", Values: trace.Values{"how": "signal: killed"}},
		{Kind: trace.ProcessFrozen, Step: 5, Message: "rank 2's process is alive but has been silent for 2.1 s: it is frozen in round 4"},
		{Kind: trace.ProcessFrozen, Step: -1, Message: "rank 2's process is alive but has been silent for 2.1 s: it is frozen"},
		{Kind: trace.LinkStalled, Step: 5, Message: "every process is alive, but nothing has moved for 3.0 s"},
		{Kind: trace.LinkStalled, Step: -1, Message: "every process is alive, but nothing has moved for 3.0 s"},
		{Kind: trace.WrongResult, Step: -1, Message: "rank 2 ends with a wrong result", Values: trace.Values{"element": "7", "got": "3.5", "want": "4"}},
		{Kind: trace.StartFailed, Step: -1, Message: "rank 2 could not be started: exec: no such file"},
		{Kind: trace.AgentLost, Step: 5, Message: "node b was lost: its connection ended"},
		{Kind: trace.AgentLost, Step: -1, Message: "node b was lost: its connection ended"},
		{Kind: trace.AgentLost, Step: 5, Message: "node b was lost: its connection ended", Values: trace.Values{"why": "ended"}},
		{Kind: trace.AgentLost, Step: 5, Message: "node b was lost: what a later version says", Values: trace.Values{"why": "unheard-of"}},
		{Kind: trace.StartFailed, Step: -1, Message: "node b: 8 ranks, and no more than 4", Values: trace.Values{"why": "over-ranks", "asked": "8", "most": "4"}},
		{Kind: trace.NodeLimit, Step: 5, Message: "node b ended the run", Values: trace.Values{"why": "over-seconds", "most": "30 s"}},
		{Kind: trace.NodeLimit, Step: -1, Message: "node b ended the run", Values: trace.Values{"why": "over-seconds", "most": "30 s"}},
		{Kind: trace.Unreachable, Step: -1, Message: "rank 2 on a cannot reach rank 5 on b"},
		{Kind: trace.ConsoleStopped, Step: -1, Message: "console stopped", Values: trace.Values{"why": "queued"}},
		{Kind: trace.Internal, Step: -1, Message: "rank 2 does not take its orders"},
	} {
		w := watchedRun(t, build(t, "ring", 4), trace.Failed)
		f.Culprit.Rank, f.DetectedAfter = &rank, 2.1
		w.Run.Failure = &f
		for lang, frame := range frames(t) {
			s := &sight{Frame: frame, Watched: w}
			seen := s.record()
			if seen.What == "" || strings.HasPrefix(seen.What, "run.") || strings.Contains(seen.What, "no value") {
				t.Errorf("%s in %s: %q", f.Kind, lang, seen.What)
			}
			if lang == "zh" && english.MatchString(seen.What) {
				t.Errorf("%s is English on a Chinese page: %s", f.Kind, seen.What)
			}
			_, told := reason(frame.Locale, f.Values["why"], f.Values)
			if literal := verbatim[f.Kind] && !told || f.Kind == trace.Internal; (seen.Verbatim != "") != literal {
				t.Errorf("%s: own words %q", f.Kind, seen.Verbatim)
			}
			if most := f.Values["most"]; !strings.Contains(seen.What, most) {
				t.Errorf("the limit %q is not passed on: %s", most, seen.What)
			}
			if how := f.Values["how"]; !strings.Contains(seen.What, how) {
				t.Errorf("the system's word %q is not passed on: %s", how, seen.What)
			}
			if f.Kind == trace.WrongResult && (!strings.Contains(seen.What, "3.5") || !strings.Contains(seen.What, "7")) {
				t.Errorf("the element is not named: %s", seen.What)
			}
		}
	}
}
