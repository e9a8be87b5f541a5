package web

import (
	"net/http"
	"regexp"
	"strings"
	"testing"
)

func TestGalleryIsForDevelopment(t *testing.T) {
	develop := newConsole(t, func(c *Config) { c.Develop = true })
	serve := newConsole(t)
	for _, lang := range []string{"zh", "en"} {
		path := "/" + lang + "/gallery"
		wantStatus(t, path, serve.get(path), http.StatusNotFound)
		answer := develop.get(path)
		wantStatus(t, path, answer, http.StatusOK)
		text := body(t, answer)
		for _, id := range regexp.MustCompile(`>\s*([a-z]+(?:\.[a-z-]+)+)\s*<`).FindAllStringSubmatch(text, -1) {
			if !strings.HasPrefix(id[1], "views.") { // the name of a component
				t.Errorf("%s shows the id of a message: %s", path, id[1])
			}
		}
		for _, want := range []string{"draw.BlockCell.Write", "views.runTop", "#3a3fb4", "blockgrid"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s", path, want)
			}
		}
		for name, c := range map[string]console{"in development": develop, "otherwise": serve} {
			if strings.Contains(body(t, c.get("/"+lang+"/")), path) {
				t.Errorf("%s the home page leads to %s", name, path)
			}
		}
	}
}
