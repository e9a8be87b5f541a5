package locale

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// texts reads the message files of a language: for each id its forms, which is
// one under "other" unless a language makes a difference.
func texts(t *testing.T, lang string) map[string]map[string]string {
	t.Helper()
	files, err := fs.Glob(messages, "messages/*."+lang+".json")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d message files of %s, %v", len(files), lang, err)
	}
	all := map[string]map[string]string{}
	for _, file := range files {
		content, err := messages.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var raw map[string]any
		if err := json.Unmarshal(content, &raw); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for id, value := range raw {
			if all[id] != nil {
				t.Errorf("%s stands in two files of %s, one of them %s", id, lang, file)
			}
			all[id] = forms(value)
		}
	}
	return all
}

func forms(value any) map[string]string {
	all := map[string]string{}
	switch v := value.(type) {
	case string:
		all["other"] = v
	case map[string]any:
		for form, text := range v {
			all[form] = text.(string)
		}
	}
	return all
}

var placeholder = regexp.MustCompile(`\{\{\.\w+\}\}`)

func TestLanguagesSayTheSame(t *testing.T) {
	zh, en := texts(t, Chinese), texts(t, English)
	if diff := cmp.Diff(slices.Sorted(maps.Keys(zh)), slices.Sorted(maps.Keys(en))); diff != "" {
		t.Errorf("messages (-zh +en):\n%s", diff)
	}
	for id := range zh {
		want := placeholders(zh[id]["other"])
		for lang, forms := range map[string]map[string]string{Chinese: zh[id], English: en[id]} {
			if forms["other"] == "" {
				t.Errorf("%s: %s has no text", lang, id)
			}
			for form, text := range forms {
				if strings.TrimSpace(text) != text || text == "" {
					t.Errorf("%s: %s (%s) is %q", lang, id, form, text)
				}
				if diff := cmp.Diff(want, placeholders(text)); diff != "" {
					t.Errorf("%s: %s (%s) has other placeholders (-zh +%s):\n%s", lang, id, form, lang, diff)
				}
			}
		}
	}
}

func placeholders(text string) []string {
	found := placeholder.FindAllString(text, -1)
	slices.Sort(found)
	return slices.Compact(found)
}

func TestMessagesKeepToTheHouseStyle(t *testing.T) {
	han := `[\p{Han}）」]`
	for lang, wrong := range map[string]map[string]*regexp.Regexp{
		Chinese: {
			"half-width punctuation": regexp.MustCompile(han + `[,;:!?]|[,;:!?(]\p{Han}|` + han + `\.(\s|$)`),
			"a typed gap":            regexp.MustCompile(`\p{Han} \p{Han}`),
			"a word to avoid":        regexp.MustCompile(`您|赋能|归约|规约散|散射`),
		},
		English: {
			"full-width or curly punctuation": regexp.MustCompile(`[，。；：！？（）“”‘’]`),
			"two blanks":                      regexp.MustCompile(`  `),
		},
	} {
		for id, forms := range texts(t, lang) {
			for _, text := range forms {
				for what, pattern := range wrong {
					if pattern.MatchString(text) {
						t.Errorf("%s: %s has %s: %s", lang, id, what, text)
					}
				}
			}
		}
	}
}

// TestMessagesAndCodeMeet looks for ids as literals in the sources. Ids made
// of a prefix and a name of the domain are held against the domain in
// web/present.
func TestMessagesAndCodeMeet(t *testing.T) {
	source := sources(t)
	known := texts(t, Chinese)
	for id := range known {
		base := strings.TrimSuffix(strings.TrimSuffix(id, ".text"), ".line")
		switch prefix, _, _ := strings.Cut(id, "."); {
		case slices.Contains([]string{"algorithm", "collective", "nav", "outcome", "pair", "phase", "invariant", "port", "rows", "path", "lab", "need", "finding", "entry"}, prefix):
			if !strings.Contains(source, `"`+prefix+`."`) {
				t.Errorf("no code says messages of %s", prefix)
			}
		case !strings.Contains(source, `"`+id+`"`) && !strings.Contains(source, `"`+base+`"`):
			t.Errorf("no code says %s", id)
		}
	}
	for _, said := range regexp.MustCompile(`\bT\("([^"]+)"[,)]`).FindAllStringSubmatch(source, -1) {
		if known[said[1]] == nil {
			t.Errorf("code says %s, which no language has", said[1])
		}
	}
}

// sources joins the sources of the whole module, without tests, generated
// files and this package.
func sources(t *testing.T) string {
	t.Helper()
	var all strings.Builder
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "node_modules" || strings.HasPrefix(name, ".") && path != root || path == filepath.Join(root, "views", "locale") {
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, "_templ.go") ||
			!strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".templ") {
			return nil
		}
		content, err := os.ReadFile(path)
		all.Write(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all.String()
}
