package views

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// surroundings are the components that the gallery does not show as parts:
// what stands around a page or holds the whole of one, and the gallery's own.
var surroundings = regexp.MustCompile(`Page$|^gallery|^(layout|appbar|sample|raceForm|raceChoice)$`)

// Whoever builds a page finds every part in the gallery, and every name that
// the gallery gives is that of a function.
func TestGalleryNamesEveryPart(t *testing.T) {
	components := declared(t, "*.templ", `(?m)^templ (\w+)\(`)
	drawings := declared(t, filepath.Join("draw", "*.go"), `(?m)^func \(\w* ?(\w+)\) (?:SVG|Write)\(`)
	files, err := filepath.Glob("gallery*.templ")
	if err != nil {
		t.Fatal(err)
	}
	var gallery []byte
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		gallery = append(gallery, content...)
	}
	named := map[string]bool{}
	for _, m := range regexp.MustCompile(`\b(views|draw)\.(\w+)`).FindAllStringSubmatch(string(gallery), -1) {
		named[m[1]+"."+m[2]] = true
	}
	for _, name := range components {
		if !surroundings.MatchString(name) && !named["views."+name] {
			t.Errorf("the gallery does not show %s", name)
		}
		delete(named, "views."+name)
	}
	for _, name := range drawings {
		if !named["draw."+name] && name != "Picture" && name != "Rounds" { // these stand alone in files
			t.Errorf("the gallery does not show draw.%s", name)
		}
		delete(named, "draw."+name)
	}
	for _, function := range declared(t, filepath.Join("draw", "*.go"), `(?m)^func (\w+)\(`) {
		delete(named, "draw."+function)
	}
	for name := range named {
		t.Errorf("the gallery names %s, which is not there", name)
	}
}

// declared lists what a pattern finds in files, without tests and generated
// files.
func declared(t *testing.T, files, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(files)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_templ.go") {
			continue
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(string(content), -1) {
			all = append(all, m[1])
		}
	}
	if len(all) == 0 {
		t.Fatalf("%s: nothing found", files)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
