package web

import (
	"net/http"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"lockstep/web/present"
)

// What is linked into the program must have its licence on the page.
func TestEveryModuleHasALicence(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}`, "lockstep/cmd/console")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := slices.Compact(slices.Sorted(strings.FieldsSeq(string(out))))
	if len(linked) < 10 {
		t.Fatalf("only %d modules are linked: %v", len(linked), linked)
	}
	licences := present.Licences()
	for _, module := range linked {
		if licences[module] == "" {
			t.Errorf("%s has no licence in present.Licences", module)
		}
		delete(licences, module)
	}
	for module := range licences {
		t.Errorf("%s has a licence and is not linked", module)
	}
}

func TestAbout(t *testing.T) {
	c := newConsole(t)
	for lang, want := range map[string]string{"zh": "实测", "en": "Measured"} {
		answer := c.get("/" + lang + "/about")
		wantStatus(t, lang, answer, http.StatusOK)
		if text := body(t, answer); !strings.Contains(text, want) || !strings.Contains(text, "test") {
			t.Errorf("%s: the page says neither %q nor the version", lang, want)
		}
	}
	if text := body(t, c.get("/zh/")); !strings.Contains(text, `href="/zh/about"`) {
		t.Error("no way leads to the page")
	}
}
