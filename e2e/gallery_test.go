package e2e

import (
	"os"
	"testing"
)

// TestGalleryFitsAndIsAccessible looks at all parts of all pages, in states
// that pages alone seldom reach.
func TestGalleryFitsAndIsAccessible(t *testing.T) {
	t.Parallel()
	console, err := start(t.TempDir(), os.Environ(), "serve", "--dev", "--data", "data", "--listen", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(console.kill)
	address, _, err := console.invitation()
	if err != nil {
		t.Fatal(err)
	}
	p := newTab(t, newBrowser(t), address)
	checkPage(p, axeSource(t), page{name: "gallery", path: "/gallery"}, sample(t))
}
