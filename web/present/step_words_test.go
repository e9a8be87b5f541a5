package present

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lockstep/sizing/plan"
)

// literals finds what a pattern captures in a file of the sizing packages.
func literals(t *testing.T, file, pattern string) map[string]bool {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", "sizing", filepath.FromSlash(file)))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(source), -1) {
		found[m[1]] = true
	}
	if len(found) == 0 {
		t.Fatalf("%s: %s finds nothing", file, pattern)
	}
	return found
}

// Whatever an estimate can say has words of its own.
func TestStepsHaveWords(t *testing.T) {
	purposes := literals(t, "train/exchange.go", `(?:Purpose: |data\()"([a-z]+)"`)
	for purpose := range purposes {
		if stepPurposes[purpose] == "" {
			t.Errorf("purpose %s has no words", purpose)
		}
	}
	for term := range literals(t, "train/physics.go", `\n\t\t\{"([a-z]+)", `) {
		if stepTermNames[term] == "" || stepFormulas[term] == "" {
			t.Errorf("term %s has no words", term)
		}
	}
	for bottleneck := range literals(t, "plan/estimate.go", `\{"([a-z]+)", b\.`) {
		if stepParts[bottleneck] == "" {
			t.Errorf("bottleneck %s has no words", bottleneck)
		}
	}
	for spans := range literals(t, "plan/estimate.go", `return "(node|rack|cluster)"`) {
		if stepReaches[spans] == "" {
			t.Errorf("span %s has no words", spans)
		}
	}
	codes := literals(t, "plan/notes.go", `(?:advise|assume|warn)\("([a-z-]+)"`)
	delete(codes, "fabric-") // with a purpose behind
	for purpose := range purposes {
		codes["fabric-"+purpose] = true
	}
	for code := range codes {
		if stepNotes[code] == "" {
			t.Errorf("note %s has no words", code)
		}
	}
	for code := range stepNotes {
		if !codes[code] {
			t.Errorf("no estimate says %s", code)
		}
	}
}

func TestStepNotesSayTheirNumbers(t *testing.T) {
	values := map[string]any{
		"needed": 98.7e9, "capacity": 80e9, "share": 0.123, "micro_batches": 16.0, "stages": 8.0, "tp": 16.0, "domain": 8.0,
		"collective": "all-to-all", "sequences": 1024.0, "accelerator": "Chip X", "system": "System Y",
	}
	for lang, f := range frames(t) {
		for code := range stepNotes {
			if text := stepNote(f.Locale, plan.Note{Code: code, Values: values}); strings.Contains(text, "<no value>") || strings.HasPrefix(text, "step.") {
				t.Errorf("%s: %s says %q", lang, code, text)
			}
		}
		if text := stepNote(f.Locale, plan.Note{Code: "does-not-fit", Values: values}); !strings.Contains(text, "98.7 GB") || !strings.Contains(text, "80 GB") {
			t.Errorf("%s: %q", lang, text)
		}
		if text := stepNote(f.Locale, plan.Note{Code: "of-tomorrow", Message: "Later."}); text != "Later." {
			t.Errorf("%s: an unknown note says %q", lang, text)
		}
	}
}
